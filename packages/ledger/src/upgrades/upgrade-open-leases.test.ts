// An in-place upgrade of a database with open leases and with periodic jobs that ran or are
// running: no money moves, what the leases did not spend is returned, and the last runs of jobs are kept.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AccountId, type ApiKeyId, type InstanceId, newId } from "@turnpike/base";
import { type Connection, connectDatabase, migrate } from "@turnpike/db";
import { openMetrics } from "@turnpike/telemetry";
import { toNanos } from "@turnpike/terms";
import { copyMigrations, createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { checkBooks } from "../check/check-books.ts";
import { checkRecentBooks } from "../check/check-recent-books.ts";
import { postMovement } from "../movements/post-movement.ts";
import { type Ledger, openLedger } from "../open-ledger.ts";
import { chargeOf, grantOf, holdOf, silentLog } from "../open-test-books.fixture.ts";

const functions = new URL("../../../../drizzle/functions/", import.meta.url).pathname;
const beforeBudgets = new URL("./lease-functions-before-budgets.fixture.sql", import.meta.url)
  .pathname;
const silentMs = 60_000;
const principal = { accountId: newId<AccountId>(), keyId: newId<ApiKeyId>() };
const [older, newer] = [newId<InstanceId>(), newId<InstanceId>()];
const metrics = openMetrics();

let database: TestDatabase;
let owner: Connection;
let before: Awaited<ReturnType<typeof readState>>;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  const copy = await copyMigrations({ through: "0018_leases" });
  await migrate({ url: database.ownerUrl, migrationsFolder: copy.folder });
  await copy.remove();
  owner = connectDatabase({ url: database.ownerUrl, max: 2 });
  // An older set of migrations has no functions; those of leases have gained four columns.
  const names = ["are_requests_distributed", "move_money", "post_movement"];
  const files = [...names, "charge_calls", "charge_single_call"].map(
    (name) => `${functions}${name}.sql`,
  );
  for (const file of [...files, beforeBudgets]) {
    const text = await Bun.file(file).text();
    const older = text
      .replace(" + credit_limit_nanos", "")
      .replace("  PERFORM mark_automatic(p_account, p_amount);\n", "")
      .replace("array_agg(x.recalled_until)", "array_agg(NULL::timestamptz)")
      .replace(/ {2}IF true = ANY \(v_acc_refused\) THEN.*?END IF;\n/s, "");
    await owner.sql.unsafe(older);
  }
  // Nor has their table the last five columns.
  await owner.sql.unsafe(`
    create function read_calls(integer, text) returns requests[] language sql as
      $$ select regexp_replace($2, '(,[^,"]*){5}\\)', ')', 'g')::requests[] $$`);
  await playHistory();
  // The checker reads tables that this version does not have yet; it runs after the upgrade.
  before = await readState();
  // Its process is of a version that is no longer served.
  await migrate({ url: database.ownerUrl, passLiveInstances: true });
});
afterAll(async () => {
  metrics.close();
  await owner.close();
  await database.drop();
});

function open(instanceId: InstanceId, url: string): Ledger {
  return openLedger({ url, instanceId, log: silentLog, metrics, admitting: () => true });
}

/** Everything about money, leases and jobs in version 0018. */
async function readState() {
  const { sql } = owner;
  return {
    accounts: [...(await sql`select id, balance_nanos, held_nanos, frozen_at from accounts`)],
    keys: [...(await sql`select id, total_spent_nanos, total_held_nanos from api_keys`)],
    leases: (
      await sql<{ lease: Record<string, unknown> }[]>`
        select to_jsonb(l) - 'project_id' - 'person_id' as lease from leases l order by id`
    ).map(({ lease }) => lease),
    entries: [...(await sql`select account_id, book, amount_nanos from entries order by 1, 2, 3`)],
    jobs: [
      ...(await sql`select name, started_at, finished_at, result from job_runs order by name`),
    ],
  };
}

/** One process that ended without closing its leases, in the middle of a call and of a job. */
async function playHistory(): Promise<void> {
  const { accountId, keyId } = principal;
  await owner.sql`insert into instances (id) values (${older})`;
  await owner.sql`insert into accounts (id, name) values (${accountId}, 'account')`;
  await owner.sql`insert into api_keys (account_id, id, name, hash, masked)
                  values (${accountId}, ${keyId}, 'key', ${Buffer.from(keyId)}, 'masked')`;
  await postMovement(owner.db, {
    accountId,
    amountNanos: toNanos(100_000n),
    kind: "adjustment",
    book: "adjustments",
    idempotencyKey: crypto.randomUUID(),
    reason: "test",
    actor: "test",
  });
  const ledger = open(older, database.ownerUrl);
  const charged = grantOf(await ledger.hold(holdOf(principal, 1_000n)));
  await ledger.charge(chargeOf(charged, 700n));
  grantOf(await ledger.hold(holdOf(principal, 2_000n)));
  await ledger.close();
  await owner.sql`
    insert into job_runs (name, started_at, finished_at, result)
    values ('finished', now() - interval '10 minutes', now() - interval '9 minutes', '{"found": 2}'),
           ('unfinished', now() - interval '10 minutes', null, null)`;
}

test("nothing that was recorded changes, and the books are right", async () => {
  expect(before.leases).toMatchObject([{ spent_nanos: 700, closed_at: null }]);
  expect(before.jobs).toHaveLength(2);
  expect(await readState()).toEqual(before);
  expect(await checkBooks(owner.db)).toEqual([]);
  expect((await checkRecentBooks(owner.db)).violations).toEqual([]);
});

test("job runs from before the upgrade belong to no instance", async () => {
  const rows = await owner.sql`select name, instance_id from job_runs order by name`;
  expect([...rows]).toEqual([
    { name: "finished", instance_id: null },
    { name: "unfinished", instance_id: null },
  ]);
});

test("calls continue, and a lease from before the upgrade is reaped when its process is dead", async () => {
  await owner.sql`insert into instances (id) values (${newer})`;
  const ledger = open(newer, database.url);
  const hold = grantOf(await ledger.hold(holdOf(principal, 5_000n)));
  await ledger.charge(chargeOf(hold, 300n));
  await owner.sql`update instances set heartbeat_at = now() - interval '1 day' where id = ${older}`;
  expect(await ledger.reapLeases({ silentMs, limit: 10 })).toBe(1);
  expect(await ledger.drain(60_000)).toBe(true);
  await ledger.close();
  const { accounts, keys } = await readState();
  expect(accounts).toMatchObject([{ balance_nanos: "99000", held_nanos: "0" }]);
  expect(keys).toMatchObject([{ total_spent_nanos: "1000", total_held_nanos: "0" }]);
  expect(await checkBooks(owner.db)).toEqual([]);
  expect((await checkRecentBooks(owner.db)).violations).toEqual([]);
});
