// An in-place upgrade of an account with members, spend limits and open leases: the limits go on as budgets of
// the keys, what the leases hold and spend counts in them, and no money moves.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type AccountId,
  type ApiKeyId,
  type InstanceId,
  newId,
  type PersonId,
} from "@turnpike/base";
import { type Connection, connectDatabase, migrate } from "@turnpike/db";
import { openMetrics } from "@turnpike/telemetry";
import { toNanos } from "@turnpike/terms";
import { copyMigrations, createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { checkBooks } from "../check/check-books.ts";
import type { Hold } from "../hold.ts";
import { postMovement } from "../movements/post-movement.ts";
import { type Ledger, openLedger } from "../open-ledger.ts";
import { chargeOf, grantOf, holdOf, silentLog } from "../open-test-books.fixture.ts";

const functions = new URL("../../../../drizzle/functions/", import.meta.url).pathname;
const beforeBudgets = new URL("./lease-functions-before-budgets.fixture.sql", import.meta.url)
  .pathname;
const accountId = newId<AccountId>();
const keyId = newId<ApiKeyId>();
const [admin, developer] = [newId<PersonId>(), newId<PersonId>()];
const instanceId = newId<InstanceId>();
const metrics = openMetrics();

let database: TestDatabase;
let owner: Connection;
let ledger: Ledger;
let running: Hold;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  const copy = await copyMigrations({ through: "0033_teams" });
  await migrate({ url: database.ownerUrl, migrationsFolder: copy.folder });
  await copy.remove();
  owner = connectDatabase({ url: database.ownerUrl, max: 2 });
  const others = [
    "are_requests_distributed",
    "move_money",
    "post_movement",
    "charge_calls",
    "charge_single_call",
  ];
  for (const file of [...others.map((name) => `${functions}${name}.sql`), beforeBudgets]) {
    const text = await Bun.file(file).text();
    const older = text
      .replace(" + credit_limit_nanos", "")
      .replace("  PERFORM mark_automatic(p_account, p_amount);\n", "");
    await owner.sql.unsafe(older);
  }
  // Their table has not the last two columns.
  await owner.sql.unsafe(`
    create function read_calls(integer, text) returns requests[] language sql as
      $$ select regexp_replace($2, '(,[^,"]*){2}\\)', ')', 'g')::requests[] $$`);
  await playHistory();
  // Its process is of a version that is no longer served.
  await migrate({ url: database.ownerUrl, passLiveInstances: true });
});
afterAll(async () => {
  await ledger.close();
  metrics.close();
  await owner.close();
  await database.drop();
});

/** Two members; the key of one has spent 3,000 of its 10,000 a day, and a call of 2,000 is running. */
async function playHistory(): Promise<void> {
  const { sql } = owner;
  await sql`insert into accounts (id, name, kind) values (${accountId}, 'Acme', 'organization')`;
  for (const [id, role] of [
    [admin, "owner"],
    [developer, "developer"],
  ] as const) {
    await sql`insert into persons (id, email) values (${id}, ${`${role}@example.com`})`;
    await sql`insert into memberships (account_id, person_id, role) values (${accountId}, ${id}, ${role})`;
  }
  await sql`insert into instances (id) values (${instanceId})`;
  await postMovement(owner.db, {
    accountId,
    amountNanos: toNanos(100_000n),
    kind: "adjustment",
    book: "adjustments",
    idempotencyKey: "opening",
    reason: "test",
    actor: "test",
  });
  await sql`
    insert into api_keys (account_id, id, name, hash, masked, created_by, day_limit_nanos, total_limit_nanos)
    values (${accountId}, ${keyId}, 'key', ${Buffer.from(keyId)}, 'masked', ${developer}, 10000, 50000)`;
  ledger = openLedger({
    url: database.ownerUrl,
    instanceId,
    log: silentLog,
    metrics,
    admitting: () => true,
  });
  const hold = async (want: bigint) =>
    grantOf(await ledger.hold(holdOf({ accountId, keyId }, want)));
  await ledger.charge(chargeOf(await hold(3_000n), 3_000n));
  running = await hold(2_000n);
}

test("limits are budgets of the key, with what its lease holds and has spent", async () => {
  const rows = await owner.sql`
    select b.period, b.limit_nanos, b.hard, m.spent_nanos, m.held_nanos >= 2000 as holds
      from budgets b join budget_money m on m.id = b.id where b.subject_id = ${keyId} order by b.period`;
  expect([...rows]).toEqual([
    { period: "day", limit_nanos: "10000", hard: true, spent_nanos: "3000", holds: true },
    { period: "total", limit_nanos: "50000", hard: true, spent_nanos: "3000", holds: true },
  ]);
  expect(await checkBooks(owner.db)).toEqual([]);
});

test("the account has its default project, and its leases know who made their key", async () => {
  const { sql } = owner;
  expect([...(await sql`select id, name, archived_at from projects`)]).toEqual([
    { id: accountId, name: "Default", archived_at: null },
  ]);
  expect([...(await sql`select distinct person_id from leases`)]).toEqual([
    { person_id: developer },
  ]);
});

test("the process from before the upgrade is refused by the budget, exactly", async () => {
  const ask = (want: bigint) => ledger.hold(holdOf({ accountId, keyId }, want));
  expect(await ask(5_001n)).toMatchObject({ verdict: "key_day", availableNanos: 5_000n });
  const last = grantOf(await ask(5_000n));
  expect(await ask(1n)).toMatchObject({ verdict: "key_day" });
  await ledger.charge(chargeOf(last, 5_000n));
  await ledger.charge(chargeOf(running, 500n));
  grantOf(await ask(1_500n));
  expect(await checkBooks(owner.db)).toEqual([]);
});
