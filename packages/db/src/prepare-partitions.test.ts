// Partitions of requests: created ahead of time, despite concurrent readers and rows that a process with
// a wrong clock wrote.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { type Connection, connectDatabase } from "./connect.ts";
import { migrate } from "./migrate.ts";
import { preparePartitions } from "./prepare-partitions.ts";

let database: TestDatabase;
let owner: Connection;
let app: Connection;
beforeEach(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, max: 3 });
  app = connectDatabase({ url: database.url, max: 2 });
  // The template may be of an earlier month.
  await preparePartitions(owner.db);
});
afterEach(async () => {
  await Promise.all([owner.close(), app.close()]);
  await database.drop();
});

/** Name of the partition of the month that is `months` after this one. */
function partitionOf(months: number): string {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  return `requests_${month.toISOString().slice(0, 7).replace("-", "_")}`;
}

async function dropPartition(months: number): Promise<void> {
  await owner.sql`drop table ${owner.sql(partitionOf(months))}`;
}

/** Inserts a request as a process whose clock is `months` ahead would. */
async function insertRequest(months: number, days = 3): Promise<string> {
  const [row] = await owner.sql<{ id: string }[]>`
    insert into requests (account_id, id, state, held_nanos, attempts)
    values (gen_random_uuid(),
            uuid7_floor(date_trunc('month', now() at time zone 'utc') at time zone 'utc'
                        + make_interval(months => ${months}, days => ${days})),
            'released', 7, '[{"provider":"test"}]')
    returning id`;
  return row?.id ?? "";
}

async function findRow(id: string) {
  const [row] = await owner.sql<{ partition: string; held_nanos: string }[]>`
    select tableoid::regclass::text as partition, state, held_nanos, attempts
      from requests where id = ${id}`;
  return row;
}

/** Keeps the default partition locked, as a long report does, until it is released. */
async function readForLong() {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const reading = owner.sql.begin(async (transaction) => {
    await transaction`select count(*) from requests`;
    begun.resolve();
    await released.promise;
  });
  await begun.promise;
  return async () => {
    released.resolve();
    await reading;
  };
}

test("rows of a month without a partition are kept, and move into it when it is created", async () => {
  await dropPartition(2);
  const [inMonth, beyond] = [await insertRequest(2), await insertRequest(40)];
  expect(await findRow(inMonth)).toMatchObject({ partition: "requests_default" });
  expect(await preparePartitions(app.db)).toBe(true);
  expect(await findRow(inMonth)).toMatchObject({
    partition: partitionOf(2),
    state: "released",
    held_nanos: "7",
    attempts: [{ provider: "test" }],
  });
  expect(await findRow(beyond)).toMatchObject({ partition: "requests_default" });
});

test("the smallest id of a month moves into it, the smallest of the next month does not", async () => {
  await dropPartition(2);
  await dropPartition(3);
  const [first, next] = [await insertRequest(2, 0), await insertRequest(3, 0)];
  await owner.sql`select ensure_request_partitions(2)`;
  expect(await findRow(first)).toMatchObject({ partition: partitionOf(2) });
  expect(await findRow(next)).toMatchObject({ partition: "requests_default" });
});

test("a row of a future month in the default partition does not prevent a start", async () => {
  await dropPartition(1);
  const id = await insertRequest(1);
  await migrate({ url: database.ownerUrl });
  expect(await findRow(id)).toMatchObject({ partition: partitionOf(1) });
});

test("a partition created later has the constraints, the key and the settings of the others", async () => {
  const describePartition = async (name: string) => {
    const [row] = await owner.sql<Record<string, string>[]>`
      select array_agg(pg_get_constraintdef(k.oid) order by pg_get_constraintdef(k.oid))::text as constraints,
             max(c.reloptions::text) as options, max(pg_get_userbyid(c.relowner)) as owner,
             (select array_agg(attname::text || atttypid::regtype || attnotnull order by attname)::text
                from pg_attribute where attrelid = c.oid and attnum > 0) as columns
        from pg_class c join pg_constraint k on k.conrelid = c.oid and k.contype <> 'n'
       where c.oid = ${name}::regclass group by c.oid`;
    return row;
  };
  const before = await describePartition(partitionOf(3));
  await dropPartition(3);
  await preparePartitions(app.db);
  expect(await describePartition(partitionOf(3))).toEqual(before);
});

test("a long-running reader delays the partitions, but neither the start nor other readers", async () => {
  await dropPartition(1);
  const id = await insertRequest(1);
  const release = await readForLong();
  expect(await preparePartitions(app.db)).toBe(false);
  await migrate({ url: database.ownerUrl });
  expect(await findRow(id)).toMatchObject({ partition: "requests_default" });
  await release();
  expect(await preparePartitions(app.db)).toBe(true);
  expect(await findRow(id)).toMatchObject({ partition: partitionOf(1) });
});

test("a reader that arrives while the partitions wait for another reader is not blocked", async () => {
  await dropPartition(1);
  const release = await readForLong();
  const preparing = preparePartitions(app.db);
  // Its own limit is shorter than the usual lock timeout of two seconds.
  await owner.sql.begin(async (transaction) => {
    await transaction`set local lock_timeout = '1500ms'`;
    expect(await transaction`select count(*)::int as rows from requests`).toHaveLength(1);
  });
  expect(await preparing).toBe(false);
  await release();
});

test("when every partition exists, nothing is locked", async () => {
  const release = await readForLong();
  expect(await preparePartitions(app.db)).toBe(true);
  await release();
});

test("several processes that prepare at the same time create each partition once", async () => {
  await Promise.all([1, 2, 3].map(dropPartition));
  const id = await insertRequest(2);
  const prepared = await Promise.all([1, 2, 3, 4].map(() => preparePartitions(owner.db)));
  expect(prepared).toContain(true);
  expect(await findRow(id)).toMatchObject({ partition: partitionOf(2) });
});
