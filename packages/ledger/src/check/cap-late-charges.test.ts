// An upgrade of a database that used to charge late settlements above their hold: what was charged
// stays valid, and after the upgrade no charge can exceed its hold.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Connection, connectDatabase, migrate } from "@turnpike/db";
import {
  copyMigrations,
  createTestDatabase,
  type MigrationsCopy,
  type TestDatabase,
} from "@turnpike/testing";
import { checkBooks } from "./check-books.ts";

const account = crypto.randomUUID();
const overcharged = Bun.randomUUIDv7();

let database: TestDatabase;
let owner: Connection;
let older: MigrationsCopy;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  older = await copyMigrations({ through: "0013_narrow_rights" });
  await migrate({ url: database.ownerUrl, migrationsFolder: older.folder });
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
});
afterAll(async () => {
  await owner.close();
  await database.drop();
  await older.remove();
});

/** A late settlement: 400 nano-dollars held, 700 charged. */
async function insertOvercharged(id: string): Promise<void> {
  await owner.sql`
    insert into requests (account_id, id, state, held_nanos, cost_nanos, charged_nanos,
                          transaction_id, ended_at)
    values (${account}, ${id}, 'late_settled', 400, 700, 700, ${id}, clock_timestamp())`;
}

test("an upgrade keeps late charges above the hold, and allows none after it", async () => {
  const credit = crypto.randomUUID();
  await owner.sql`
    insert into accounts (id, balance_nanos, credited_nanos) values (${account}, 300, 1000)`;
  await owner.sql`
    insert into ledger_transactions (id, kind, idempotency_key)
    values (${credit}, 'adjustment', ${credit}), (${overcharged}, 'usage', ${overcharged})`;
  await owner.sql`
    insert into entries (account_id, transaction_id, book, amount_nanos) values
      (${account}, ${credit}, 'account', 1000),
      ('00000000-0000-0000-0000-000000000000', ${credit}, 'adjustments', -1000),
      (${account}, ${overcharged}, 'account', -700),
      ('00000000-0000-0000-0000-000000000000', ${overcharged}, 'usage_revenue', 700)`;
  await insertOvercharged(overcharged);

  await migrate({ url: database.ownerUrl });

  expect(await checkBooks(owner.db)).toEqual([]);
  await expect(insertOvercharged(Bun.randomUUIDv7())).rejects.toThrow(
    "requests_charge_within_hold",
  );
  // If a partition is rebuilt, its rows are inserted again.
  await owner.sql`alter table requests disable trigger user`;
  await owner.sql`
    with moved as (delete from requests where id = ${overcharged} returning *)
    insert into requests select * from moved`;
  expect(await owner.sql`select charged_nanos from requests`).toHaveLength(1);
});
