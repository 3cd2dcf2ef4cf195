// How calls wait for calls of other instances: with one query for all of them, despite failures of the
// database.
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { createAccount } from "@turnpike/accounts";
import { type InstanceId, newId } from "@turnpike/base";
import { type Connection, connectDatabase } from "@turnpike/db";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { createFairQueue } from "../fair-queue.ts";
import { type SharedConnections, shareConnections } from "./share-connections.ts";
import { createRunningWatch } from "./watch-running.ts";

let database: TestDatabase;
let owner: Connection;
let app: Connection;
const instanceId = newId<InstanceId>();
const alive = newId<InstanceId>();
const options = { instanceId, silentMs: 60_000, everyMs: 30 };

beforeAll(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, max: 2 });
  app = connectDatabase({ url: database.url, max: 2 });
  await owner.sql`insert into instances (id, heartbeat_at) values (${alive}, now() + interval '1 day')`;
});
afterAll(async () => {
  await Promise.all([owner.close(), app.close()]);
  await database.drop();
});

/** Inserts rows of calls that run on the other instance; returns their ids in hex. */
async function startCalls(count: number): Promise<string[]> {
  const { accountId } = await createAccount(app.db, { email: `${newId()}@example.com` });
  const names = Array.from({ length: count }, () => newId().replaceAll("-", ""));
  for (const name of names) {
    await owner.sql`
      insert into stored_answers (id, account_id, request_hash, generation_id, instance_id, expires_at)
      values (decode(${name}, 'hex'), ${accountId}, '', ${newId()}, ${alive}, now() + interval '1 day')`;
  }
  return names;
}

const finish = (name: string) =>
  owner.sql`update stored_answers set finished_at = now() where id = decode(${name}, 'hex')`;

/** Watches over connections whose queries are counted. */
function open() {
  const seen = { queries: 0, atOnce: 0, most: 0 };
  const shared = shareConnections(app.sql, createFairQueue(1));
  const runQuery: SharedConnections["runQuery"] = async (payer, query) => {
    seen.queries += 1;
    seen.atOnce += 1;
    seen.most = Math.max(seen.most, seen.atOnce);
    try {
      return await shared.runQuery(payer, query);
    } finally {
      seen.atOnce -= 1;
    }
  };
  return { seen, watch: createRunningWatch({ database: { runQuery }, ...options }) };
}

test("fifty callers wait with one query at a time, and each is notified of its own call", async () => {
  const { seen, watch } = open();
  const names = await startCalls(50);
  const ended: string[] = [];
  const watches = names.map((name) => {
    const watched = watch(name);
    return { ...watched, done: watched.changed.then(() => ended.push(name)) };
  });
  while (seen.queries < 2) await Bun.sleep(10);
  expect(ended).toEqual([]);
  const [first = "", ...others] = names;
  await finish(first);
  await watches[0]?.done;
  expect(ended).toEqual([first]);
  for (const name of others) await finish(name);
  await Promise.all(watches.map(({ done }) => done));
  expect(ended).toHaveLength(50);
  expect(seen.most).toBe(1);
});

test("a caller keeps waiting while the database fails, and is notified of the end afterwards", async () => {
  const { seen, watch } = open();
  const [name = ""] = await startCalls(1);
  await owner.sql`revoke select on stored_answers from turnpike_app`;
  const { changed, unwatch } = watch(name);
  while (seen.queries < 3) await Bun.sleep(10);
  await owner.sql`grant select on stored_answers to turnpike_app`;
  await finish(name);
  await changed;
  unwatch();
});

test("a caller is notified when the database has failed five times", async () => {
  const { seen, watch } = open();
  const [name = ""] = await startCalls(1);
  await owner.sql`revoke select on stored_answers from turnpike_app`;
  expect(await watch(name).changed.catch(String)).toContain("permission denied");
  expect(seen.queries).toBe(5);
  await owner.sql`grant select on stored_answers to turnpike_app`;
});

