// Polling keeps one schedule, however often it is started and stopped.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { createAccount } from "@turnpike/accounts";
import { type Connection, connectDatabase, type Db } from "@turnpike/db";
import { createLog } from "@turnpike/telemetry";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { mintApiKey } from "../api-key/mint-api-key.ts";
import { pollKeyChanges } from "./poll-key-changes.ts";

let database: TestDatabase;
let connection: Connection;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase({ url: database.url });
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

const log = createLog({ level: "silent", name: "test" });

test("stopped and started again while a query is running, it queries one at a time", async () => {
  const gate = Promise.withResolvers<void>();
  // The first two may overlap: one is from before the stop, one from after it.
  const counts = { asked: 0, firstLeft: 2, underWay: 0, measured: 0, most: 0 };
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const slow = watchQueries(connection.db, async (query) => {
    counts.asked += 1;
    const isFirst = counts.asked <= 2;
    await gate.promise;
    counts.underWay += 1;
    if (counts.firstLeft === 0) {
      counts.measured += 1;
      counts.most = Math.max(counts.most, counts.underWay);
    }
    await Bun.sleep(5);
    const answer = await query();
    counts.underWay -= 1;
    if (isFirst) counts.firstLeft -= 1;
    if (counts.measured > 10) resolve();
    return answer;
  });
  const poll = pollKeyChanges({ db: slow, log, intervalMs: 1, onChange: () => undefined });
  poll.start();
  poll.stop();
  poll.start();
  expect(counts.asked).toBe(2);
  gate.resolve();
  await enough;
  poll.stop();
  expect(counts.most).toBe(1);
});

test("a key that changed is reported by its id, and nothing once the poll is stopped", async () => {
  const { accountId } = await createAccount(connection.db, { email: "poll@example.com" });
  const key = await mintApiKey(connection.db, { accountId, createdBy: undefined, name: "app" });
  const reported = Promise.withResolvers<string>();
  const poll = pollKeyChanges({
    db: connection.db,
    log,
    intervalMs: 1,
    onChange: reported.resolve,
  });
  poll.start();
  expect(await reported.promise).toBe(key.id);
  poll.stop();

  const gate = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const slow = watchQueries(connection.db, async (query) => {
    await gate.promise;
    const answer = await query();
    answered.resolve();
    return answer;
  });
  const late: string[] = [];
  const stopped = pollKeyChanges({
    db: slow,
    log,
    intervalMs: 60_000,
    onChange: (id) => late.push(id),
  });
  stopped.start();
  stopped.stop();
  gate.resolve();
  await answered.promise;
  await new Promise(setImmediate);
  expect(late).toEqual([]);
});

/** The same database, with something around every query of it. */
function watchQueries(db: Db, around: (query: () => unknown) => unknown): Db {
  return new Proxy(db, {
    get(target, name) {
      if (name !== "execute") return Reflect.get(target, name);
      return (...query: Parameters<Db["execute"]>) => around(() => target.execute(...query));
    },
  });
}
