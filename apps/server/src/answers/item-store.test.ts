// The items that requests refer to, against PostgreSQL: only the key that received them reads them, they are
// encrypted, they expire, and a store that is full or down fails nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import type { Connection } from "@turnpike/db";
import { createLog } from "@turnpike/telemetry";
import { createFairQueue } from "../fair-queue.ts";
import type { ItemStoreOptions } from "./item-store.ts";
import { openTestAnswers, type TestAnswers } from "./open-test-answers.fixture.ts";
import { ids, openTestItems, itemText as text } from "./open-test-items.fixture.ts";
import { shareConnections } from "./share-connections.ts";
import { createStoredRoom, storedMax } from "./stored-room.ts";

let answers: TestAnswers;
let owner: Connection;
let app: Connection;
let accountId: AccountId;

beforeAll(async () => {
  answers = await openTestAnswers();
  ({ owner, app } = answers);
});
afterAll(() => answers.close());
beforeEach(async () => {
  accountId = await answers.newAccount();
});

const log = createLog({ level: "silent", name: "test" });
const open = (options: Partial<ItemStoreOptions> = {}) =>
  openTestItems(app.sql, accountId, options);

test("items are found by every process of the same key, and by no other key", async () => {
  const kept = { msg_1: text("one"), rs_1: text("two") };
  expect(await open().keep(kept)).toBe(true);
  expect(await open().find(ids("msg_1", "rs_1", "msg_2"))).toEqual(kept);
  expect(await open().find(ids("msg_1"), "sk-two")).toEqual({});
});

test("neither the text nor the id of an item is in its row", async () => {
  await open().keep({ msg_secret: text("confidential") });
  const [row] = await owner.sql`
    select encode(string_agg(s::text::bytea, ''), 'escape') || coalesce(
             encode(string_agg(sealed, ''), 'escape'), '') as stored
      from stored_answers s where account_id = ${accountId}`;
  expect(String(row?.stored).length).toBeGreaterThan(100);
  expect(row?.stored).not.toContain("secret");
  expect(row?.stored).not.toContain("confidential");
});

test("an item is kept for a day, and again for a day when its answer is repeated", async () => {
  const lifetime = async () => {
    const [row] = await owner.sql<{ seconds: number }[]>`
      select extract(epoch from expires_at - now())::float8 as seconds
        from stored_answers where account_id = ${accountId}`;
    return row?.seconds ?? 0;
  };
  const { keep, find } = open();
  await keep({ msg_1: text("one") });
  expect(await lifetime()).toBeGreaterThan(86_300);
  expect(await lifetime()).toBeLessThanOrEqual(86_400);
  await owner.sql`update stored_answers set expires_at = now() + interval '1 minute'`;
  await keep({ msg_1: text("one") });
  expect(await lifetime()).toBeGreaterThan(86_300);
  await owner.sql`update stored_answers set expires_at = now()`;
  expect(await find(ids("msg_1"))).toEqual({});
});

test("a repeated answer writes none of its items that live for more than twelve hours", async () => {
  const rows = () => owner.sql<{ version: string; hours: number }[]>`
    select xmin || ' ' || xmax as version,
           extract(epoch from expires_at - now())::float8 / 3600 as hours
      from stored_answers where account_id = ${accountId} order by ctid`;
  const expireIn = (hours: number) => owner.sql`
    update stored_answers set expires_at = now() + ${hours}::float8 * interval '1 hour'
     where account_id = ${accountId}`;
  const items = { msg_1: text("one"), msg_2: text("two") };
  const { keep, find } = open();
  await keep(items);
  await expireIn(12.5);
  const before = await rows();
  expect(await keep(items)).toBe(true);
  expect(await rows()).toMatchObject(before.map(({ version }) => ({ version })));
  expect(await keep({ ...items, msg_3: text("three") })).toBe(true);
  expect((await rows()).map(({ hours }) => hours > 23)).toEqual([false, false, true]);
  await expireIn(11.5);
  expect(await keep(items)).toBe(true);
  expect((await rows()).filter(({ hours }) => hours > 23)).toHaveLength(2);
  expect(await find(ids("msg_1", "msg_2"))).toEqual(items);
});

