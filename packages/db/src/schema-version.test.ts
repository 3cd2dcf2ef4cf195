// No migration leaves a live instance behind that cannot follow, unless told to, and no version starts on a
// schema that it cannot serve.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { type Connection, connectDatabase } from "./connect.ts";
import { journalBeforeRelease } from "./journal-before-release.fixture.ts";
import { migrate } from "./migrate.ts";
import {
  MigrationRefused,
  oldestServed,
  queryAppliedVersion,
  schemaVersion,
} from "./schema-version.ts";

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

const addInstance = (heartbeat: string, version: number) => owner.sql`
  insert into instances (id, heartbeat_at, schema_version)
  values (gen_random_uuid(), now() - ${heartbeat}::interval, ${version})`;

/** A database of the migration before the release, which this version's migration moves on. */
async function openBeforeRelease(): Promise<void> {
  await migrate({ url: database.ownerUrl });
  await journalBeforeRelease(owner.sql);
}

test("a live instance of an older version stops the migration, a silent one does not", async () => {
  await openBeforeRelease();
  await addInstance("2 minutes", oldestServed - 1);
  await addInstance("1 second", oldestServed - 1);
  const refused = migrate({ url: database.ownerUrl });
  await expect(refused).rejects.toThrow(MigrationRefused);
  await expect(refused).rejects.toThrow("1 running instance(s) of an older version");
  expect(await queryAppliedVersion(owner.sql)).toBe(73);
  await owner.sql`update instances set ended_at = now() where heartbeat_at > now() - interval '1 minute'`;
  await migrate({ url: database.ownerUrl });
  expect(await queryAppliedVersion(owner.sql)).toBe(schemaVersion);
});

test("the migration passes over a live instance when told to", async () => {
  await openBeforeRelease();
  await addInstance("1 second", oldestServed - 1);
  await migrate({ url: database.ownerUrl, passLiveInstances: true });
  const [state] = await owner.sql`select oldest_served from schema_state`;
  expect(state?.oldest_served).toBe(oldestServed);
});

test("an instance that the new schema serves does not stop the migration", async () => {
  await openBeforeRelease();
  await addInstance("1 second", oldestServed);
  await migrate({ url: database.ownerUrl });
});

test("a schema for which this version is too old is refused, and stays as it is", async () => {
  await migrate({ url: database.ownerUrl });
  await owner.sql`update schema_state set oldest_served = ${schemaVersion + 1}`;
  await expect(migrate({ url: database.ownerUrl })).rejects.toThrow("schema of a later version");
});

test("sandbox payments are refused since the migration until it allows them, and a migration that does not say keeps that", async () => {
  const url = database.ownerUrl;
  const refusedSince = async (sandbox?: boolean) => {
    await migrate({ url, sandbox });
    const [state] = await owner.sql`select sandbox_refused_since::text as since from schema_state`;
    return state?.since;
  };
  const since = await refusedSince();
  expect(since).toBeString();
  expect(await refusedSince(false)).toEqual(since);
  expect(await refusedSince(true)).toBeNull();
  expect(await refusedSince()).toBeNull();
  expect(await refusedSince(false)).toBeString();
});
