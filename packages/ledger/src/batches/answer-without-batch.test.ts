// Items of a group-commit queue that are not answered by their batch: each is answered once, before it or after it,
// and what happens to the batch does not concern it. What is rejected is reported, however it is.
import { expect, test } from "bun:test";
import { type GroupCommitOptions, GroupCommitQueue } from "./group-commit-queue.ts";

function openQueue(
  isKnown: (item: string) => boolean,
  own: Partial<GroupCommitOptions<string, string>> = {},
) {
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
    ...own,
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

test("an item whose result is a promise is answered by that, and is in no further batch", async () => {
  const late = Promise.withResolvers<string>();
  const sent: string[][] = [];
  const { queue } = openQueue(() => false, {
    async run(items) {
      sent.push([...items]);
      return items.map((item) => (item === "late" ? late.promise : item));
    },
  });
  const answer = queue.push("late");
  expect(await queue.push("soon")).toBe("soon");
  await queue.settled();
  late.resolve("at last");
  expect(await answer).toBe("at last");
  expect(sent.flat()).toEqual(["late", "soon"]);
});

test("every item that is rejected is reported, also one that the queue has no room for", async () => {
  const rejected: string[] = [];
  const { queue } = openQueue(() => false, {
    queueMax: 2,
    rejected: (item) => void rejected.push(item),
  });
  const ends = await Promise.allSettled(["a", "b", "c"].map((item) => queue.push(item)));
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(rejected.toSorted()).toEqual(["a", "b", "c"]);
});
