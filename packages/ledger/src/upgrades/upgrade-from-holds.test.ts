// An in-place upgrade of a database of the first edition, in which every call held money in its own
// row: what it recorded stays true, what was held is returned, and calls are served from leases.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type AccountId,
  type ApiKeyId,
  type GenerationId,
  newId,
  type TopUpId,
} from "@turnpike/base";
import { type Connection, connectDatabase, migrate } from "@turnpike/db";
import { openMetrics } from "@turnpike/telemetry";
import { toNanos } from "@turnpike/terms";
import { copyMigrations, createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { checkBooks } from "../check/check-books.ts";
import { checkRecentBooks } from "../check/check-recent-books.ts";
import { postMovement } from "../movements/post-movement.ts";
import { openLedger } from "../open-ledger.ts";
import { chargeOf, grantOf, holdOf, silentLog } from "../open-test-books.fixture.ts";

const account = newId<AccountId>();
const key = newId<ApiKeyId>();
const frozenAccount = newId<AccountId>();
const frozenKey = newId<ApiKeyId>();
const instance = crypto.randomUUID();
const ids = {
  settled: newId<GenerationId>(),
  costly: newId<GenerationId>(),
  released: newId<GenerationId>(),
  expired: newId<GenerationId>(),
  late: newId<GenerationId>(),
  open: newId<GenerationId>(),
  frozen: newId<GenerationId>(),
};

let database: TestDatabase;
let owner: Connection;
let before: Record<string, unknown>[];
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  const older = await copyMigrations({ through: "0013_narrow_rights" });
  await migrate({ url: database.ownerUrl, migrationsFolder: older.folder });
  await older.remove();
  owner = connectDatabase({ url: database.ownerUrl, max: 2 });
  await playHistory();
  before = await readBalances();
  await migrate({ url: database.ownerUrl, passLiveInstances: true });
});
afterAll(async () => {
  await owner.close();
  await database.drop();
});

async function readBalances(): Promise<Record<string, unknown>[]> {
  return owner.sql`
    select id, balance_nanos, credited_nanos, frozen_at from accounts order by id`;
}

async function placeHold(
  id: GenerationId,
  of: { account: AccountId; key: ApiKeyId },
  want: number,
) {
  const [row] = await owner.sql<{ verdicts: string }[]>`
    select verdicts::text from place_holds(${instance}, 60000, true, false,
      array[${id}::uuid], array[${of.account}::uuid], array[${of.key}::uuid],
      array[${want}::bigint], array[${want}::bigint], '{f}', '{f}', '{model}', '{provider}',
      array[${crypto.randomUUID()}::uuid], '{f}', '{api}', '{trace}', '{agent}')`;
  expect(row?.verdicts).toBe("{held}");
}

async function settleHold(id: GenerationId, of: AccountId, state: string, cost: number) {
  const [row] = await owner.sql<{ verdicts: string }[]>`
    select verdicts::text from settle_holds(${crypto.randomUUID()}, true,
      array[${id}::uuid], array[${of}::uuid], array[${state}::text], array[${cost}::bigint],
      '{1}', '{1}', '{0}', '{0}', '{0}', '{reported}', '{16}', '{200}', '{completed}',
      '{NULL}', '{stop}', '{stop}', '{provider}', '{NULL}', '{[]}', '{1}', '{1}', '{1}')`;
  return row?.verdicts;
}

async function fund(of: AccountId, amount: bigint, reversed: bigint, kind: "refund" | "dispute") {
  const topUp = newId<TopUpId>();
  await owner.sql`
    insert into top_ups (id, account_id, amount_nanos, state, processor, credited_nanos,
                         reversed_nanos, disputed_nanos)
    values (${topUp}, ${of}, ${amount.toString()}, 'paid', 'sandbox', ${amount.toString()},
            ${reversed.toString()}, ${kind === "dispute" ? reversed.toString() : "0"})`;
  const common = { accountId: of, reason: "test", actor: "test" };
  await postMovement(owner.db, {
    ...common,
    amountNanos: toNanos(amount),
    kind: "top_up",
    book: "stripe_clearing",
    idempotencyKey: `sandbox:${topUp}`,
  });
  return () =>
    postMovement(owner.db, {
      ...common,
      amountNanos: toNanos(-reversed),
      kind,
      book: kind === "refund" ? "refunds" : "disputes",
      idempotencyKey: `${kind}:${topUp}:1`,
    });
}

