// WORKERS=n: n processes answer on one port, each as a separate instance. They share the port with
// each other and with no other process.
import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { freePort, type SpawnedServer, spawnServer } from "@turnpike/testing";
import { findSystemMistakes } from "../../src/check-settings.ts";
import {
  chatBody,
  expectCleanBooks,
  openAccount,
  openTestSite,
  type TestSite,
} from "../harness/index.ts";
import { countInstances, readLog, readMetricsOfBoth, readWorkerPids } from "./watch-workers.ts";

const main = join(import.meta.dir, "../../src/main.ts");
const taken =
  "Turnpike cannot start: another process listens on this port. Set PORT to a free one.\n";

const sites: TestSite[] = [];
let site: TestSite;
const started: SpawnedServer[] = [];

beforeEach(async () => {
  site = await openTestSite({ environment: { WORKERS: "2" } });
  sites.push(site);
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.kill("SIGTERM")));
  await expectCleanBooks(site);
});
afterAll(() => Promise.all(sites.map((each) => each.close())));

async function start(environment: Readonly<Record<string, string>> = {}): Promise<SpawnedServer> {
  const server = await spawnServer({ ...site.environment, ...environment });
  started.push(server);
  return server;
}

async function startRefused(environment: Readonly<Record<string, string>>) {
  const child = Bun.spawn([process.execPath, main], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...site.environment, ...environment },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = await new Response(child.stderr).text();
  return { said, code: await child.exited };
}

test("FX8: two workers answer on one port, each with its own instance, log lines and metrics", async () => {
  const server = await start();
  const { key } = await openAccount(site);
  const headers = { authorization: `Bearer ${key}`, connection: "close" };
  const body = JSON.stringify(chatBody({ tag: "shared" }));
  const hasAnswered = (text: string) => /^turnpike_requests_total\{.*\} [1-9]/m.test(text);
  for (let said = ""; said.split("answered").length <= 2; ) {
    const answer = await fetch(`${server.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    expect(answer.status).toBe(200);
    const texts = [...(await readMetricsOfBoth(server)).values()];
    said = texts.map((text) => (hasAnswered(text) ? "answered" : "idle")).join();
  }
  const pids = readWorkerPids(server);
  expect([...pids.keys()].toSorted()).toEqual([1, 2]);
  expect(new Set([...pids.values(), server.pid]).size).toBe(3);
  expect(await countInstances(site)).toEqual({ live: 2, ended: 0 });
  const [{ worker } = { worker: 0 }] = readLog(server).filter((line) => line.pid === server.pid);
  expect(worker).toBeUndefined();
});

test("a port that a single server has is refused to workers, who leave no instance", async () => {
  const single = await start({ WORKERS: "1" });
  const refused = await startRefused({ PORT: new URL(single.url).port });
  expect(refused).toEqual({ said: taken, code: 1 });
  expect((await countInstances(site)).live).toBe(1);
});

test("a port that workers share is refused to another server, with one worker or with two", async () => {
  const shared = await start();
  for (const WORKERS of ["1", "2"]) {
    const refused = await startRefused({ WORKERS, PORT: new URL(shared.url).port });
    expect([WORKERS, refused]).toEqual([WORKERS, { said: taken, code: 1 }]);
    expect((await countInstances(site)).live).toBe(2);
  }
});

test("if two parents start on one port at the same time, one is refused", async () => {
  const PORT = String(await freePort());
  const results = await Promise.allSettled([start({ PORT }), start({ PORT })]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const reason = results.find((result) => result.status === "rejected")?.reason;
  expect(String(reason)).toContain(taken.trimEnd());
});

test("a configuration with mistakes ends the parent with 78 and is reported once", async () => {
  const refused = await startRefused({ CATALOG_FILE: main });
  expect(refused.code).toBe(78);
  expect(refused.said.match(/Turnpike cannot start/g)).toHaveLength(1);
  const mistaken = await startRefused({ WORKERS: "0" });
  expect(mistaken.code).toBe(78);
  expect(mistaken.said).toContain("WORKERS: ");
});

test("several workers are refused if the system does not share ports", () => {
  expect(findSystemMistakes({ WORKERS: 2 }, "darwin")).toEqual([
    "WORKERS: 2 processes can share a port on Linux only; unset it.",
  ]);
  expect(findSystemMistakes({ WORKERS: 1 }, "darwin")).toEqual([]);
  expect(findSystemMistakes({ WORKERS: 2 }, "linux")).toEqual([]);
});
