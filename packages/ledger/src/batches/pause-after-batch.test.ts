// Pauses between two batches: only where several items share a batch, and never longer than half of what it took.
import { expect, test } from "bun:test";
import { GroupCommitQueue } from "./group-commit-queue.ts";
import { pauseAfterBatch } from "./pause-after-batch.ts";

async function timeOf(pause: Promise<void>): Promise<number> {
  const since = performance.now();
  await pause;
  return performance.now() - since;
}

test("after a batch of several items the queue pauses, at most as long as it may", async () => {
  expect(await timeOf(pauseAfterBatch(2, 20, 40))).toBeGreaterThanOrEqual(9);
  expect(await timeOf(pauseAfterBatch(2, 1_000_000, 10))).toBeLessThan(10_000);
});

test("after a batch of one it does not, nor where no pause was chosen", async () => {
  expect(await timeOf(pauseAfterBatch(1, 1_000_000, 600_000))).toBeLessThan(10_000);
  expect(await timeOf(pauseAfterBatch(2, 1_000_000))).toBeLessThan(10_000);
});

test("what arrives during the pause is one batch", async () => {
  const sizes: number[] = [];
  const queue = new GroupCommitQueue<string, string>({
    async run(items) {
      sizes.push(items.length);
      if (sizes.length === 1) await Bun.sleep(200);
      return items;
    },
    pauseMaxMs: 100,
    accountOf: (item) => item,
    batchMax: 8,
    queueMax: 100,
    sideMax: 1,
    ageMaxMs: Number.POSITIVE_INFINITY,
    isOutage: () => false,
    classify: () => "whole",
    mayRetry: () => false,
    overflow: () => new Error("overflow"),
    queued: () => undefined,
    observe: () => undefined,
  });
  await Promise.all([queue.push("a"), queue.push("b")]);
  const third = queue.push("c");
  await Bun.sleep(1);
  expect(await Promise.all([third, queue.push("d")])).toEqual(["c", "d"]);
  expect(sizes).toEqual([2, 2]);
});
