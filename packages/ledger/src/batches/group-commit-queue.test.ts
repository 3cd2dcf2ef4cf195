import { describe, expect, test } from "bun:test";
import {
  type BatchFailure,
  type GroupCommitOptions,
  GroupCommitQueue,
} from "./group-commit-queue.ts";

type Item = { readonly account: string; readonly value: number };
type Attempt = { readonly wait: boolean };
type Batch = { readonly items: readonly Item[]; readonly attempt: Attempt };

class Failure extends Error {
  constructor(readonly kind: BatchFailure) {
    super(kind);
  }
}

/** A queue whose batches are run by `run`; every batch it was given is in `batches`. */
function openQueue(
  run: (items: readonly Item[], attempt: Attempt) => Promise<readonly (number | "busy")[]>,
  changes: Partial<GroupCommitOptions<Item, number>> = {},
) {
  const batches: Batch[] = [];
  const queue = new GroupCommitQueue<Item, number>({
    run: (items, attempt) => {
      batches.push({ items, attempt });
      return run(items, attempt);
    },
    accountOf: (item) => item.account,
    batchMax: 8,
    queueMax: 100,
    sideMax: 2,
    isOutage: () => false,
    ageMaxMs: Number.POSITIVE_INFINITY,
    classify: (error) => (error instanceof Failure ? error.kind : "bad_item"),
    mayRetry: () => false,
    overflow: () => new Error("overflow"),
    queued: () => undefined,
    observe: () => undefined,
    ...changes,
  });
  return { queue, batches };
}
const double = async (items: readonly Item[]) => items.map((item) => item.value * 2);
const itemsOf = (count: number, account = "a"): Item[] =>
  Array.from({ length: count }, (_, value) => ({ account, value }));

function pushAll(queue: GroupCommitQueue<Item, number>, items: readonly Item[]) {
  return Promise.allSettled(items.map((item) => queue.push(item)));
}

function valuesOf(results: readonly PromiseSettledResult<number>[]): (number | string)[] {
  return results.map((result) =>
    result.status === "fulfilled" ? result.value : String(result.reason.message),
  );
}

describe("batches", () => {
  test("each batch reports how long its oldest item waited, even if all of its items are too old", async () => {
    const waits: number[] = [];
    const gate = Promise.withResolvers<void>();
    const run = async (items: readonly Item[]) => {
      await gate.promise;
      return double(items);
    };
    const queued = (waitMs: number) => void waits.push(waitMs);
    const ageMaxMs = 500;
    const { queue } = openQueue(run, { batchMax: 1, ageMaxMs, queued });
    const pushed = pushAll(queue, itemsOf(2));
    const since = performance.now();
    while (performance.now() - since <= ageMaxMs) await Bun.sleep(1);
    gate.resolve();
    expect(valuesOf(await pushed)).toEqual([0, "overflow"]);
    expect(waits).toHaveLength(2);
    expect(waits[1]).toBeGreaterThan(ageMaxMs);
  });

  test("items pushed in one tick share a batch, and each gets its own result", async () => {
    const { queue, batches } = openQueue(double);
    expect(valuesOf(await pushAll(queue, itemsOf(5)))).toEqual([0, 2, 4, 6, 8]);
    expect(batches.map(({ items }) => items.length)).toEqual([5]);
  });

  test("while a batch is in flight the next one fills, up to its limit", async () => {
    const first = Promise.withResolvers<void>();
    const { queue, batches } = openQueue(async (items) => {
      if (batches.length === 1) await first.promise;
      return double(items);
    });
    const early = queue.push({ account: "a", value: 1 });
    await Promise.resolve();
    const later = pushAll(queue, itemsOf(11));
    first.resolve();
    expect(await early).toBe(2);
    expect(valuesOf(await later)).toEqual(itemsOf(11).map((item) => item.value * 2));
    expect(batches.map(({ items }) => items.length)).toEqual([1, 8, 3]);
  });

  test("a queue runs an item pushed at the moment its last batch ends", async () => {
    const { queue } = openQueue(double);
    for (let value = 0; value < 200; value++) {
      const chained = queue
        .push({ account: "a", value })
        .then((result) => queue.push({ account: "a", value: result }));
      expect(await chained).toBe(value * 4);
    }
  });

  test("when it is drained, nothing waits and nothing is in flight", async () => {
    const gate = Promise.withResolvers<void>();
    const { queue } = openQueue(async (items) => {
      await gate.promise;
      return double(items);
    });
    await queue.settled();
    const pushed = pushAll(queue, itemsOf(3));
    let drained = false;
    const settled = queue.settled().then(() => {
      drained = true;
    });
    await Bun.sleep(0);
    expect(drained).toBe(false);
    expect(queue.pending).toBe(3);
    gate.resolve();
    await Promise.all([settled, pushed]);
    expect(queue.pending).toBe(0);
  });
});

