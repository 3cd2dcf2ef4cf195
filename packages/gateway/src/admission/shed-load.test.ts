import { expect, spyOn, test } from "bun:test";
import { overloaded } from "@turnpike/base";
import { createLog } from "@turnpike/telemetry";
import { admissionLimits } from "./admission-queue.ts";
import { admitCall, LoadShedder, loadLimits, watchLoad } from "./shed-load.ts";

const log = createLog({ level: "silent", name: "test" });

const { targetMs, burstMs, repeatMs, memoryMs, staleMs, memoryShareMax } = loadLimits;
const { burstCalls, turnTargetMs, waitTargetMs } = admissionLimits;
const slow = targetMs + 1;
const stepMs = 50;

/** Samples of one wait, from `fromMs` to `untilMs` inclusive. */
function recordFor(load: LoadShedder, waitMs: number, fromMs: number, untilMs: number): void {
  for (let now = fromMs; now <= untilMs; now += stepMs) load.record("hold", waitMs, now);
}

test("2,000 simultaneous calls are admitted while their queue drains within a burst", () => {
  const load = new LoadShedder();
  for (let call = 0; call < 2_000; call += 1) {
    const nowMs = (call / 2_000) * (burstMs - 1);
    load.record("hold", slow, nowMs);
    expect(load.reasonToShed(nowMs)).toBeUndefined();
    expect(load.enter(nowMs)).toBeUndefined();
  }
});

test("2,000 simultaneous calls are admitted however late the event loop is meanwhile", () => {
  const load = new LoadShedder({ inNextTurn: () => undefined });
  for (let call = 0; call < 2_000; call += 1) {
    const nowMs = call * stepMs;
    load.recordTurn(10 * turnTargetMs, nowMs + stepMs);
    expect(load.reasonToShed(nowMs)).toBeUndefined();
    void load.enter(nowMs);
  }
});

test.each(["hold", "charge"] as const)("a standing queue refuses new calls: %s", (wait) => {
  const load = new LoadShedder();
  for (let now = 0; now < burstMs; now += stepMs) load.record(wait, slow, now);
  expect(load.reasonToShed(burstMs - 1)).toBeUndefined();
  load.record(wait, slow, burstMs);
  expect(load.reasonToShed(burstMs)).toBe(wait);
});

test("calls beyond a burst that the event loop keeps waiting are refused", () => {
  const load = new LoadShedder({ inNextTurn: () => undefined });
  load.recordTurn(turnTargetMs, Number.POSITIVE_INFINITY);
  for (let call = 0; call < burstCalls; call += 1) {
    expect(load.reasonToShed(0)).toBeUndefined();
    void load.enter(0);
  }
  expect(load.reasonToShed(0)).toBe("eventLoop");
});

test("after calls were refused there is no second burst until the load has passed", () => {
  const load = new LoadShedder({ inNextTurn: () => undefined });
  recordFor(load, slow, 0, burstMs);
  expect(load.reasonToShed(burstMs)).toBe("hold");
  load.record("hold", 0, burstMs);
  load.recordTurn(turnTargetMs, Number.POSITIVE_INFINITY);
  void load.enter(burstMs);
  expect(load.reasonToShed(burstMs + waitTargetMs - 1)).toBeUndefined();
  expect(load.reasonToShed(burstMs + waitTargetMs)).toBe("eventLoop");
  expect(load.reasonToShed(burstMs + waitTargetMs + memoryMs)).toBeUndefined();
});

test("a flood that is noticed on arrival refuses the calls in the queue that arrived too late", async () => {
  const load = new LoadShedder({ inNextTurn: () => undefined });
  load.recordTurn(turnTargetMs, Number.POSITIVE_INFINITY);
  let last: Promise<unknown> | undefined;
  for (let call = 0; call < burstCalls; call += 1) last = load.enter(0);
  expect(load.reasonToShed(0)).toBe("eventLoop");
  expect(await last).toBe("eventLoop");
});

test("a call that waited and is refused is counted and told to retry", async () => {
  const shed: string[] = [];
  const metrics = { callShed: (reason: string) => shed.push(reason) };
  const refusedLater = { reasonToShed: () => undefined, enter: async () => "eventLoop" as const };
  expect(await admitCall({ load: refusedLater, metrics })?.catch((thrown) => thrown)).toMatchObject(
    {
      code: "overloaded",
    },
  );
  const started = { reasonToShed: () => undefined, enter: async () => undefined };
  expect(await admitCall({ load: started, metrics })).toBeUndefined();
  expect(shed).toEqual(["eventLoop"]);
});

