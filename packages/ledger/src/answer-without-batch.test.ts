// Items of a group-commit queue that need no batch: each is answered once, and what happens to the batch
// that it would have been in does not concern it.
import { expect, test } from "bun:test";
import { GroupCommitQueue } from "./group-commit-queue.ts";

function openQueue(isKnown: (item: string) => boolean) {
  const asked: string[] = [];
  const batches: string[][] = [];
  const queue = new GroupCommitQueue<string, string>({
    async run(items) {
      batches.push([...items]);
      throw new Error("failed");
    },
    answer(item) {
      asked.push(item);
      return isKnown(item) ? "known" : undefined;
    },
    accountOf: () => "account",
    batchMax: 8,
    queueMax: 100,
    sideMax: 1,
    isOutage: () => false,
    ageMaxMs: Number.POSITIVE_INFINITY,
    classify: () => "bad_item",
    mayRetry: () => false,
    overflow: () => new Error("overflow"),
    queued: () => undefined,
    observe: () => undefined,
  });
  return { queue, asked, batches };
}

test("an item that needs no batch is answered once, however its batch ends", async () => {
  const { queue, asked, batches } = openQueue((item) => item === "b");
  const ends = await Promise.allSettled(["a", "b", "c"].map((item) => queue.push(item)));
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
  expect(asked.filter((item) => item === "b")).toHaveLength(1);
  expect(batches[0]).toEqual(["a", "c"]);
  expect(queue.pending).toBe(0);
});

test("an item that becomes known while its batch fails is not sent again with a half of it", async () => {
  const { queue, batches } = openQueue((item): boolean => item === "b" && batches.length > 0);
  const ends = await Promise.allSettled(["a", "b"].map((item) => queue.push(item)));
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(batches).toEqual([["a", "b"], ["a"]]);
});