describe("bounds", () => {
  test("a full queue rejects immediately, and accepts items again when it has room", async () => {
    const gate = Promise.withResolvers<void>();
    const { queue } = openQueue(
      async (items) => {
        await gate.promise;
        return double(items);
      },
      { queueMax: 3 },
    );
    const pushed = pushAll(queue, itemsOf(5));
    gate.resolve();
    expect(valuesOf(await pushed)).toEqual([0, 2, 4, "overflow", "overflow"]);
    expect(await queue.push({ account: "a", value: 7 })).toBe(14);
  });

  test("an item that waited too long is refused instead of tried", async () => {
    const gate = Promise.withResolvers<void>();
    const { queue, batches } = openQueue(
      async (items) => {
        await gate.promise;
        return double(items);
      },
      { ageMaxMs: 20 },
    );
    const first = queue.push({ account: "a", value: 1 });
    await Promise.resolve();
    const late = pushAll(queue, itemsOf(3));
    await Bun.sleep(25);
    gate.resolve();
    expect(await first).toBe(2);
    expect(valuesOf(await late)).toEqual(["overflow", "overflow", "overflow"]);
    expect(batches).toHaveLength(1);
  });

  test("an item whose answer was lost is rejected with that error, not as untried", async () => {
    const { queue } = openQueue(() => Promise.reject(new Failure("unknown")), {
      ageMaxMs: 1_000,
      mayRetry: (_failure, _item, { failures }) => failures < 2,
    });
    await expect(queue.push({ account: "a", value: 1 })).rejects.toThrow("unknown");
  });
});

describe("locked accounts", () => {
  test("a lock that is released soon costs only another batch", async () => {
    let locked = 3;
    const { queue, batches } = openQueue(async (items) =>
      items.map((item) => (item.account === "hot" && locked-- > 0 ? "busy" : item.value)),
    );
    expect(await queue.push({ account: "hot", value: 5 })).toBe(5);
    expect(batches.every(({ attempt }) => !attempt.wait)).toBe(true);
    expect(batches).toHaveLength(4);
  });

  test("a lock that stays moves its account to a side queue, and no other account", async () => {
    const unlocked = Promise.withResolvers<void>();
    const { queue, batches } = openQueue(async (items, { wait }) => {
      if (wait) await unlocked.promise;
      return items.map((item) => (item.account === "locked" && !wait ? "busy" : item.value));
    });
    const blocked = pushAll(queue, itemsOf(3, "locked"));
    expect(valuesOf(await pushAll(queue, itemsOf(20, "free")))).toEqual(
      itemsOf(20).map((item) => item.value),
    );
    while (!batches.some(({ attempt }) => attempt.wait))
      await queue.push({ account: "b", value: 1 });
    expect(valuesOf(await pushAll(queue, itemsOf(20, "free")))).toHaveLength(20);
    unlocked.resolve();
    expect(valuesOf(await blocked)).toEqual([0, 1, 2]);
    const aside = batches.filter(({ attempt }) => attempt.wait).flatMap(({ items }) => items);
    expect(new Set(aside.map((item) => item.account))).toEqual(new Set(["locked"]));
  });

  test("more locked accounts than side queues take turns, and none is forgotten", async () => {
    let waiting = 0;
    let most = 0;
    const { queue } = openQueue(async (items, { wait }) => {
      if (!wait) return items.map(() => "busy" as const);
      most = Math.max(most, ++waiting);
      await Bun.sleep(1);
      waiting -= 1;
      return double(items);
    });
    const items = Array.from({ length: 60 }, (_, value) => ({ account: `a${value % 12}`, value }));
    expect(valuesOf(await pushAll(queue, items))).toEqual(items.map((item) => item.value * 2));
    expect(most).toBe(2);
  });

  test("an account still locked in its side queue is tried again there", async () => {
    let left = 5;
    const { queue } = openQueue(async (items, { wait }) =>
      items.map((item) => (wait && left-- <= 0 ? item.value : "busy")),
    );
    expect(await queue.push({ account: "a", value: 3 })).toBe(3);
  });
});

