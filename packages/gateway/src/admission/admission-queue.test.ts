import { expect, test } from "bun:test";
import { AdmissionQueue, admissionLimits } from "./admission-queue.ts";

const { turnTargetMs, refusalMs, firstRate, leastRate } = admissionLimits;
const { waitTargetMs, burstCalls, floodWaitMaxMs } = admissionLimits;

type Ending = "started" | "refused";

/** A queue with its own clock and event loop, and the outcomes of its calls. */
function openQueue() {
  let nowMs = 0;
  let pump: (() => void) | undefined;
  const inNextTurn = (next: () => void) => {
    pump = next;
  };
  const queue = new AdmissionQueue({ inNextTurn, now: () => nowMs });
  const endings: { call: number; ending: Ending }[] = [];
  let calls = 0;
  return {
    queue,
    now: () => nowMs,
    beLate: () => queue.recordTurn(turnTargetMs, Number.POSITIVE_INFINITY),
    beOnTime: () => queue.recordTurn(0, Number.POSITIVE_INFINITY),
    enter(count = 1) {
      for (let entered = 0; entered < count; entered += 1) {
        const call = calls;
        calls += 1;
        void queue.enter(nowMs)?.then((reason) => {
          endings.push({ call, ending: reason === undefined ? "started" : "refused" });
        });
      }
    },
    /** One turn of the event loop: whether something waits for it. */
    async turn(turnMs: number) {
      nowMs += turnMs;
      const next = pump;
      pump = undefined;
      next?.();
      await Promise.resolve();
      return next !== undefined;
    },
    count: (ending: Ending) => endings.filter((each) => each.ending === ending).length,
    order: () => endings.map(({ call }) => call),
    callsThat: (ending: Ending) =>
      endings.filter((each) => each.ending === ending).map(({ call }) => call),
  };
}

test("while the loop is on time and nothing waits a call starts immediately, without a promise", () => {
  const { queue } = openQueue();
  queue.recordTurn(turnTargetMs - 1, 1_000);
  for (let call = 0; call < 2 * burstCalls; call += 1) expect(queue.enter(0)).toBeUndefined();
  expect(queue.length).toBe(0);
  expect(queue.isFull(true, 0)).toBe(false);
});

test("a turn that takes long makes calls wait before it ends", () => {
  const { queue } = openQueue();
  queue.recordTurn(0, 100);
  expect(queue.enter(100 + turnTargetMs - 1)).toBeUndefined();
  expect(queue.enter(100 + turnTargetMs)).toBeInstanceOf(Promise);
});

test("calls that wait start in order of arrival, and no later call overtakes them", async () => {
  const loop = openQueue();
  loop.beLate();
  const waiting = 50;
  loop.enter(waiting);
  loop.beOnTime();
  loop.enter(1);
  while (await loop.turn(1));
  expect(loop.order()).toEqual(Array.from({ length: waiting + 1 }, (_, call) => call));
  expect(loop.count("refused")).toBe(0);
  expect(loop.queue.enter(loop.now())).toBeUndefined();
});

test("2,000 simultaneous calls all start, however slow the machine is", async () => {
  const loop = openQueue();
  loop.beLate();
  for (let call = 0; call < 2_000; call += 1) {
    expect(loop.queue.isFull(false, loop.now())).toBe(false);
    loop.enter();
    if (call % 100 === 0) await loop.turn(10 * turnTargetMs);
  }
  while (await loop.turn(10 * turnTargetMs));
  expect(loop.count("started")).toBe(2_000);
});

test("calls start at a lower rate while turns take long, but always some, and at a higher rate while they are short", async () => {
  const loop = openQueue();
  loop.beLate();
  loop.enter(2_000);
  const startedIn = async (turnMs: number) => {
    const before = loop.count("started");
    await loop.turn(turnMs);
    return loop.count("started") - before;
  };
  const atFirst = await startedIn(turnTargetMs / 2);
  expect(atFirst).toBeGreaterThan((firstRate * turnTargetMs) / 2);
  expect(await startedIn(turnTargetMs / 2)).toBeGreaterThan(atFirst);
  for (let turn = 0; turn < 10; turn += 1) await startedIn(turnTargetMs);
  expect(await startedIn(turnTargetMs)).toBe(leastRate * turnTargetMs);
  expect(await startedIn(turnTargetMs - 1)).toBeGreaterThan(leastRate * turnTargetMs);
});

