// The key of a provider from a file: what replaces it is used by the next call, without a restart, and a file that
// cannot be read changes nothing. A real process, because operators send it a signal.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  chatBody,
  expectCleanBooks,
  openAccount,
  openTestSite,
  postChat,
  type TestSite,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const folder = mkdtempSync(join(tmpdir(), "turnpike-keys-"));
const keyFile = join(folder, "provider-key");
let site: TestSite;
let server: SpawnedServer;
let key: string;

beforeAll(async () => {
  writeFileSync(keyFile, "first-value-of-the-key\n");
  site = await openTestSite({
    environment: { SCRIPTED_KEY_FILE: keyFile },
    catalog: (baseUrl) => `
providers:
  - { id: scripted, baseUrl: "${baseUrl}", apiKey: "\${SCRIPTED_KEY}" }
  - { id: keyless, baseUrl: "${baseUrl}", apiKey: "\${NO_SUCH_KEY}" }
models:
  - id: test/cheap
    contextTokens: 1000
    maxOutputTokens: 100
    routes: [{ provider: scripted, model: m }, { provider: keyless, model: m }]
    prices: { input: "0.1", output: "0.4" }
`,
  });
  key = (await openAccount(site)).key;
  server = await spawnServer(site.environment);
});
afterAll(async () => {
  await expectCleanBooks(site);
  await server.kill();
  await site.close();
  rmSync(folder, { recursive: true });
});

async function sentKey(): Promise<string | undefined> {
  const answer = await postChat(server, key, chatBody({ deltas: 1 }));
  expect(answer.status).toBe(200);
  await answer.text();
  return site.upstream.requests.at(-1)?.headers.authorization;
}

/** The lines with this message that were written after `sent` characters of the log. */
function linesSince(sent: number, message: string): readonly string[] {
  const lines = server.output().slice(sent).split("\n");
  return lines.filter((line) => line.includes(`"msg":"${message}`));
}

async function hangUp(message: string): Promise<readonly string[]> {
  const sent = server.output().length;
  process.kill(server.pid, "SIGHUP");
  await eventually(message, async () => linesSince(sent, message).length > 0);
  return linesSince(sent, message);
}

test("after SIGHUP the next call has the new key of the file", async () => {
  expect(await sentKey()).toBe("Bearer first-value-of-the-key");
  writeFileSync(keyFile, "second-value-of-the-key\n");
  await hangUp("catalog applied");
  expect(await sentKey()).toBe("Bearer second-value-of-the-key");
});

test("a changed file is noticed without a signal", async () => {
  const sent = server.output().length;
  writeFileSync(keyFile, "third-value-of-the-key");
  await eventually("a reload", async () => linesSince(sent, "catalog applied").length > 0);
  expect(await sentKey()).toBe("Bearer third-value-of-the-key");
});

test("a key that a reload added is hidden from the log, and so are earlier ones", async () => {
  const file = String(site.environment.CATALOG_FILE);
  const works = readFileSync(file, "utf8");
  writeFileSync(file, `${works}third-value-of-the-key: 1\nfirst-value-of-the-key: 1\n`);
  try {
    const lines = await hangUp("unknown field of the catalog");
    expect(lines.filter((line) => line.includes('"field":"[redacted]"'))).toHaveLength(2);
  } finally {
    writeFileSync(file, works);
  }
  expect(server.output()).not.toContain("value-of-the-key");
});

test("a reload says which routes of a model that stays visible are hidden, and why", async () => {
  const [line = "{}"] = await hangUp("routes hidden");
  const reason = "provider keyless is not set up: NO_SUCH_KEY is not set";
  expect(JSON.parse(line)).toMatchObject({ byReason: [{ reason, models: ["test/cheap"] }] });
});

test("a file that is missing or empty is an error that keeps the old key", async () => {
  for (const [spoil, problem] of [
    [() => writeFileSync(keyFile, " \n"), "is empty"],
    [() => rmSync(keyFile), "cannot be read (ENOENT)"],
  ] as const) {
    spoil();
    const [line = ""] = await hangUp("catalog not reloaded: the old one remains in use");
    expect(JSON.parse(line)).toMatchObject({
      mistakes: [
        {
          path: "providers[0].apiKey",
          message: `the file that SCRIPTED_KEY_FILE names ${problem}`,
        },
      ],
    });
    expect(await sentKey()).toBe("Bearer third-value-of-the-key");
  }
});
