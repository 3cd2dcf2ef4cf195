// Low-balance mails: once per fall below the level, again after money came in, never without a level.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { setLowBalanceAlert } from "@turnpike/auth";
import { toNanos } from "@turnpike/base";
import { postMovement } from "@turnpike/ledger";
import { alertLowBalance } from "./alert-low-balance.ts";
import { openTestBilling, type Payer, type TestBilling } from "./open-test-billing.ts";

let site: TestBilling;

beforeAll(async () => {
  site = await openTestBilling();
});

afterAll(() => site.close());

const link = "https://turnpike.example/wallet";

async function move(payer: Payer, amountNanos: bigint): Promise<void> {
  await postMovement(site.app.db, {
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

test("a balance below its level is told once, and again after it had been above", async () => {
  const payer = await site.newPayer();
  await move(payer, 3_000_000_000n);
  await setLowBalanceAlert(site.app.db, payer.accountId, toNanos(5_000_000_000n));
  await alertLowBalance(site.app.db, link);
  await alertLowBalance(site.app.db, link);
  expect(await mailsTo(payer)).toEqual([
    { kind: "low_balance", balanceUsd: "3", alertUsd: "5", link },
  ]);
  await move(payer, 7_000_000_000n);
  await alertLowBalance(site.app.db, link);
  expect(await mailsTo(payer)).toHaveLength(1);
  await move(payer, -6_000_000_000n);
  await alertLowBalance(site.app.db, link);
  expect(await mailsTo(payer)).toHaveLength(2);
});

test("exactly the level is not below it, and no level is no alert", async () => {
  const [exact, silent] = [await site.newPayer(), await site.newPayer()];
  await move(exact, 5_000_000_000n);
  await setLowBalanceAlert(site.app.db, exact.accountId, toNanos(5_000_000_000n));
  await alertLowBalance(site.app.db, link);
  expect(await mailsTo(exact)).toEqual([]);
  expect(await mailsTo(silent)).toEqual([]);
});

test("money held by running requests is not available, so it counts as gone", async () => {
  const payer = await site.newPayer();
  await move(payer, 8_000_000_000n);
  await setLowBalanceAlert(site.app.db, payer.accountId, toNanos(5_000_000_000n));
  const hold = (nanos: bigint) => site.owner.sql`
    update accounts set held_nanos = ${nanos.toString()} where id = ${payer.accountId}`;
  await hold(3_000_000_000n);
  await alertLowBalance(site.app.db, link);
  expect(await mailsTo(payer)).toEqual([]);
  await hold(3_000_000_001n);
  await alertLowBalance(site.app.db, link);
  expect(await mailsTo(payer)).toEqual([
    { kind: "low_balance", balanceUsd: "4.999999999", alertUsd: "5", link },
  ]);
  // Still held: the balance alone is above the level, and nobody is told twice.
  await move(payer, -1n);
  await alertLowBalance(site.app.db, link);
  expect(await mailsTo(payer)).toHaveLength(1);
  await hold(0n);
});
