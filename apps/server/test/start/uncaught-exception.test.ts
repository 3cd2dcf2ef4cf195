// An uncaught bug ends the process as a failure, but not by dropping what it had open:
// running answers end and are billed first, within thirty seconds in total. A rejection that nothing handled
// and an event loop that was blocked end nothing.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import { shortenDrain } from "../../src/drain.ts";
import {
  asObject,
  at,
  chatBody,
  contentOf,
  expectCleanBooks,
  openAccount,
  openTestSite,
  postChat,
  readEvents,
  type TestSite,
} from "../harness/index.ts";

const main = join(import.meta.dir, "throw-on-signal.ts");
let site: TestSite;
let server: SpawnedServer;
let key: string;

beforeAll(async () => {
  site = await openTestSite();
  key = (await openAccount(site)).key;
});
afterEach(async () => {
  await expectCleanBooks(site);
  await server.kill();
});
afterAll(() => site.close());

function findLine(message: string): unknown {
  const line = server
    .output()
    .split("\n")
    .find((one) => one.includes(`"msg":"${message}"`));
  return line === undefined ? undefined : JSON.parse(line);
}

test("FX4: a running answer ends normally, the process drains quickly, and its exit is a failure", async () => {
  server = await spawnServer(site.environment, { main });
  const body = chatBody({ tag: "ends well", deltas: 100, paceMs: 5 }, { stream: true });
  const response = await postChat(server, key, body);
  const exit = server.kill("SIGUSR2");
  const read = await readEvents(response);
  expect(contentOf(read)).toBe(" tok".repeat(100));
  expect(read.done).toBe(true);
  expect(await exit).toEqual({ code: 1, signal: null });
  expect(findLine("uncaught exception")).toMatchObject({ level: "fatal" });
  const { noticeMs, streamsMs, settleWaitMs } = asObject(findLine("draining"));
  expect({ noticeMs, streamsMs, settleWaitMs }).toEqual({
    noticeMs: 0,
    streamsMs: 15_000,
    settleWaitMs: 6_000,
  });
  expect(findLine("drained")).toBeDefined();
});

test("while it already drains, answers end immediately, and the exit is still a failure", async () => {
  server = await spawnServer(site.environment, { main });
  const body = chatBody({ tag: "endless", endless: true, paceMs: 5 }, { stream: true });
  const response = await postChat(server, key, body);
  const exit = server.kill("SIGTERM");
  while ((await fetch(`${server.url}/readyz`).catch(() => undefined))?.status === 200);
  process.kill(server.pid, "SIGUSR2");
  const { events, done } = await readEvents(response);
  expect(at(events.at(-1), "error.code")).toBe("shutting_down");
  expect(done).toBe(false);
  expect(await exit).toEqual({ code: 1, signal: null });
});

test("FX4: an unhandled rejection is logged and counted, and ends nothing", async () => {
  server = await spawnServer(site.environment, { main });
  const body = chatBody({ tag: "goes on", deltas: 100, paceMs: 5 }, { stream: true });
  const response = await postChat(server, key, body);
  process.kill(server.pid, "SIGURG");
  const read = await readEvents(response);
  expect(read.done).toBe(true);
  // The output of a process arrives a little later than its answers.
  while (findLine("unhandled rejection") === undefined) await Bun.sleep(5);
  expect(findLine("unhandled rejection")).toMatchObject({ level: "error" });
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toMatch(/^turnpike_unhandled_rejections_total 1$/m);
  expect((await postChat(server, key, chatBody({ deltas: 1 }))).status).toBe(200);
});

test("FX5: a blocked event loop fails the health check meanwhile, is measured, and what waited is answered", async () => {
  server = await spawnServer(site.environment, { main });
  process.kill(server.pid, "SIGWINCH");
  while (findLine("blocked") === undefined) await Bun.sleep(5);
  const signal = AbortSignal.timeout(1_000);
  const health = await fetch(`${server.url}/livez`, { signal }).catch(String);
  expect(health).toContain("TimeoutError");
  rmSync(dirname(String(asObject(findLine("blocked")).file)), { recursive: true });
  expect((await postChat(server, key, chatBody({ deltas: 1 }))).status).toBe(200);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const [, lag] = /^turnpike_event_loop_lag_seconds (\S+)$/m.exec(metrics) ?? [];
  expect(Number(lag)).toBeGreaterThan(0.5);
});

test("all parts of a hurried drain add up to thirty seconds, and shorter ones are unchanged", () => {
  const long = { DRAIN_NOTICE_MS: 10_000, DRAIN_STREAMS_MS: 300_000, SETTLE_WAIT_MS: 30_000 };
  const parts = Object.values(shortenDrain(long));
  // And two seconds each for the final bytes of answers and of the process.
  expect(parts.reduce((sum, part) => sum + part)).toBe(30_000 - 2 * 2_000);
  const short = { DRAIN_NOTICE_MS: 0, DRAIN_STREAMS_MS: 300, SETTLE_WAIT_MS: 500 };
  expect(shortenDrain(short)).toEqual(short);
});