test("one call that waited less than the target shows that there is no standing queue", () => {
  const load = new LoadShedder();
  recordFor(load, slow, 0, burstMs);
  load.record("hold", targetMs - 1, burstMs);
  expect(load.reasonToShed(burstMs)).toBeUndefined();
  recordFor(load, slow, burstMs, burstMs + burstMs - stepMs);
  expect(load.reasonToShed(burstMs + burstMs - stepMs)).toBeUndefined();
});

test("after calls were refused a queue that builds up again is refused sooner, until the load has passed", () => {
  const load = new LoadShedder();
  recordFor(load, slow, 0, burstMs);
  expect(load.reasonToShed(burstMs)).toBe("hold");
  load.record("hold", 0, burstMs + stepMs);
  const again = burstMs + 2 * stepMs;
  recordFor(load, slow, again, again + repeatMs);
  expect(load.reasonToShed(again + repeatMs)).toBe("hold");
  load.record("hold", 0, again + repeatMs);
  const quiet = again + repeatMs + memoryMs;
  recordFor(load, slow, quiet, quiet + repeatMs);
  expect(load.reasonToShed(quiet + repeatMs)).toBeUndefined();
});

test("a queue without samples is empty: the next call finds out", () => {
  const load = new LoadShedder();
  recordFor(load, slow, 0, burstMs);
  expect(load.reasonToShed(burstMs + staleMs)).toBe("hold");
  expect(load.reasonToShed(burstMs + staleMs + 1)).toBeUndefined();
  load.record("hold", slow, burstMs + staleMs + 2);
  expect(load.reasonToShed(burstMs + staleMs + 2)).toBeUndefined();
});

test("FX6: without enough memory a call is refused, however short the queues", () => {
  const load = new LoadShedder();
  load.recordMemory(memoryShareMax + 0.01);
  expect(load.reasonToShed(0)).toBe("memory");
  load.recordMemory(memoryShareMax);
  expect(load.reasonToShed(0)).toBeUndefined();
});

test("a refusal says when to retry", () => {
  expect(overloaded("memory")).toMatchObject({
    code: "overloaded",
    message: "The service is briefly overloaded: its memory is short. Please try again in 2s.",
    details: { retryAfterMs: 2_000 },
  });
});

test("the process's own delay and memory are recorded until watching stops", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let turns = 0;
  class Recording extends LoadShedder {
    override recordTurn(lateMs: number, nextTurnMs: number): void {
      turns += 1;
      expect(lateMs).toBeGreaterThan(-20);
      expect(nextTurnMs).toBeGreaterThan(performance.now() - 1_000);
    }
    override recordMemory(share: number): void {
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThan(1);
      resolve();
    }
  }
  const stop = watchLoad(new Recording(), log);
  // The timer does not keep the process alive, so something else has to.
  const alive = setInterval(() => undefined, 1_000);
  await promise;
  clearInterval(alive);
  stop();
  expect(turns).toBe(1);
});

test.each([0, 2 ** 60])(
  "without a memory limit (%d) the machine's memory counts",
  async (limit) => {
    const constrained = spyOn(process, "constrainedMemory").mockReturnValue(limit);
    const { promise, resolve } = Promise.withResolvers<number>();
    class Recording extends LoadShedder {
      override recordMemory(share: number): void {
        resolve(share);
      }
    }
    const stop = watchLoad(new Recording(), log);
    const alive = setInterval(() => undefined, 1_000);
    const share = await promise;
    clearInterval(alive);
    stop();
    constrained.mockRestore();
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(1);
  },
);

test.each([
  ["database", "database_unavailable"],
  ["clock", "clock_wrong"],
] as const)(
  "while nothing can be charged because of the %s, every call is refused with a code of its own",
  (obstacle, code) => {
    const load = new LoadShedder();
    let found: typeof obstacle | undefined = obstacle;
    load.watchObstacle(() => found);
    const counted: string[] = [];
    const metrics = { callShed: (reason: string) => counted.push(reason) };
    expect(() => admitCall({ load, metrics })).toThrow(expect.objectContaining({ code }));
    expect(counted).toEqual([obstacle]);
    found = undefined;
    expect(admitCall({ load, metrics })).toBeUndefined();
  },
);

test("memory that cannot be read, because no descriptor is left, counts as full and ends nothing", async () => {
  const load = new LoadShedder();
  using _ = spyOn(process, "memoryUsage").mockImplementation(
    Object.assign(() => process.memoryUsage(), {
      rss() {
        throw new Error("Failed to get memory usage");
      },
    }),
  );
  const stop = watchLoad(load, log);
  while (load.reasonToShed() !== "memory") await Bun.sleep(5);
  stop();
});
