import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { LoadShedder, loadLimits, waits, watchLoad } from "./shed-load.ts";

const { targetMs, burstMs, repeatMs, memoryMs, staleMs, memoryShareMax } = loadLimits;
const slow = targetMs + 1;
const stepMs = 50;

/** Undefined where the call is admitted. */
function refusalOf(load: LoadShedder, nowMs: number): Fault | undefined {
  try {
    load.admit(nowMs);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** Samples of one wait, from `fromMs` to `untilMs` inclusive. */
function recordFor(load: LoadShedder, waitMs: number, fromMs: number, untilMs: number): void {
  for (let now = fromMs; now <= untilMs; now += stepMs) load.record("hold", waitMs, now);
}

test("2,000 calls at once are admitted while their queue drains within a burst", () => {
  const load = new LoadShedder();
  for (let call = 0; call < 2_000; call += 1) {
    const nowMs = (call / 2_000) * (burstMs - 1);
    load.record("hold", slow, nowMs);
    expect(refusalOf(load, nowMs)).toBeUndefined();
  }
});

test.each([...waits])(
  "a standing queue refuses new calls, with a time to come back: %s",
  (wait) => {
    const load = new LoadShedder();
    for (let now = 0; now <= burstMs; now += stepMs) load.record(wait, slow, now);
    expect(refusalOf(load, burstMs)).toMatchObject({
      code: "overloaded",
      details: { retryAfterMs: 2_000 },
    });
  },
);

test("one that waited less than the target shows that no queue stands", () => {
  const load = new LoadShedder();
  recordFor(load, slow, 0, burstMs);
  load.record("hold", targetMs - 1, burstMs);
  expect(refusalOf(load, burstMs)).toBeUndefined();
  recordFor(load, slow, burstMs, burstMs + burstMs - stepMs);
  expect(refusalOf(load, burstMs + burstMs - stepMs)).toBeUndefined();
});

test("after calls were refused a queue that comes back is refused sooner, until all is quiet", () => {
  const load = new LoadShedder();
  recordFor(load, slow, 0, burstMs);
  expect(refusalOf(load, burstMs)).toBeDefined();
  load.record("hold", 0, burstMs + stepMs);
  const again = burstMs + 2 * stepMs;
  recordFor(load, slow, again, again + repeatMs);
  expect(refusalOf(load, again + repeatMs)).toBeDefined();
  load.record("hold", 0, again + repeatMs);
  const quiet = again + repeatMs + memoryMs;
  recordFor(load, slow, quiet, quiet + repeatMs);
  expect(refusalOf(load, quiet + repeatMs)).toBeUndefined();
});

test("a queue that nobody is in any more is empty: the next call finds out", () => {
  const load = new LoadShedder();
  recordFor(load, slow, 0, burstMs);
  expect(refusalOf(load, burstMs + staleMs)).toBeDefined();
  expect(refusalOf(load, burstMs + staleMs + 1)).toBeUndefined();
  load.record("hold", slow, burstMs + staleMs + 2);
  expect(refusalOf(load, burstMs + staleMs + 2)).toBeUndefined();
});

test("without memory for it a call is refused, however short the queues", () => {
  const load = new LoadShedder();
  load.recordMemory(memoryShareMax + 0.01);
  expect(refusalOf(load, 0)?.code).toBe("overloaded");
  load.recordMemory(memoryShareMax);
  expect(refusalOf(load, 0)).toBeUndefined();
});

test("the process's own delay and memory are recorded until watching stops", async () => {
  const recorded: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  class Recording extends LoadShedder {
    override record(...[wait]: Parameters<LoadShedder["record"]>): void {
      recorded.push(wait);
    }
    override recordMemory(share: number): void {
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThan(1);
      resolve();
    }
  }
  const stop = watchLoad(new Recording());
  // The timer keeps no process alive, so something else has to.
  const alive = setInterval(() => undefined, 1_000);
  await promise;
  clearInterval(alive);
  stop();
  expect(recorded).toEqual(["eventLoop"]);
});
