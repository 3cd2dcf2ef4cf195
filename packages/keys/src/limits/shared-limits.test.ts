// The rate limits of a project and of an account are set in the order of locks of everything that locks several keys.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createAccount } from "@turnpike/accounts";
import { type AccountId, defaultProjectOf } from "@turnpike/base";
import { type Connection, connectDatabase, operator } from "@turnpike/db";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { mintApiKey } from "../api-key/mint-api-key.ts";
import { setAccountRates, setProjectRates } from "./shared-limits.ts";

let database: TestDatabase;
let connection: Connection;
let owner: Connection;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase({ url: database.url });
  owner = connectDatabase({ url: database.ownerUrl, max: 2 });
});
afterAll(async () => {
  await Promise.all([connection.close(), owner.close()]);
  await database.drop();
});

async function isWaiting(): Promise<boolean> {
  const rows = await owner.sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length > 0;
}

test.each([
  [
    "a project",
    (accountId: AccountId) =>
      setProjectRates(connection.db, { accountId, by: operator }, defaultProjectOf(accountId), {
        concurrency: 3,
      }),
  ],
  [
    "an account",
    (accountId: AccountId) =>
      setAccountRates(connection.db, { accountId, by: operator }, { concurrency: 3 }),
  ],
])("the limits of %s lock no key before its account", async (kind, change) => {
  const email = `${kind.replace(" ", "-")}@example.com`;
  const { accountId, personId } = await createAccount(connection.db, { email });
  const input = { accountId, createdBy: personId, name: "app" };
  await mintApiKey(connection.db, input);
  let changed: Promise<void> | undefined;
  let isDone = false;
  await owner.sql.begin(async (sql) => {
    await sql`select from accounts where id = ${accountId} for no key update`;
    changed = change(accountId).finally(() => {
      isDone = true;
    });
    while (!isDone && !(await isWaiting())) await Bun.sleep(5);
    expect(isDone).toBe(false);
    await sql`select from api_keys where account_id = ${accountId} for no key update nowait`;
  });
  await changed;
});
