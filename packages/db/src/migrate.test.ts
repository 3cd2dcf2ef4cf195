import { afterAll, beforeAll, expect, test } from "bun:test";
import { untilHourHasRoom } from "@turnpike/testing";
import { type Connection, connectDatabase } from "./connect.ts";
import { migrate } from "./migrate.ts";

const clusterUrl = process.env.TEST_DATABASE_URL ?? "";
const name = `migrated_${crypto.randomUUID().replaceAll("-", "")}`;
const url = Object.assign(new URL(clusterUrl), { pathname: `/${name}` }).href;

let cluster: Connection;
let database: Connection;
beforeAll(async () => {
  // Tests expect the partitions of the month in which it was migrated.
  await untilHourHasRoom(120_000);
  cluster = connectDatabase({ url: clusterUrl, max: 1 });
  await cluster.sql`create database ${cluster.sql(name)}`;
  database = connectDatabase({ url, max: 1 });
  // Every test here looks at the result of two that start at the same time on an empty database.
  await Promise.all([migrate({ url }), migrate({ url })]);
});
afterAll(async () => {
  await database.close();
  await cluster.sql`drop database ${cluster.sql(name)} with (force)`;
  await cluster.close();
});

async function appliedMigrations(): Promise<string[]> {
  const rows = await database.sql<{ hash: string }[]>`
    select hash from drizzle.__drizzle_migrations order by id`;
  return rows.map((row) => row.hash);
}

/** The partitions of requests, by name. */
async function partitions(): Promise<string[]> {
  const rows = await database.sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'requests'::regclass order by 1`;
  return rows.map((row) => row.name);
}

function monthAhead(months: number): string {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  return `requests_${month.toISOString().slice(0, 7).replace("-", "_")}`;
}

test("two that start at the same time on an empty database apply every migration once", async () => {
  const applied = await appliedMigrations();
  expect(applied.length).toBeGreaterThan(0);
  expect(new Set(applied).size).toBe(applied.length);
});

test("migrating again changes nothing", async () => {
  const before = [await appliedMigrations(), await partitions()];
  await migrate({ url });
  expect([await appliedMigrations(), await partitions()]).toEqual(before);
});

test("the partitions of this month and the next three exist, and a default partition", async () => {
  expect(await partitions()).toEqual([...[0, 1, 2, 3].map(monthAhead), "requests_default"]);
});

test("a request is stored in the partition of the month its id was created in", async () => {
  const later = monthAhead(2);
  const [month] = await database.sql<{ id: string }[]>`
    select uuid7_floor(date_trunc('month', now() at time zone 'utc') at time zone 'utc'
                       + interval '2 months 3 days')::text as id`;
  const account = crypto.randomUUID();
  for (const id of [Bun.randomUUIDv7(), month?.id ?? ""]) {
    await database.sql`insert into requests (account_id, id, state) values (${account}, ${id}, 'refused')`;
  }
  const rows = await database.sql<{ partition: string }[]>`
    select tableoid::regclass::text as partition from requests where account_id = ${account} order by id`;
  expect(rows.map((row) => row.partition)).toEqual([monthAhead(0), later]);
});

test("a statement with account and id reads one partition", async () => {
  const rows = await database.sql.unsafe<{ "QUERY PLAN": string }[]>(
    `explain select * from requests where account_id = '${crypto.randomUUID()}' and id = '${Bun.randomUUIDv7()}'`,
  );
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan.match(/requests_\w+/g)?.every((used) => used.startsWith(monthAhead(0)))).toBe(true);
});
