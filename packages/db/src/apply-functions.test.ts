// The functions in drizzle/functions/: a database gets each text that changed, and no other.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import {
  copyMigrations,
  createTestDatabase,
  type MigrationsCopy,
  type TestDatabase,
} from "@turnpike/testing";
import { type Connection, connectDatabase } from "./connect.ts";
import { migrate } from "./migrate.ts";

let database: TestDatabase;
let owner: Connection;
let copy: MigrationsCopy;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  copy = await copyMigrations();
});
afterAll(async () => {
  await owner.close();
  await database.drop();
  await copy.remove();
});

const runMigrations = () => migrate({ url: database.ownerUrl, migrationsFolder: copy.folder });

async function queryApplied(): Promise<Map<string, string>> {
  const rows = await owner.sql<{ name: string; version: string }[]>`
    select name, xmin::text || ' ' || applied_at as version from schema_functions`;
  return new Map(rows.map((row) => [row.name, row.version]));
}

test("only a function whose text changed is applied again", async () => {
  await runMigrations();
  const before = await queryApplied();
  expect([...before.keys()]).toContain("charge_calls.sql");

  await runMigrations();
  expect(await queryApplied()).toEqual(before);

  const file = join(copy.folder, "functions/charge_calls.sql");
  const text = await Bun.file(file).text();
  await Bun.write(file, text.replace("BEGIN\n", "BEGIN\n  -- changed by a test\n"));
  await runMigrations();
  const after = await queryApplied();
  const changed = [...after].filter(([name, version]) => before.get(name) !== version);
  expect(changed.map(([name]) => name)).toEqual(["charge_calls.sql"]);
  const [row] = await owner.sql<{ source: string }[]>`
    select prosrc as source from pg_proc where proname = 'charge_calls'`;
  expect(row?.source).toContain("changed by a test");
});

test("a function that is new is there before those that call it are changed", async () => {
  await runMigrations();
  // Both are behind `charge_calls.sql` in the alphabet.
  await Bun.write(
    join(copy.folder, "functions/zz_new.sql"),
    "CREATE FUNCTION zz_new() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$;",
  );
  const file = join(copy.folder, "functions/charge_calls.sql");
  const text = await Bun.file(file).text();
  await Bun.write(file, text.replace("BEGIN\n", "BEGIN\n  PERFORM zz_new();\n"));
  await runMigrations();
  const newest = await owner.sql<{ name: string }[]>`
    select name from schema_functions order by applied_at desc limit 2`;
  expect(newest.map(({ name }) => name)).toEqual(["charge_calls.sql", "zz_new.sql"]);
});