describe("failures", () => {
  test.each(["bad_item", "unclear"] as const)("%s: halving finds the item", async (kind) => {
    const { queue, batches } = openQueue(async (items) => {
      if (items.some((item) => item.value === 5)) throw new Failure(kind);
      return double(items);
    });
    expect(valuesOf(await pushAll(queue, itemsOf(8)))).toEqual([0, 2, 4, 6, 8, kind, 12, 14]);
    expect(batches.length).toBeLessThanOrEqual(7);
  });

  test("a batch that failed as a whole is not halved; each of its items is classified", async () => {
    const { queue, batches } = openQueue(() => Promise.reject(new Failure("whole")));
    expect(valuesOf(await pushAll(queue, itemsOf(4)))).toEqual(Array(4).fill("whole"));
    expect(batches).toHaveLength(1);
  });

  test("items whose answer was lost are tried again", async () => {
    let calls = 0;
    const { queue, batches } = openQueue(
      async (items) => {
        calls += 1;
        if (calls === 1) throw new Failure("unknown");
        return double(items);
      },
      { mayRetry: () => true },
    );
    expect(valuesOf(await pushAll(queue, itemsOf(3)))).toEqual([0, 2, 4]);
    expect(batches).toHaveLength(2);
  });

  test("mayRetry is called with how often the item has failed", async () => {
    const asked: number[] = [];
    const { queue, batches } = openQueue(() => Promise.reject(new Failure("whole")), {
      mayRetry: (_failure, _item, { failures }) => asked.push(failures) < 3,
    });
    expect(valuesOf(await pushAll(queue, itemsOf(1)))).toEqual(["whole"]);
    expect(asked).toEqual([1, 2, 3]);
    expect(batches).toHaveLength(3);
  });

  test("it is settled when the last item has ended, not when all but one have", async () => {
    const gates = new Map(["a", "b"].map((name) => [name, Promise.withResolvers<void>()]));
    const { queue } = openQueue(
      async (items) => {
        await gates.get(items[0]?.account ?? "")?.promise;
        return double(items);
      },
      { batchMax: 1 },
    );
    const ends = ["a", "b"].map((account) => queue.push({ account, value: 1 }));
    let settled = false;
    const settling = queue.settled().then(() => {
      settled = true;
    });
    gates.get("a")?.resolve();
    await ends[0];
    await Bun.sleep(0);
    expect([settled, queue.pending]).toEqual([false, 1]);
    gates.get("b")?.resolve();
    await settling;
    expect(queue.pending).toBe(0);
  });

  test("a batch that leaves items unanswered rejects those instead of losing them", async () => {
    const { queue } = openQueue(async (items) => items.slice(1).map((item) => item.value));
    expect(valuesOf(await pushAll(queue, itemsOf(3)))).toEqual([
      1,
      2,
      "the batch left an item unanswered",
    ]);
    expect(queue.pending).toBe(0);
  });
});
