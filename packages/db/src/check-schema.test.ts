// A role that may not migrate finds out whether the schema fits, and changes nothing.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { lastBeforeRelease } from "./adopt-release.ts";
import { checkSchema, mayMigrate, SchemaUnfit } from "./check-schema.ts";
import { type Connection, connectDatabase } from "./connect.ts";
import { journalBeforeRelease } from "./journal-before-release.fixture.ts";
import { migrate } from "./migrate.ts";
import { schemaVersion } from "./schema-version.ts";

let database: TestDatabase;
let owner: Connection;
beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
});
afterEach(async () => {
  await owner.close();
  await database.drop();
});

async function expectUnfit(message: string): Promise<void> {
  const refused = checkSchema(database.url);
  await expect(refused).rejects.toThrow(SchemaUnfit);
  await expect(refused).rejects.toThrow(message);
}

test("the server's role may migrate neither an empty database nor the owner's tables", async () => {
  expect([await mayMigrate(database.url), await mayMigrate(database.ownerUrl)]).toEqual([
    false,
    true,
  ]);
  await migrate({ url: database.ownerUrl });
  expect([await mayMigrate(database.url), await mayMigrate(database.ownerUrl)]).toEqual([
    false,
    true,
  ]);
});

test("an empty database and one of an earlier version are refused, and the command is named", async () => {
  await expectUnfit("not migrated for this version yet. Run `bun run admin migrate`");
  await migrate({ url: database.ownerUrl });
  await journalBeforeRelease(owner.sql);
  await expectUnfit(`the schema is behind this version (73, needed ${schemaVersion}). Run`);
  await journalBeforeRelease(owner.sql, { number: 71 });
  await expectUnfit(`Check out commit ${lastBeforeRelease.commit}, run`);
});

test("a current schema fits, with other functions it does not", async () => {
  expect(await migrate({ url: database.ownerUrl })).toEqual({ from: undefined, to: schemaVersion });
  await checkSchema(database.url);
  const again = await migrate({ url: database.ownerUrl });
  expect(again).toEqual({ from: schemaVersion, to: schemaVersion });

  await owner.sql`update schema_functions set sha256 = 'other' where name like 'post_movement%'`;
  await expectUnfit("the SQL functions are those of another version. Run `bun run admin migrate`");
  await migrate({ url: database.ownerUrl });
  await checkSchema(database.url);
});

test("FD12: a later schema fits while it serves this version, and not after that", async () => {
  await migrate({ url: database.ownerUrl });
  await owner.sql`
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', ${Date.now()})`;
  await owner.sql`update schema_functions set sha256 = 'later'`;
  await checkSchema(database.url);
  await owner.sql`update schema_state set oldest_served = ${schemaVersion + 1}`;
  await expectUnfit("the schema of a later version");
});
