// Items that are many or large: they hold up no other call, and an account cannot fill the memory with them.
import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from "bun:test";
import type { AccountId } from "@turnpike/base";
import type { Connection } from "@turnpike/db";
import { createFairQueue } from "../fair-queue.ts";
import type { ItemStoreOptions } from "./item-store.ts";
import { openTestAnswers, type TestAnswers } from "./open-test-answers.fixture.ts";
import { ids, openTestItems, itemText as text } from "./open-test-items.fixture.ts";
import { shareConnections } from "./share-connections.ts";

let answers: TestAnswers;
let app: Connection;
let accountId: AccountId;

beforeAll(async () => {
  answers = await openTestAnswers();
  ({ app } = answers);
});
afterAll(() => answers.close());
beforeEach(async () => {
  accountId = await answers.newAccount();
});

const open = (options: Partial<ItemStoreOptions> = {}) =>
  openTestItems(app.sql, accountId, options);

test("more bytes than a request may have are not read", async () => {
  const { keep, find } = open();
  await keep({ msg_1: text("x".repeat(600)), msg_2: text("x".repeat(600)) });
  expect(await find(ids("msg_1", "msg_2"), undefined, { maxBytes: 1_000 })).toBeUndefined();
  expect(await find(ids("msg_1"), undefined, { maxBytes: 1_000 })).toBeDefined();
});

describe("items of more than 1 MiB together", () => {
  const large = text("x".repeat(900_000));
  const wanted = ids("msg_1", "msg_2");
  const kept = { msg_1: large, msg_2: large };

  test("are counted for their account before they are read", async () => {
    const { keep, find } = open();
    await keep(kept);
    const counted: number[] = [];
    const reserve = (bytes: number) => void counted.push(bytes);
    expect(await find(wanted, undefined, { reserve })).toEqual(kept);
    expect(counted).toHaveLength(1);
    expect(counted[0]).toBeWithin(1_800_000, 2 * 1024 * 1024);
    const openings = spyOn(JSON, "parse");
    const refuse = () => {
      throw new Error("too much");
    };
    await expect(find(wanted, undefined, { reserve: refuse })).rejects.toThrow("too much");
    expect(openings).not.toHaveBeenCalled();
    openings.mockRestore();
  });

  test("are read for one request of an account at a time", async () => {
    const shared = shareConnections(app.sql, createFairQueue(2));
    const reading = { now: 0, most: 0 };
    const { keep, find } = open({
      database: {
        runQuery: (payer, query) =>
          shared.runQuery(payer, async (sql) => {
            const result = await query(sql);
            const isLarge = Array.isArray(result) && result[0]?.sealed instanceof Uint8Array;
            if (!isLarge) return result;
            reading.now += 1;
            reading.most = Math.max(reading.most, reading.now);
            await Bun.sleep(20);
            reading.now -= 1;
            return result;
          }),
      },
    });
    await keep(kept);
    for (const found of await Promise.all([1, 2, 3].map(() => find(wanted)))) {
      expect(found).toEqual(kept);
    }
    expect(reading.most).toBe(1);
  });
});

test("at most 2,000 items of one answer are kept", async () => {
  const { keep, find, notKept } = open();
  const all = numbered(2_001);
  expect(await keep(all)).toBe(false);
  const { msg_2000: _, ...kept } = all;
  expect(await find(ids(...Object.keys(all)))).toEqual(kept);
  expect(notKept).toEqual(["too_large"]);
});

test("many items are encrypted and read in many turns of the event loop", async () => {
  const { keep, find } = open();
  const kept = numbered(1_000);
  const keeping = await mostPerTurn(spyOn(JSON, "stringify"), () => keep(kept));
  expect(keeping.most).toBeWithin(1, 200);
  const finding = await mostPerTurn(spyOn(JSON, "parse"), () => find(ids(...Object.keys(kept))));
  expect(finding.result).toEqual(kept);
  expect(finding.most).toBeWithin(1, 200);
});

function numbered(count: number): Record<string, string> {
  const items = Array.from({ length: count }, (_, n) => [`msg_${n}`, text(`${n}`)]);
  return Object.fromEntries(items);
}

/** How often `spied` is called in one turn of the event loop while `work` runs, at most. */
async function mostPerTurn<Result>(
  spied: ReturnType<typeof spyOn<JSON, "parse" | "stringify">>,
  work: () => Promise<Result>,
) {
  let most = 0;
  const count = () => {
    most = Math.max(most, spied.mock.calls.length);
    spied.mockClear();
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  try {
    return { result: await work(), most };
  } finally {
    clearImmediate(timer);
    spied.mockRestore();
  }
}