test("failures count only while there is no success between them", async () => {
  const [name = ""] = await startCalls(1);
  const failures = [true, true, true, true, false, true, true, true, true, false];
  const shared = shareConnections(app.sql, createFairQueue(1));
  const { promise: isDone, resolve: done } = Promise.withResolvers<void>();
  const runQuery: SharedConnections["runQuery"] = async (payer, query) => {
    const fails = failures.shift();
    if (fails === undefined) done();
    if (fails === true) throw new Error("the database does not answer");
    return shared.runQuery(payer, query);
  };
  const watch = createRunningWatch({ database: { runQuery }, ...options });
  const { changed, unwatch } = watch(name);
  // Rejects if eight failures are as bad as five in a row.
  await Promise.race([isDone, changed]);
  await finish(name);
  await changed;
  unwatch();
});

test("once its callers have disconnected there are no more queries", async () => {
  const { seen, watch } = open();
  const names = await startCalls(3);
  for (const name of names) watch(name).unwatch();
  const other = open();
  const { changed, unwatch } = other.watch(names[0] ?? "");
  while (other.seen.queries < 3) await Bun.sleep(10);
  expect(seen.queries).toBe(0);
  await finish(names[0] ?? "");
  await changed;
  unwatch();
});

test("a caller that disconnects does not end the wait of another for the same call", async () => {
  const { seen, watch } = open();
  const [name = ""] = await startCalls(1);
  const [first, second] = [watch(name), watch(name)];
  first.unwatch();
  await finish(name);
  await second.changed;
  // One that disconnects late does not end the wait of those who ask again.
  await owner.sql`update stored_answers set finished_at = null where id = decode(${name}, 'hex')`;
  const third = watch(name);
  second.unwatch();
  const { queries } = seen;
  await finish(name);
  await third.changed;
  expect(seen.queries).toBeGreaterThan(queries);
});

test("a caller checks for itself after a minute, even if the call still runs", async () => {
  const { seen, watch } = open();
  const [name = ""] = await startCalls(1);
  let laterMs = 0;
  const { now } = performance;
  const clock = spyOn(performance, "now").mockImplementation(() => now.call(performance) + laterMs);
  try {
    let hasChanged = false;
    const { changed, unwatch } = watch(name);
    void changed.then(() => {
      hasChanged = true;
    });
    laterMs = 50_000;
    while (seen.queries < 2) await Bun.sleep(10);
    expect(hasChanged).toBe(false);
    laterMs = 60_000;
    await changed;
    unwatch();
  } finally {
    clock.mockRestore();
  }
});

test("nothing waits for a call of this instance, of a dead one, or one that was deleted", async () => {
  const { watch } = open();
  const [own = "", dead = "", gone = ""] = await startCalls(3);
  await owner.sql`update stored_answers set instance_id = ${instanceId} where id = decode(${own}, 'hex')`;
  await owner.sql`update stored_answers set instance_id = ${newId()} where id = decode(${dead}, 'hex')`;
  await owner.sql`delete from stored_answers where id = decode(${gone}, 'hex')`;
  await Promise.all([own, dead, gone].map((name) => watch(name).changed));
});

test("callers wait for a call that has just been charged: its answer may still be on its way", async () => {
  const { seen, watch } = open();
  const names = await startCalls(2);
  const [recent = "", old = ""] = names;
  for (const name of names) {
    await owner.sql`
      insert into requests (account_id, id, state, status, outcome, ended_at)
      select account_id, generation_id, 'settled', 200, 'completed',
             now() - case when id = decode(${old}, 'hex') then interval '2 minutes' else '0' end
        from stored_answers where id = decode(${name}, 'hex')`;
  }
  let hasChanged = false;
  const waited = watch(recent);
  void waited.changed.then(() => {
    hasChanged = true;
  });
  await watch(old).changed;
  while (!hasChanged && seen.queries < 3) await Bun.sleep(10);
  expect(hasChanged).toBe(false);
  await finish(recent);
  await waited.changed;
});
