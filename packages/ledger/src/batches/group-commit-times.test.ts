// When an item is tried again, and when no more: by a clock that is set. One that was rejected because it waited too
// long is in no batch after that, because its caller was told that it did not happen.
import { afterAll, expect, spyOn, test } from "bun:test";
import { type GroupCommitOptions, GroupCommitQueue } from "./group-commit-queue.ts";

const realNow = performance.now.bind(performance);
let aheadMs = 0;
const now = spyOn(performance, "now").mockImplementation(() => realNow() + aheadMs);
afterAll(() => now.mockRestore());

const hourMs = 3_600_000;

function openQueue(
  own: Pick<GroupCommitOptions<string, string>, "run"> &
    Partial<GroupCommitOptions<string, string>>,
) {
  return new GroupCommitQueue<string, string>({
    accountOf: (item) => item.slice(0, 1),
    batchMax: 8,
    queueMax: 100,
    sideMax: 1,
    isOutage: () => false,
    ageMaxMs: hourMs,
    classify: () => "whole",
    mayRetry: () => false,
    overflow: () => new Error("too old"),
    queued: () => undefined,
    observe: () => undefined,
    ...own,
  });
}

test("what failed is tried again after 50 ms, and after twice as long each time", async () => {
  const timers = spyOn(globalThis, "setTimeout");
  let tries = 0;
  const queue = openQueue({
    async run(items) {
      tries += 1;
      if (tries < 4) throw new Error("away");
      return items;
    },
    mayRetry: () => true,
  });
  expect(await queue.push("a1")).toBe("a1");
  const pauses = timers.mock.calls.map(([, pauseMs]) => pauseMs);
  timers.mockRestore();
  expect(pauses).toEqual([50, 100, 200]);
});

test("an item that waited too long for a side queue is rejected, and its younger neighbor is run", async () => {
  const aside: string[][] = [];
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const queue = openQueue({
    async run(items, { wait }) {
      // Every account is locked for longer than the main queue tries it again.
      aheadMs += 1_000;
      if (!wait) return items.map(() => "busy");
      aside.push([...items]);
      entered.resolve();
      if (aside.length === 1) await gate.promise;
      return items;
    },
  });
  const first = queue.push("a1");
  await entered.promise;
  const old = queue.push("b1").catch(String);
  aheadMs += hourMs / 2;
  const young = queue.push("b2");
  // Until both wait aside: nothing is left to run in the main queue.
  for (let turns = 0; turns < 50; turns += 1) await Promise.resolve();
  aheadMs += hourMs / 2 + 1_000;
  gate.resolve();
  expect(await first).toBe("a1");
  expect(await old).toBe("Error: too old");
  expect(await young).toBe("b2");
  expect(aside).toEqual([["a1"], ["b2"]]);
  expect(queue.pending).toBe(0);
});
