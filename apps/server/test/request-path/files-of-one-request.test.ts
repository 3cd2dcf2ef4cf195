// ARCHITECTURE.md lists every file that a chat call runs through. The list is compared with what a running
// server reports about streamed and whole calls.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  expectCleanBooks,
  openAccount,
  openTestSite,
  type TestAccount,
  type TestSite,
  testModels,
} from "../harness/index.ts";

setDefaultTimeout(180_000);

const root = join(import.meta.dirname, "../../../..");
const main = join(import.meta.dirname, "run-traced-server.ts");

let site: TestSite;
let server: SpawnedServer;

beforeAll(async () => {
  site = await openTestSite();
  server = await spawnServer(site.environment, { main });
});
afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  await server.kill();
  await site.close();
});

/** One streamed and one whole call, read to the end. */
async function makeCalls(account: TestAccount, model: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const stream of [true, false]) {
    const answer = await fetch(`${server.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, stream, messages: [{ role: "user", content: "Hello" }] }),
    });
    await answer.text();
    statuses.push(answer.status);
  }
  return statuses;
}

/** The files with functions that ran since the previous trace. */
async function readTrace(): Promise<ReadonlySet<string>> {
  const reports = () => server.output().match(/^\{"functionsThatRan":.*\}$/gm) ?? [];
  const count = reports().length;
  process.kill(server.pid, "SIGUSR2");
  while (reports().length === count) await Bun.sleep(10);
  const report: unknown = JSON.parse(reports().at(-1) ?? "").functionsThatRan;
  if (!Array.isArray(report)) throw new Error("the traced server reported no list");
  return new Set(report.map((place) => String(place).replace(/:\d+$/, "")));
}

/**
 * The two fenced lists under "The files of one request": a path to a line, and then `folder: name name`
 * for the files that those call.
 */
function readListedFiles(): readonly string[] {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const [, section = ""] = /^#+ The files of one request\n([\s\S]*?)^#/m.exec(text) ?? [];
  const lists = [...section.matchAll(/^```\n([\s\S]*?)^```/gm)].map(([, list = ""]) => list);
  return lists
    .flatMap((list) => list.split("\n"))
    .flatMap((line) => {
      const [, folder, names = ""] = /^([\w./-]+): (.+)$/.exec(line) ?? [];
      if (folder === undefined) return line.endsWith(".ts") ? [line] : [];
      return names.split(" ").map((name) => `${folder}/${name}.ts`);
    })
    .sort();
}

test("ARCHITECTURE.md lists exactly the files that a call runs through", async () => {
  // The server's own first calls open connections and fill caches.
  const first = await openAccount(site);
  expect(await makeCalls(first, testModels.cheap)).toEqual([200, 200]);
  await readTrace();
  // A key's first call loads the key and takes a lease; later ones find both in memory.
  const account = await openAccount(site);
  expect(await makeCalls(account, testModels.cheap)).toEqual([200, 200]);
  expect(await makeCalls(account, testModels.cheap)).toEqual([200, 200]);
  const traced = await readTrace();
  expect([...traced].sort()).toEqual([...readListedFiles()]);
});

test("a file whose functions do not run is not in the trace", async () => {
  const account = await openAccount(site);
  await readTrace();
  expect(await makeCalls(account, "test/unknown")).toEqual([404, 404]);
  const traced = await readTrace();
  expect(traced).toContain("packages/catalog/src/find-model.ts");
  expect(traced).not.toContain("packages/gateway/src/relay/relay-stream.ts");
});
