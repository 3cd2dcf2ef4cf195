// The rule that lets tables be spread over a cluster by account: every index that must be unique, every foreign key and
// every join of them has the account's id. `apps/server/test/operations/citus.test.ts` tries them on a cluster.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { type Connection, connectDatabase } from "./connect.ts";
import { distributedTables, distributeTables } from "./distribute-tables.ts";

let database: TestDatabase;
let owner: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
});
afterAll(async () => {
  await owner.close();
  await database.drop();
});

test.each(distributedTables)(
  "what must be unique in %s is unique within an account",
  async (table) => {
    const rows = await owner.sql<{ name: string; first: string }[]>`
    select c.relname as name, (array_agg(a.attname::text order by k.ordinal))[1] as first
      from pg_index i join pg_class c on c.oid = i.indexrelid
      cross join lateral unnest(i.indkey) with ordinality k(attnum, ordinal)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
     where i.indrelid = ${table}::regclass and i.indisunique group by c.relname`;
    expect(rows.length).toBeGreaterThan(0);
    for (const { first } of rows) expect(first).toBe("account_id");
  },
);

test.each(distributedTables)("no foreign key leads to %s or away from it", async (table) => {
  const rows = await owner.sql`
    select conname from pg_constraint
     where contype = 'f' and (conrelid = ${table}::regclass or confrelid = ${table}::regclass)`;
  expect([...rows]).toEqual([]);
});

test("no function in SQL reads them: a cluster cannot plan its parameters", async () => {
  const rows = await owner.sql`
    select proname from pg_proc p join pg_language l on l.oid = p.prolang
     where pronamespace = 'public'::regnamespace and lanname = 'sql'
       and pg_get_functiondef(p.oid) ~ ${`\\m(from|join|into|update)\\s+(${distributedTables.join("|")})\\M`}`;
  expect([...rows]).toEqual([]);
});

test("a database without Citus is refused with what to do", async () => {
  expect(await distributeTables(owner.sql).catch(String)).toContain("run `create extension citus`");
});
