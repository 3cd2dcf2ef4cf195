// How a drain ends: jobs stop before what they use is closed, and the drain waits for a database that does
// not respond as long as the settings allow and no longer.
import { expect, test } from "bun:test";
import { noFailpoint } from "@turnpike/base";
import { createLog } from "@turnpike/telemetry";
import { closeInTime, databaseWaitMs, drain, orphanDrain, shortenDrain } from "./drain.ts";

const log = createLog({ level: "silent", name: "test" });
/** Far more than a test takes. */
const longMs = 600_000;
const settle = () => Promise.resolve();

test("jobs have stopped before the services they use are closed", async () => {
  const order: string[] = [];
  const jobs = Promise.withResolvers<void>();
  const stopJobs = async () => {
    await jobs.promise;
    order.push("jobs");
  };
  const close = () => {
    order.push("services");
    return Promise.resolve();
  };
  const closed = closeInTime({ close, settle, log }, stopJobs, longMs);
  jobs.resolve();
  expect(await closed).toBe(true);
  expect(order).toEqual(["jobs", "services"]);
});

test("money is settled even if a job never stops", async () => {
  let settled = false;
  const settles = async () => {
    settled = true;
  };
  const never = () => new Promise<void>(() => undefined);
  expect(await closeInTime({ close: settle, settle: settles, log }, never, 20)).toBe(false);
  expect(settled).toBe(true);
});

test("services stay open until the call of a client that has just disconnected is billed", async () => {
  const order: string[] = [];
  const ended = Promise.withResolvers<void>();
  const services = {
    log,
    failpoint: noFailpoint,
    endAnswers: () => undefined,
    settle,
    ledger: { everyHoldEnded: () => ended.promise, uncharged: () => 0 },
    idempotentCalls: { settled: async () => undefined },
    async close() {
      order.push("closed");
    },
  };
  const stopped = Promise.withResolvers<void>();
  const server = {
    async stop() {
      stopped.resolve();
    },
  };
  const times = { DRAIN_NOTICE_MS: 0, DRAIN_STREAMS_MS: longMs, SETTLE_WAIT_MS: longMs };
  const drained = drain(services, server, async () => undefined, times);
  await stopped.promise;
  // A turn of the event loop, in which a drain that does not wait would continue.
  await new Promise(setImmediate);
  order.push("billed");
  ended.resolve();
  expect(await drained).toBe(true);
  expect(order).toEqual(["billed", "closed"]);
});

/** Services with nothing to do but to wait for the bills of calls. */
const servicesThatAwait = (everyHoldEnded: () => Promise<void>) => ({
  log,
  failpoint: noFailpoint,
  settle,
  close: settle,
  endAnswers: () => undefined,
  ledger: { everyHoldEnded, uncharged: () => 0 },
  idempotentCalls: { settled: settle },
});

test("a drain that ends early says whether bills, charges or something else are missing", async () => {
  const never = () => new Promise<void>(() => undefined);
  const times = { DRAIN_NOTICE_MS: 0, DRAIN_STREAMS_MS: 0, SETTLE_WAIT_MS: 0 };
  const logged: unknown[] = [];
  const error = (...line: unknown[]) => logged.push(line);
  const kept = { log: { ...log, error }, settle: never };
  for (const [bills, uncharged] of [
    [never, 0],
    [settle, 1],
    [settle, 0],
  ] as const) {
    const services = { ...servicesThatAwait(bills), ...kept };
    const ledger = { everyHoldEnded: bills, uncharged: () => uncharged };
    const drained = drain({ ...services, ledger }, { stop: settle }, settle, times);
    expect(await drained).toBe(false);
  }
  expect(logged).toEqual([
    [{ uncharged: 0 }, "ended before every bill was computed"],
    [{ uncharged: 1 }, "ended before every charge was durable"],
    [{ uncharged: 0 }, "ended before everything was closed"],
  ]);
});

test("a second request to stop ends the notice: the server stops listening immediately", async () => {
  const services = servicesThatAwait(settle);
  const hurry = Promise.withResolvers<void>();
  const times = { DRAIN_NOTICE_MS: longMs, DRAIN_STREAMS_MS: longMs, SETTLE_WAIT_MS: longMs };
  let stops = 0;
  const stop = async () => {
    stops += 1;
  };
  const drained = drain(services, { stop }, settle, times, hurry.promise);
  await new Promise(setImmediate);
  expect(stops).toBe(0);
  hurry.resolve();
  expect(await drained).toBe(true);
  expect(stops).toBe(1);
});

test("a process without a parent frees its port without notice", () => {
  const times = { DRAIN_NOTICE_MS: longMs, DRAIN_STREAMS_MS: longMs, SETTLE_WAIT_MS: longMs };
  expect(orphanDrain(times)).toEqual({ ...shortenDrain(times), DRAIN_NOTICE_MS: 0 });
});

test("a process that cannot make everything durable in time reports that", async () => {
  const never = () => new Promise<void>(() => undefined);
  const done = () => Promise.resolve();
  expect(await closeInTime({ close: never, settle, log }, done, 20)).toBe(false);
  expect(await closeInTime({ close: done, settle, log }, never, 20)).toBe(false);
  const failing = () => Promise.reject(new Error("no database"));
  expect(await closeInTime({ close: failing, settle, log }, done, longMs)).toBe(false);
});

test("the database may take the time that answers did not use, and at least as long as final bytes", () => {
  const times = { DRAIN_STREAMS_MS: 60_000, SETTLE_WAIT_MS: 10_000 };
  // If answers ended early, all of its time is left, but none of theirs.
  expect(databaseWaitMs(times, 0)).toBe(10_000);
  expect(databaseWaitMs(times, 60_000)).toBe(10_000);
  expect(databaseWaitMs(times, 63_000)).toBe(7_000);
  expect(databaseWaitMs(times, 69_500)).toBe(2_000);
  expect(databaseWaitMs(times, 72_000)).toBe(2_000);
});

test("after an uncaught exception a drain takes at most thirty seconds, and never longer than configured", () => {
  const long = { DRAIN_NOTICE_MS: longMs, DRAIN_STREAMS_MS: longMs, SETTLE_WAIT_MS: longMs };
  const short = shortenDrain(long);
  // It waits for final bytes twice, two seconds each.
  const sumMs = short.DRAIN_NOTICE_MS + short.DRAIN_STREAMS_MS + short.SETTLE_WAIT_MS + 4_000;
  expect(sumMs).toBe(30_000);
  const set = { DRAIN_NOTICE_MS: 1, DRAIN_STREAMS_MS: 2, SETTLE_WAIT_MS: 3 };
  expect(shortenDrain(set)).toEqual(set);
});