test("an id that a provider gave to two different items resolves to neither until both are gone", async () => {
  const { keep, find } = open();
  await keep({ msg_1: text("one"), msg_2: text("other") });
  await keep({ msg_1: text("another") });
  await keep({ msg_1: text("one") });
  expect(await find(ids("msg_1", "msg_2"))).toEqual({ msg_2: text("other") });
  await owner.sql`update stored_answers set expires_at = now()`;
  await keep({ msg_1: text("new") });
  expect(await find(ids("msg_1"))).toEqual({ msg_1: text("new") });
});

test("an item of more than 1 MiB is not kept, the others of its answer are", async () => {
  const { keep, find, notKept } = open();
  const large = text("x".repeat(1024 * 1024));
  expect(await keep({ msg_1: large, msg_2: text("small") })).toBe(false);
  expect(await find(ids("msg_1", "msg_2"))).toEqual({ msg_2: text("small") });
  expect(notKept).toEqual(["too_large"]);
});

test("an account without room keeps nothing more", async () => {
  const { keep, find, notKept } = open({
    room: { take: async () => false, giveBack: () => undefined },
  });
  expect(await keep({ msg_1: text("one") })).toBe(false);
  expect(await find(ids("msg_1"))).toEqual({});
  expect(notKept).toEqual(["full"]);
});

test("an answer that is repeated takes no more room", async () => {
  const shared = shareConnections(app.sql, createFairQueue(1));
  const max = { ...storedMax, items: { rows: 4, bytes: 1_000 } };
  const { keep } = open({ room: createStoredRoom({ database: shared, log, max }) });
  const repeated = { msg_1: text("one"), msg_2: text("two") };
  await keep({ msg_1: text("one") });
  for (let times = 0; times < 3; times += 1) expect(await keep(repeated)).toBe(true);
  expect(await keep({ msg_3: text("three"), msg_4: text("four") })).toBe(true);
  expect(await keep({ msg_5: text("five") })).toBe(false);
});

test("a database that fails keeps nothing, and the room is given back", async () => {
  const rooms: number[] = [];
  const { keep, notKept } = open({
    database: { runQuery: () => Promise.reject(new Error("down")) },
    room: {
      take: async (_account, _share, { bytes }) => rooms.push(bytes) > 0,
      giveBack: (_account, _share, { bytes }) => void rooms.push(-bytes),
    },
  });
  expect(await keep({ msg_1: text("one") })).toBe(false);
  expect(rooms.reduce((sum, bytes) => sum + bytes, 0)).toBe(0);
  expect(rooms).toHaveLength(2);
  expect(notKept).toEqual(["failed"]);
});

describe("a database that does not answer", () => {
  const never = () => new Promise<never>(() => undefined);
  const other = newId<AccountId>();

  test("delays the end of an answer by two seconds at most, and then of none for ten seconds", async () => {
    const seen = { queries: 0, nowMs: 0 };
    const { keep, notKept } = open({
      database: {
        runQuery: (_payer, query) => {
          seen.queries += 1;
          query(app.sql).catch(() => undefined);
          return never();
        },
      },
      room: { take: async () => true, giveBack: () => undefined },
      nowMs: () => seen.nowMs,
    });
    expect(await keep({ msg_1: text("one") })).toBe(false);
    seen.nowMs += 9_999;
    expect(await keep({ msg_2: text("two") })).toBe(false);
    expect(await keep({ msg_3: text("three") }, { accountId: other })).toBe(false);
    expect([seen.queries, ...notKept]).toEqual([1, "late", "paused", "paused"]);
    seen.nowMs += 1;
    expect(await keep({ msg_1: text("one") })).toBe(false);
    expect([seen.queries, ...notKept]).toEqual([2, "late", "paused", "paused", "late"]);
  });

  test("to an account that waits for its turn keeps no other account from storing", async () => {
    const shared = shareConnections(app.sql, createFairQueue(1));
    const { keep, notKept } = open({
      database: {
        runQuery: (payer, query) => (payer === other ? never() : shared.runQuery(payer, query)),
      },
      room: { take: async () => true, giveBack: () => undefined },
      nowMs: () => 0,
    });
    for (const _ of [1, 2]) {
      expect(await keep({ msg_1: text("one") }, { accountId: other })).toBe(false);
    }
    expect(await keep({ msg_1: text("one") })).toBe(true);
    expect(notKept).toEqual(["late", "paused"]);
  });
});
