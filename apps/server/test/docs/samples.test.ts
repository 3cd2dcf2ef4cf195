// Every sample of the console's docs, as its Markdown file has it, runs against the running server. A sample that is
// no program has to be named here, so that none is left out by accident.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createManagementKey, grantablePermissions } from "@turnpike/accounts";
import { type ManagementKeyId, newId } from "@turnpike/base";
import { preparePython } from "@turnpike/testing";
import { fillDocs } from "../../src/http/pages/fill-docs.ts";
import { startTestServer, testCatalog, useServer } from "../harness/index.ts";
import { memberOf } from "../management/open-management.fixture.ts";

// Installing the Python package takes a while the first time.
setDefaultTimeout(240_000);

const { server, account } = await useServer(
  startTestServer({
    environment: { SEALING_KEY: "a-key-that-only-this-test-seals-with" },
    catalog: (baseUrl) => testCatalog(baseUrl).replace("[vision]", "[vision, files]"),
  }),
);
const { key: managementKey } = await createManagementKey(server.owner.db, memberOf(account), {
  name: "docs",
  permissions: grantablePermissions,
  id: newId<ManagementKeyId>(),
});
const python = await preparePython();
const genai = await preparePython("google-genai-3.6.1");
if (python.kind === "absent") console.log(`skipped: Python samples (${python.reason})`);
if (genai.kind === "absent") console.log(`skipped: Python samples of Google (${genai.reason})`);

const consoleFolder = join(import.meta.dir, "../../../console");
const folder = mkdtempSync(join(tmpdir(), "turnpike-docs-"));
symlinkSync(join(import.meta.dir, "../../node_modules"), join(folder, "node_modules"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As the build of the console writes them, and as this server fills them in. */
async function readDocs(): Promise<readonly (readonly [path: string, text: string])[]> {
  const program = `import { readFileSync } from "node:fs";
    import { writeDocs } from "./src/pages/docs/write-docs.ts";
    const read = (id) => readFileSync("src/pages/docs/content/" + id + ".md", "utf8");
    console.log(JSON.stringify([...writeDocs(read)]));`;
  const child = Bun.spawnSync([process.execPath, "-e", program], { cwd: consoleFolder });
  const written = new Map<string, string>(JSON.parse(child.stdout.toString()));
  const { config, catalog } = server.services;
  const serve = fillDocs(
    async ({ url }) => new Response(written.get(new URL(url).pathname.slice(1))),
    { ...config, PUBLIC_URL: server.url },
    () => catalog.current.models.values(),
  );
  const pages = [...written.keys()].filter((path) => path.startsWith("docs/"));
  return Promise.all(
    pages.map(async (path) => {
      const answer = await serve(new Request(`${server.url}/${path}`));
      return [path, (await answer?.text()) ?? ""] as const;
    }),
  );
}

/** What installs and configures programs; the receiver of webhooks runs in a test of its package. */
const notRun =
  /^(?:pip install|npm install|export |API_KEY=)|^aider |^claude |^gemini |HTTPServer\(|langchain_openai/m;

type Sample = { readonly language: string; readonly code: string };

function samplesOf(text: string): readonly Sample[] {
  return [...text.matchAll(/^```(bash|python|javascript|ts)\n([\s\S]*?)\n```$/gm)]
    .map(([, language = "", code = ""]) => ({ language, code }))
    .filter(({ code }) => !notRun.test(code));
}

function commandOf({ language, code }: Sample): readonly string[] | undefined {
  if (language === "bash") {
    return ["bash", "-c", code.replace(/^curl /, "curl -sS --fail-with-body ")];
  }
  if (language === "python") {
    const used = code.includes("import genai") ? genai : python;
    return used.kind === "ready" ? [used.path, "-c", code] : undefined;
  }
  const file = join(folder, "sample.mjs");
  writeFileSync(file, code);
  return [Bun.which("node") ?? process.execPath, file];
}

let ran = 0;

const docs = await readDocs();

for (const [path, text] of docs) {
  const samples = samplesOf(text);
  if (samples.length === 0) continue;
  test(`DOC-1 the samples of ${path} run as pasted`, async () => {
    for (const sample of samples) {
      const command = commandOf(sample);
      if (command === undefined) continue;
      await run(command, `${path}, ${sample.language}`);
      ran += 1;
    }
  });
}

test("samples of every kind were run", () => {
  expect(docs.length).toBeGreaterThan(30);
  expect(ran).toBeGreaterThanOrEqual(python.kind === "ready" ? 35 : 25);
});

async function run(command: readonly string[], name: string): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      API_KEY: account.key,
      MANAGEMENT_KEY: managementKey,
      HOME: folder,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, errors] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if (code === 0 && out.trim() !== "") return;
  throw new Error(`The sample of ${name} ended with ${code}:\n${out}\n${errors}`);
}
