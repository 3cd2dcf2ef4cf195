// Low-balance mails: one per fall below the level, another after money was added, none without a level.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type GenerationId, type InstanceId, newId, type PriceId } from "@turnpike/base";
import { createCallFacts, type Ledger, openLedger, postMovement } from "@turnpike/ledger";
import { createLog, createMetrics } from "@turnpike/telemetry";
import { toNanos } from "@turnpike/terms";
import { openTestBilling, type Payer, type TestBilling } from "../open-test-billing.fixture.ts";
import { alertLowBalance, setLowBalanceAlert } from "./alert-low-balance.ts";

let site: TestBilling;

beforeAll(async () => {
  site = await openTestBilling();
});

afterAll(() => site.close());

const publicUrl = "https://turnpike.example";
const link = expect.stringMatching(/^https:\/\/turnpike\.example\/a\/u-[0-9a-f]+\/wallet$/);

async function move(payer: Payer, amountNanos: bigint): Promise<void> {
  await postMovement(site.owner.db, {
    accountId: payer.accountId,
    amountNanos: toNanos(amountNanos),
    kind: "adjustment",
    book: "adjustments",
    idempotencyKey: crypto.randomUUID(),
    reason: "test",
    actor: "test",
  });
}

async function mailsTo(payer: Payer): Promise<unknown[]> {
  const rows = await site.owner.sql<{ message: unknown }[]>`
    select message from outbox where recipient = ${payer.email} order by created_at`;
  return rows.map((row) => row.message);
}

/** The last mail was long ago. */
const nextDay = (payer: Payer) => site.owner.sql`
  update accounts set low_balance_mailed_at = now() - interval '1 day' where id = ${payer.accountId}`;

test("a balance that falls several times a day is mailed once, with an event each time, and again the next day", async () => {
  const payer = await site.newPayer();
  await site.owner.sql`
    insert into webhook_endpoints (account_id, id, url, secret)
    values (${payer.accountId}, gen_random_uuid(), 'https://hooks.example', '\\x00')`;
  await setLowBalanceAlert(site.app.db, payer.accountId, toNanos(5_000_000_000n));
  await move(payer, 3_000_000_000n);
  for (let fall = 0; fall < 3; fall += 1) {
    await alertLowBalance(site.app.db, publicUrl);
    await move(payer, 7_000_000_000n);
    await alertLowBalance(site.app.db, publicUrl);
    await move(payer, -7_000_000_000n);
  }
  await alertLowBalance(site.app.db, publicUrl);
  expect(await mailsTo(payer)).toHaveLength(1);
  const events = await site.owner.sql`
    select from webhook_events where account_id = ${payer.accountId} and type = 'balance.low'`;
  expect(events).toHaveLength(4);
  await nextDay(payer);
  await alertLowBalance(site.app.db, publicUrl);
  await alertLowBalance(site.app.db, publicUrl);
  expect(await mailsTo(payer)).toHaveLength(2);
});

test("a balance below its level is reported once, and again after it was above the level", async () => {
  const payer = await site.newPayer();
  await move(payer, 3_000_000_000n);
  await setLowBalanceAlert(site.app.db, payer.accountId, toNanos(5_000_000_000n));
  await alertLowBalance(site.app.db, publicUrl);
  await alertLowBalance(site.app.db, publicUrl);
  expect(await mailsTo(payer)).toEqual([
    { kind: "low_balance", balanceUsd: "3", alertUsd: "5", link },
  ]);
  await move(payer, 7_000_000_000n);
  await alertLowBalance(site.app.db, publicUrl);
  expect(await mailsTo(payer)).toHaveLength(1);
  await nextDay(payer);
  await move(payer, -6_000_000_000n);
  await alertLowBalance(site.app.db, publicUrl);
  expect(await mailsTo(payer)).toHaveLength(2);
});

test("a credit limit counts as money, and a higher one lets the next fall be reported", async () => {
  const payer = await site.newPayer();
  const setLimit = (nanos: bigint) =>
    site.owner.sql`select set_credit_limit(${payer.accountId}, ${nanos.toString()}::bigint, null)`;
  await move(payer, 3_000_000_000n);
  await setLowBalanceAlert(site.app.db, payer.accountId, toNanos(5_000_000_000n));
  await setLimit(1_000_000_000n);
  await alertLowBalance(site.app.db, publicUrl);
  expect(await mailsTo(payer)).toMatchObject([{ balanceUsd: "4" }]);
  // Long enough after the payment that it does not count as what came in since.
  await site.owner.sql`update accounts set low_balance_alerted_at = now() + interval '1 minute'
    where id = ${payer.accountId}`;
  await setLimit(4_000_000_000n);
  await alertLowBalance(site.app.db, publicUrl);
  expect(await mailsTo(payer)).toHaveLength(1);
  await nextDay(payer);
  await move(payer, -4_000_000_000n);
  await alertLowBalance(site.app.db, publicUrl);
  expect(await mailsTo(payer)).toMatchObject([{ balanceUsd: "4" }, { balanceUsd: "3" }]);
});