/** By the functions of the first edition, as its server called them. */
async function playHistory(): Promise<void> {
  await owner.sql`insert into instances (id) values (${instance})`;
  for (const [id, keyId] of [
    [account, key],
    [frozenAccount, frozenKey],
  ] as const) {
    await owner.sql`insert into accounts (id, name) values (${id}, 'account')`;
    await owner.sql`
      insert into api_keys (account_id, id, name, hash, masked, day_limit_nanos, total_limit_nanos)
      values (${id}, ${keyId}, 'key', ${Buffer.from(keyId)}, 'masked', 5000, 50000)`;
  }
  const refund = await fund(account, 10_000n, 1_500n, "refund");
  await refund();
  const payer = { account, key };
  for (const id of [ids.settled, ids.costly, ids.released, ids.expired, ids.late, ids.open]) {
    await placeHold(id, payer, 400);
  }
  expect(await settleHold(ids.settled, account, "settled", 250)).toBe("{settled}");
  expect(await settleHold(ids.costly, account, "settled", 470)).toBe("{settled}");
  expect(await settleHold(ids.released, account, "released", 0)).toBe("{released}");
  expect(await settleHold(ids.expired, account, "expired", 0)).toBe("{expired}");
  expect(await settleHold(ids.late, account, "expired", 0)).toBe("{expired}");
  expect(await settleHold(ids.late, account, "settled", 700)).toBe("{late_settled}");
  const dispute = await fund(frozenAccount, 1_000n, 900n, "dispute");
  await placeHold(ids.frozen, { account: frozenAccount, key: frozenKey }, 300);
  await dispute();
}

test("the books are right, for the full checker and for the one of the schedule", async () => {
  expect(await checkBooks(owner.db)).toEqual([]);
  expect((await checkRecentBooks(owner.db)).violations).toEqual([]);
});

test("no balance changes; an account that is frozen only because of its open holds can spend again", async () => {
  // 10,000 − 1,500 refunded − 250 − 400 (of 470) − 700 (late, not capped by its hold then).
  const expected = { [account]: "7150", [frozenAccount]: "100" };
  expect(Object.fromEntries(before.map((row) => [row.id, row.balance_nanos]))).toEqual(expected);
  const frozenBefore = before.filter((row) => row.frozen_at !== null).map((row) => row.id);
  expect(frozenBefore).toEqual([frozenAccount]);
  expect(await readBalances()).toEqual(before.map((row) => ({ ...row, frozen_at: null })));
});

test("what running calls held is returned, and their rows end as expired", async () => {
  const held = await owner.sql`
    select held_nanos from accounts where held_nanos <> 0
    union all select total_held_nanos from api_keys
     where (day_held_nanos, week_held_nanos, month_held_nanos, total_held_nanos) <> (0, 0, 0, 0)`;
  expect([...held]).toEqual([]);
  const rows = await owner.sql<{ id: GenerationId; state: string; charged: string }[]>`
    select id, state, charged_nanos as charged from requests`;
  const byId = new Map(rows.map((row) => [row.id, `${row.state} ${row.charged}`]));
  const found = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, byId.get(id)]));
  expect(found).toEqual({
    settled: "settled 250",
    costly: "settled 400",
    released: "released 0",
    expired: "expired 0",
    late: "late_settled 700",
    open: "expired 0",
    frozen: "expired 0",
  });
});

test("what a key has spent still counts, and a call is held and charged by a lease", async () => {
  const spent = () => owner.sql`
    select day_spent_nanos, week_spent_nanos, month_spent_nanos, total_spent_nanos
      from key_money where key_id = ${key}`;
  const counters = (nanos: string) => ({
    day_spent_nanos: nanos,
    week_spent_nanos: nanos,
    month_spent_nanos: nanos,
    total_spent_nanos: nanos,
  });
  expect([...(await spent())]).toEqual([counters("1350")]);

  const instanceId = newId<Parameters<typeof openLedger>[0]["instanceId"]>();
  await owner.sql`insert into instances (id) values (${instanceId})`;
  const metrics = openMetrics();
  const ledger = openLedger({
    url: database.url,
    instanceId,
    log: silentLog,
    metrics,
    admitting: () => true,
  });
  const principal = { accountId: account, keyId: key };
  // The limit of the day is 5,000: the first edition's spending leaves 3,650 of it.
  expect(await ledger.hold(holdOf(principal, 3_651n))).toMatchObject({ verdict: "key_day" });
  const hold = grantOf(await ledger.hold(holdOf(principal, 3_650n)));
  await ledger.charge(chargeOf(hold, 150n));
  await ledger.drain(60_000);
  await ledger.close();
  metrics.close();
  expect([...(await spent())]).toEqual([counters("1500")]);
  const [row] = await owner.sql`select balance_nanos from accounts where id = ${account}`;
  expect(row?.balance_nanos).toBe("7000");
  expect(await checkBooks(owner.db)).toEqual([]);
  expect(await checkRecentBooks(owner.db)).toEqual({ violations: [], checkedLeases: 1 });
});
