// The room that stored answers of an account may take up, against PostgreSQL: a share for each kind, not
// counting expired rows, and summed up rarely, however many answers are stored.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import type { Connection } from "@turnpike/db";
import { createLog } from "@turnpike/telemetry";
import { createFairQueue } from "../fair-queue.ts";
import { openTestAnswers, type TestAnswers } from "./open-test-answers.fixture.ts";
import { cacheNameBytes, itemNameBytes } from "./seal-answer.ts";
import { type SharedConnections, shareConnections } from "./share-connections.ts";
import { createStoredRoom, type Room, type Share } from "./stored-room.ts";

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

const lengths = { once: cacheNameBytes - 1, cached: cacheNameBytes, items: itemNameBytes };

/** A row of `bytes` bytes, or of a running call. */
async function insert(share: Share, bytes: number | null, expired = false): Promise<void> {
  const id = Buffer.alloc(lengths[share], newId());
  await owner.sql`
    insert into stored_answers
           (id, account_id, request_hash, generation_id, instance_id, expires_at, sealed)
    values (${id}, ${accountId}, '', ${newId()}, ${newId()},
            now() + ${expired ? -1 : 1} * interval '1 hour',
            convert_to(repeat('x', ${bytes}::int), 'UTF8'))`;
}

const countRows = async () => {
  const [row] = await owner.sql`
    select count(*)::int as rows from stored_answers where account_id = ${accountId}`;
  return Number(row?.rows);
};

const max = {
  once: { rows: 100, bytes: 1_000 },
  cached: { rows: 10, bytes: 500 },
  items: { rows: 10, bytes: 200 },
};

/** With the test's own clock, counting its queries. */
function open() {
  const seen = { queries: 0, nowMs: 0 };
  const shared = shareConnections(app.sql, createFairQueue(1));
  const runQuery: SharedConnections["runQuery"] = (payer, query) => {
    seen.queries += 1;
    return shared.runQuery(payer, query);
  };
  const log = createLog({ level: "silent", name: "test" });
  const room = createStoredRoom({ database: { runQuery }, log, max, nowMs: () => seen.nowMs });
  const take = (share: Share, bytes: number, rows = 0) =>
    room.take(accountId, share, { rows, bytes });
  return { seen, room, take };
}

test("the room of one kind of row does not reduce that of the others", async () => {
  await insert("cached", 500);
  await insert("once", 300);
  await insert("items", 150);
  const { take } = open();
  expect(await take("cached", 1)).toBe(false);
  expect(await take("once", 701)).toBe(false);
  expect(await take("once", 700)).toBe(true);
  expect(await take("items", 51)).toBe(false);
  expect(await take("items", 50)).toBe(true);
});

test("rows are bounded, including those without an answer", async () => {
  for (let row = 0; row < 9; row += 1) await insert("cached", null);
  const { room, take } = open();
  expect(await take("cached", 0, 1)).toBe(true);
  expect(await take("cached", 0, 1)).toBe(false);
  room.giveBack(accountId, "cached", { rows: 1, bytes: 0 });
  expect(await take("cached", 0, 1)).toBe(true);
});

test("expired rows are deleted and take up nothing", async () => {
  await insert("once", 1_000, true);
  await insert("once", 400);
  const { take } = open();
  expect(await take("once", 600)).toBe(true);
  expect(await countRows()).toBe(1);
});

test("any number of answers cost one query, and a full share one every half minute", async () => {
  await insert("once", 100);
  const { seen, take } = open();
  const taken = await Promise.all(Array.from({ length: 900 }, () => take("once", 1)));
  expect(taken).not.toContain(false);
  expect(seen.queries).toBe(1);
  seen.nowMs += 30_000;
  for (let answer = 0; answer < 50; answer += 1) expect(await take("once", 1)).toBe(false);
  expect(seen.queries).toBe(1);
  // None of them was stored in the end.
  seen.nowMs += 1;
  expect(await take("once", 800)).toBe(true);
  expect(await take("once", 800)).toBe(false);
  expect(seen.queries).toBe(2);
});

test("answers that other processes store are counted after a while", async () => {
  const { seen, take } = open();
  expect(await take("once", 1)).toBe(true);
  await insert("once", 1_000);
  expect(await take("once", 1)).toBe(true);
  seen.nowMs += 601_000;
  expect(await take("once", 1)).toBe(false);
});

const mebibyte = 1024 * 1024;
const shares: readonly (readonly [Share, Room])[] = [
  ["once", { rows: 250_000, bytes: 64 * mebibyte }],
  ["cached", { rows: 50_000, bytes: 64 * mebibyte }],
  ["items", { rows: 250_000, bytes: 128 * mebibyte }],
];

test.each(shares)(
  "the share of %s is full with so many rows or bytes, not earlier",
  async (share, all) => {
    const log = createLog({ level: "silent", name: "test" });
    const database = shareConnections(app.sql, createFairQueue(1));
    const room = createStoredRoom({ database, log });
    expect(await room.take(accountId, share, all)).toBe(true);
    for (const more of [
      { rows: 1, bytes: 0 },
      { rows: 0, bytes: 1 },
    ]) {
      expect(await room.take(accountId, share, more)).toBe(false);
    }
  },
);

test("two concurrent answers do not both get the last room", async () => {
  const { room } = open();
  const both = [800, 800].map((bytes) => room.take(accountId, "once", { rows: 1, bytes }));
  expect(await Promise.all(both)).toEqual([true, false]);
});

test("a database that does not respond does not keep an answer from being stored", async () => {
  const log = createLog({ level: "silent", name: "test" });
  const runQuery: SharedConnections["runQuery"] = () => Promise.reject(new Error("down"));
  const room = createStoredRoom({ database: { runQuery }, log, max });
  expect(await room.take(accountId, "once", { rows: 1, bytes: 10 })).toBe(true);
});

test("a sum that could not be read is read again in half a minute, not only when it would be stale", async () => {
  await insert("once", 1_000);
  const shared = shareConnections(app.sql, createFairQueue(1));
  const seen = { queries: 0, nowMs: 0, isDown: true };
  const runQuery: SharedConnections["runQuery"] = (payer, query) => {
    seen.queries += 1;
    return seen.isDown ? Promise.reject(new Error("down")) : shared.runQuery(payer, query);
  };
  const log = createLog({ level: "silent", name: "test" });
  const room = createStoredRoom({ database: { runQuery }, log, max, nowMs: () => seen.nowMs });
  const take = () => room.take(accountId, "once", { rows: 1, bytes: 10 });
  expect(await take()).toBe(true);
  seen.isDown = false;
  seen.nowMs += 30_000;
  expect(await take()).toBe(true);
  expect(seen.queries).toBe(1);
  seen.nowMs += 1;
  expect(await take()).toBe(false);
  expect(seen.queries).toBe(2);
});