test("no more calls start after a turn that took very long: the next one would be longer still", async () => {
  const loop = openQueue();
  loop.beLate();
  loop.enter(2_000);
  await loop.turn(100 * turnTargetMs);
  expect(loop.count("started")).toBeLessThanOrEqual(firstRate * turnTargetMs);
});

test("the time that refusals take does not lower the rate at which calls start", async () => {
  const loop = openQueue();
  loop.beLate();
  loop.enter(2_000);
  const turnMs = 2 * turnTargetMs - 1;
  for (let call = 0; call <= turnTargetMs / refusalMs; call += 1) loop.queue.countRefusal();
  await loop.turn(turnMs);
  const started = loop.count("started");
  expect(started).toBeGreaterThan(firstRate * turnTargetMs);
  // They count for one turn only.
  await loop.turn(turnMs);
  expect(loop.count("started") - started).toBeLessThan(started);
});

test("a queue that drains refuses none, however many calls pass through it", async () => {
  const loop = openQueue();
  loop.beLate();
  loop.enter();
  for (let call = 0; call < 2 * burstCalls; call += 1) {
    loop.enter();
    await loop.turn(1);
    expect(loop.queue.isFull(false, loop.now() + waitTargetMs)).toBe(false);
  }
});

test("a standing queue is full once a burst has joined it", async () => {
  const loop = openQueue();
  loop.beLate();
  loop.enter(burstCalls / 2);
  await loop.turn(waitTargetMs);
  loop.enter(burstCalls / 2 - 1);
  expect(loop.queue.isFull(false, loop.now())).toBe(false);
  loop.enter();
  expect(loop.queue.length).toBeLessThan(burstCalls);
  expect(loop.queue.isFull(false, loop.now())).toBe(true);
});

test("while calls are being refused a standing queue is full as soon as it is above the target", () => {
  const loop = openQueue();
  loop.beLate();
  loop.enter();
  expect(loop.queue.isFull(true, waitTargetMs - 1)).toBe(false);
  expect(loop.queue.isFull(true, waitTargetMs)).toBe(true);
});

test("no more than a burst waits in memory, however fast it arrived", () => {
  const loop = openQueue();
  loop.beLate();
  loop.enter(burstCalls - 1);
  expect(loop.queue.isFull(false, 0)).toBe(false);
  loop.enter();
  expect(loop.queue.isFull(false, 0)).toBe(true);
});

test("when a flood begins the calls that cannot start in time are refused, the latest first", async () => {
  const loop = openQueue();
  loop.beLate();
  loop.enter(2_000);
  await loop.turn(floodWaitMaxMs / 10);
  const kept = Math.max(leastRate * floodWaitMaxMs, loop.count("started") * 10);
  const waiting = loop.queue.length;
  loop.queue.setFlood(true, loop.now());
  await Promise.resolve();
  expect(loop.queue.length).toBe(kept);
  expect(loop.count("refused")).toBe(waiting - kept);
  expect(Math.min(...loop.callsThat("refused"))).toBe(2_000 - (waiting - kept));
});

test("in a flood a call that has waited too long is refused instead of started", async () => {
  const loop = openQueue();
  loop.queue.setFlood(true, 0);
  loop.beLate();
  loop.enter(3);
  await loop.turn(floodWaitMaxMs + 1);
  expect(loop.count("refused")).toBe(3);
  loop.enter(3);
  await loop.turn(floodWaitMaxMs);
  expect(loop.count("started")).toBe(3);
});

test("without a flood a call waits as long as it takes", async () => {
  const loop = openQueue();
  loop.beLate();
  loop.enter(3);
  await loop.turn(10 * floodWaitMaxMs);
  expect(loop.count("started")).toBe(3);
});
