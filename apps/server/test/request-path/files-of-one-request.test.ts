// ARCHITECTURE.md lists the files that one chat call runs through. The list is compared with what a
// running server reports about a streamed and a whole call.
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
let account: TestAccount;
let server: SpawnedServer;

beforeAll(async () => {
  site = await openTestSite();
  account = await openAccount(site);
  server = await spawnServer(site.environment, { main });
});
afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  await server.kill();
  await site.close();
});

/** One streamed and one whole call, read to the end. */
async function makeCalls(model: string): Promise<readonly number[]> {
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

/** The files with functions that ran since the last time this was asked. */
async function readTrace(): Promise<ReadonlySet<string>> {
  const reports = () => server.output().match(/^\{"functionsThatRan":.*\}$/gm) ?? [];
  const count = reports().length;
  process.kill(server.pid, "SIGUSR2");
  while (reports().length === count) await Bun.sleep(10);
  const report: unknown = JSON.parse(reports().at(-1) ?? "").functionsThatRan;
  if (!Array.isArray(report)) throw new Error("the traced server reported no list");
  return new Set(report.map((place) => String(place).replace(/:\d+$/, "")));
}

function readListedFiles(): readonly string[] {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const list = /^#+ The files of one request\b[\s\S]*?^```[^\n]*\n([\s\S]*?)^```/m.exec(text)?.[1];
  return (list ?? "").split("\n").flatMap((line) => /^\s*([\w./-]+\.ts)\b/.exec(line)?.[1] ?? []);
}

test("every file that ARCHITECTURE.md lists for one request runs in one", async () => {
  // The first calls fill caches, open connections and take a lease.
  expect(await makeCalls(testModels.cheap)).toEqual([200, 200]);
  await readTrace();
  expect(await makeCalls(testModels.cheap)).toEqual([200, 200]);
  const traced = await readTrace();
  const listed = readListedFiles();
  expect(listed.length).toBeGreaterThan(3);
  expect(listed.filter((file) => !traced.has(file))).toEqual([]);
});

test("a file whose functions do not run is not in the trace", async () => {
  await readTrace();
  expect(await makeCalls("test/unknown")).toEqual([404, 404]);
  const traced = await readTrace();
  expect(traced).toContain("packages/catalog/src/find-model.ts");
  expect(traced).not.toContain("packages/gateway/src/relay-stream.ts");
});
