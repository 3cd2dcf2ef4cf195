// No migration leaves a live instance behind that cannot follow, unless told to, and no version starts on a
// schema that it cannot serve.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyMigrations, createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { type Connection, connectDatabase } from "./connect.ts";
import { migrate } from "./migrate.ts";
import { MigrationRefused, oldestServed, schemaVersion } from "./schema-version.ts";

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

const addInstance = (heartbeat: string) => owner.sql`
  insert into instances (id, heartbeat_at)
  values (gen_random_uuid(), now() - ${heartbeat}::interval)`;

const addInstanceOf = (version: number) => owner.sql`
  insert into instances (id, schema_version) values (gen_random_uuid(), ${version})`;

async function migrateThrough(through: string): Promise<void> {
  const older = await copyMigrations({ through });
  try {
    await migrate({ url: database.ownerUrl, migrationsFolder: older.folder });
  } finally {
    await older.remove();
  }
}

test("a live instance from before leases stops the migration, a silent one does not", async () => {
  await migrateThrough("0017_shared_work");
  await addInstance("2 minutes");
  await addInstance("1 second");
  const refused = migrate({ url: database.ownerUrl });
  await expect(refused).rejects.toThrow(MigrationRefused);
  await expect(refused).rejects.toThrow("1 running instance(s) of an older version");
  const [leases] = await owner.sql`select to_regclass('leases') as table`;
  expect(leases?.table).toBeNull();
  await owner.sql`update instances set ended_at = now() where heartbeat_at > now() - interval '1 minute'`;
  await migrate({ url: database.ownerUrl });
});

test("the migration passes over a live instance when told to", async () => {
  await migrateThrough("0017_shared_work");
  await addInstance("1 second");
  await migrate({ url: database.ownerUrl, passLiveInstances: true });
  const [state] = await owner.sql`select oldest_served from schema_state`;
  expect(state?.oldest_served).toBe(oldestServed);
});

test("an instance of the previous version does not stop a migration that it can follow", async () => {
  await migrateThrough("0072_limits_of_keys");
  await addInstanceOf(73);
  await migrate({ url: database.ownerUrl });
});

test("an instance of a version that needs what the migration drops stops it", async () => {
  await migrateThrough("0072_limits_of_keys");
  await addInstanceOf(72);
  await expect(migrate({ url: database.ownerUrl })).rejects.toThrow(
    "1 running instance(s) of an older version",
  );
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
  await migrateThrough("0031_lease_recalls");
  await owner.sql`insert into schema_state values (true, 18)`;
  const since = await refusedSince();
  expect(since).toBeString();
  expect(await refusedSince(false)).toEqual(since);
  expect(await refusedSince(true)).toBeNull();
  expect(await refusedSince()).toBeNull();
  expect(await refusedSince(false)).toBeString();
});
