// The upgrade to guardrails: models and addresses of existing keys become rules of their guardrails, and what a process
// of the previous version sets on a key is a rule as well.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyMigrations, createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { type Connection, connectDatabase } from "./connect.ts";
import { migrate } from "./migrate.ts";

const account = crypto.randomUUID();
const [limited, free, later] = [Bun.randomUUIDv7(), Bun.randomUUIDv7(), Bun.randomUUIDv7()];

let database: TestDatabase;
let owner: Connection;

/** As the previous version writes a key. */
async function addKey(id: string, models: string | null, addresses: string | null) {
  await owner.sql`
    insert into api_keys (account_id, id, name, hash, masked, allowed_models, allowed_addresses)
    values (${account}, ${id}, 'key', ${Buffer.from(id)}, 'sk', ${models}::text[], ${addresses}::text[])`;
}

async function rulesOf(id: string) {
  const [row] = await owner.sql`
    select kind, to_json(allowed_models) as models, to_json(allowed_addresses) as addresses, deny_training
      from guardrails where account_id = ${account} and subject_id = ${id}`;
  return row;
}

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  const older = await copyMigrations({ through: "0045_rate_limits" });
  await migrate({ url: database.ownerUrl, migrationsFolder: older.folder });
  await older.remove();
  await owner.sql`insert into accounts (id, name) values (${account}, 'account')`;
  await addKey(limited, "{a/one,b/two}", "{10.0.0.0/8}");
  await addKey(free, null, null);
  await migrate({ url: database.ownerUrl });
});
afterAll(async () => {
  await owner.close();
  await database.drop();
});

test("what a key was limited to is its guardrail, and a key without such limits has none", async () => {
  const rules = { models: ["a/one", "b/two"], addresses: ["10.0.0.0/8"], deny_training: false };
  expect(await rulesOf(limited)).toEqual({ kind: "key", ...rules });
  expect(await rulesOf(free)).toBeUndefined();
});

test("a process of the previous version keeps the guardrail equal to the key, and leaves other rules", async () => {
  await addKey(later, "{}", null);
  expect(await rulesOf(later)).toMatchObject({ models: [], addresses: null });
  const update = (models: string | null) =>
    owner.sql`update api_keys set allowed_models = ${models}::text[], allowed_addresses = null where id = ${limited}`;
  await update("{c/three}");
  expect(await rulesOf(limited)).toMatchObject({ models: ["c/three"], addresses: null });
  await owner.sql`update guardrails set deny_training = true where subject_id = ${limited}`;
  await update(null);
  expect(await rulesOf(limited)).toMatchObject({ models: null, deny_training: true });
  await owner.sql`update api_keys set allowed_models = null where id = ${later}`;
  expect(await rulesOf(later)).toBeUndefined();
});