test("exactly the level is not below it, and without a level there is no alert", async () => {
  const [exact, silent] = [await site.newPayer(), await site.newPayer()];
  await move(exact, 5_000_000_000n);
  await setLowBalanceAlert(site.app.db, exact.accountId, toNanos(5_000_000_000n));
  await alertLowBalance(site.app.db, publicUrl);
  expect(await mailsTo(exact)).toEqual([]);
  expect(await mailsTo(silent)).toEqual([]);
});

/**
 * A ledger with a frozen clock: its leases stay open, and idle money stays reserved until it is
 * recalled.
 */
async function withLedger(use: (ledger: Ledger) => Promise<void>): Promise<void> {
  const instanceId = newId<InstanceId>();
  await site.owner.sql`insert into instances (id) values (${instanceId})`;
  const metrics = createMetrics();
  const log = createLog({ level: "silent", name: "test" });
  const ledger = openLedger({
    url: site.databaseUrl,
    instanceId,
    log,
    metrics,
    admitting: () => true,
    nowMs: () => 0,
  });
  try {
    await use(ledger);
    expect(await ledger.drain()).toBe(true);
    expect(await site.check()).toEqual([]);
  } finally {
    await ledger.close();
    metrics.close();
  }
}

async function reserve(ledger: Ledger, payer: Payer, nanos: bigint) {
  const decision = await ledger.hold({
    facts: createCallFacts({
      id: newId<GenerationId>(),
      accountId: payer.accountId,
      keyId: null,
      origin: "playground",
      model: "m",
      provider: "p",
      priceId: newId<PriceId>(),
      status: 200,
      outcome: "completed",
    }),
    wantNanos: toNanos(nanos),
    floorNanos: toNanos(nanos),
    atMostHalf: false,
    allOrNothing: false,
  });
  if (decision.verdict !== "held") throw new Error(`refused: ${decision.verdict}`);
  const { hold } = decision;
  return (costNanos: bigint) =>
    ledger.charge({ hold, state: "settled", costNanos: toNanos(costNanos) });
}

test("money held by running requests counts as unavailable", async () => {
  const payer = await site.newPayer();
  await move(payer, 8_000_000_000n);
  await setLowBalanceAlert(site.app.db, payer.accountId, toNanos(5_000_000_000n));
  await withLedger(async (ledger) => {
    const exact = await reserve(ledger, payer, 3_000_000_000n);
    await alertLowBalance(site.app.db, publicUrl);
    expect(await mailsTo(payer)).toEqual([]);
    await exact(0n);
    await ledger.recall(payer.accountId);
    const below = await reserve(ledger, payer, 3_000_000_001n);
    await alertLowBalance(site.app.db, publicUrl);
    expect(await mailsTo(payer)).toEqual([
      { kind: "low_balance", balanceUsd: "4.999999999", alertUsd: "5", link },
    ]);
    // Still held: the balance alone is above the level, and the owner is not warned twice.
    await move(payer, -1n);
    await alertLowBalance(site.app.db, publicUrl);
    expect(await mailsTo(payer)).toHaveLength(1);
    await below(0n);
  });
});

test("what an open lease has spent is deducted immediately, to the nano-dollar", async () => {
  const payer = await site.newPayer();
  await move(payer, 8_000_000_000n);
  await setLowBalanceAlert(site.app.db, payer.accountId, toNanos(5_000_000_000n));
  await withLedger(async (ledger) => {
    const charge = await reserve(ledger, payer, 8_000_000_000n);
    await charge(3_000_000_001n);
    await ledger.recall(payer.accountId);
    const [posted] = await site.owner.sql`
      select balance_nanos::text as balance from accounts where id = ${payer.accountId}`;
    expect(posted).toEqual({ balance: "8000000000" });
    await alertLowBalance(site.app.db, publicUrl);
    expect(await mailsTo(payer)).toEqual([
      { kind: "low_balance", balanceUsd: "4.999999999", alertUsd: "5", link },
    ]);
  });
});

test("reserved money that is released and reserved again causes one mail; new money ends the warning", async () => {
  const payer = await site.newPayer();
  await move(payer, 8_000_000_000n);
  await setLowBalanceAlert(site.app.db, payer.accountId, toNanos(5_000_000_000n));
  // The money was added long before the alert.
  const laterAlert = () => site.owner.sql`
    update accounts set low_balance_alerted_at = low_balance_alerted_at + interval '1 minute'
     where id = ${payer.accountId}`;
  const reserveAndReturn = async (ledger: Ledger) => {
    const charge = await reserve(ledger, payer, 6_000_000_000n);
    await alertLowBalance(site.app.db, publicUrl);
    await charge(0n);
    await ledger.recall(payer.accountId);
  };
  await withLedger(async (ledger) => {
    await reserveAndReturn(ledger);
    await laterAlert();
    await alertLowBalance(site.app.db, publicUrl);
    await reserveAndReturn(ledger);
    expect(await mailsTo(payer)).toHaveLength(1);
    await site.owner.sql`
      update accounts set low_balance_alerted_at = now() - interval '1 minute'
       where id = ${payer.accountId}`;
    await nextDay(payer);
    await move(payer, 1n);
    await alertLowBalance(site.app.db, publicUrl);
    await reserveAndReturn(ledger);
    expect(await mailsTo(payer)).toHaveLength(2);
  });
});
