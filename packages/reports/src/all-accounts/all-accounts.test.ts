// What operators read about the money of all accounts agrees with the calls and with the ledger, to the nano: also while
// some calls are added up and others are not.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AccountId } from "@turnpike/base";
import type { Book } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { untilHourHasRoom } from "@turnpike/testing";
import { call, openTestReports, type TestReports } from "../open-test-reports.fixture.ts";
import { rollUpUsage } from "../roll-up-usage.ts";
import { monthOf, queryClose, queryJournal } from "./query-journal.ts";
import { type MoneyGroup, moneyGroups, queryMoney } from "./query-money.ts";

let reports: TestReports;
const accounts: AccountId[] = [];
const dayMs = 86_400_000;
// What is computed here holds for all tests of this file.
await untilHourHasRoom(120_000);
const wide = { from: new Date(Date.now() - 10 * dayMs), to: new Date(Date.now() + dayMs) };
const month = new Date().toISOString().slice(0, 7);

beforeAll(async () => {
  reports = await openTestReports();
  for (const nanos of [9_000n, 8_000n]) accounts.push(await reports.newAccount(nanos));
  for (const [index, accountId] of accounts.entries()) {
    await writeCalls(accountId, "20 minutes", 40 + index);
    const ledger = await reports.openLedger();
    for (const cost of [700n, 90n, 0n]) await call(ledger, { accountId, keyId: null }, cost);
    await ledger.drain();
  }
});
afterAll(async () => {
  expect(await reports.check()).toEqual([]);
  await reports.close();
});

/** Free, refused and failed calls, some older by days; a third of them cost the operator something. */
async function writeCalls(accountId: AccountId, age: string, count: number): Promise<void> {
  await reports.owner.sql`
    insert into requests (account_id, id, state, model, provider, status, outcome, usage_details, prompt_tokens,
                          first_byte_ms, placed_at, ended_at)
    select ${accountId}, encode(overlay(uuid_send(uuid7_floor(at))
             placing substring(uuid_send(gen_random_uuid()) from 9 for 8) from 9 for 8), 'hex')::uuid,
           'refused', 'm/' || n % 3, 'p' || n % 2, (array[200, 402, 502])[1 + n % 3],
           (array['completed', 'refused', 'failed'])[1 + n % 3],
           case when n % 3 = 0 then jsonb_build_object('operatorCostNanos', n::text) end, n, 100, at, at
      from (select n, now() - ${age}::interval - n / 20 * interval '1 day' as at from generate_series(1, ${count}) n) c`;
}

/** The same from the calls themselves. */
const expectedNames: Readonly<Record<MoneyGroup, string>> = {
  day: "to_char(placed_at at time zone 'utc', 'YYYY-MM-DD')",
  model: "model",
  provider: "provider",
  route: "model || ' ' || provider",
  account: "account_id::text",
};

async function expected(by: MoneyGroup) {
  const rows = await reports.owner.sql.unsafe(`
    select ${expectedNames[by]} as name, count(*)::int as calls,
           (count(*) filter (where outcome = 'completed' and cost_nanos = 0))::int as "freeCalls",
           (count(*) filter (where status between 400 and 499))::int as "refusedCalls",
           (count(*) filter (where status >= 500))::int as "failedCalls",
           sum(prompt_tokens)::int as "promptTokens", sum(charged_nanos)::text as revenue,
           coalesce(sum((usage_details ->> 'operatorCostNanos')::bigint), 0)::text as cost
      from requests group by 1 order by 1`);
  return rows.map(({ revenue, cost, ...row }) => ({
    ...row,
    revenueNanos: toNanos(BigInt(revenue)),
    costNanos: toNanos(BigInt(cost)),
  }));
}

test.each([...moneyGroups])("sums by %s are those of the calls", async (by) => {
  await rollUpUsage(reports.owner.db);
  const { rows, total, coveredFrom } = await queryMoney(reports.app.db, {
    ...wide,
    by,
    order: "revenue",
    limit: 100,
  });
  const wanted = await expected(by);
  const byName = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(coveredFrom).toBeNull();
  expect(byName).toMatchObject(wanted);
  expect(rows).toHaveLength(wanted.length);
  expect(total).toMatchObject({ calls: 87, revenueNanos: 2n * 790n });
  // Calls of the last minutes are read one by one, older ones from their sums.
  await writeCalls(accounts[0] ?? accountMissing(), "10 seconds", 1);
  const later = await queryMoney(reports.app.db, { ...wide, by, order: "calls", limit: 1 });
  expect(later.total.calls).toBe(88);
  expect(later.rows).toHaveLength(1);
  await reports.owner
    .sql`delete from requests where placed_at > now() - interval '1 minute' and model <> 'm/one'`;
});

function accountMissing(): never {
  throw new Error("no account");
}

test("a journal balances in every entry and agrees with the ledger; a close opens where it began", async () => {
  await reports.move(accounts[0] ?? accountMissing(), -200n, "correction");
  const { db, sql } = reports.app;
  const range = monthOf(month);
  if (range === undefined) throw new Error("no month");
  const lines = await queryJournal(db, range);
  for (const entry of Map.groupBy(lines, ({ date, kind }) => `${date} ${kind}`).values()) {
    const debits = entry.reduce((sum, { debitNanos }) => sum + debitNanos, 0n);
    expect(debits).toBe(entry.reduce((sum, { creditNanos }) => sum + creditNanos, 0n));
  }
  const inLedger = await sql<{ book: Book; amount: string }[]>`
    select book, sum(amount_nanos)::text as amount from entries group by 1 having sum(amount_nanos) <> 0 order by 1`;
  const inJournal = [...Map.groupBy(lines, ({ book }) => book)].map(([book, rows]) => ({
    book,
    amount: `${rows.reduce((sum, row) => sum + row.creditNanos - row.debitNanos, 0n)}`,
  }));
  expect(inJournal.toSorted((a, b) => (a.book < b.book ? -1 : 1))).toEqual(
    inLedger.map(({ book, amount }) => ({ book, amount })),
  );

  const close = await queryClose(db, range, lines);
  const [balance] = await sql`select sum(balance_nanos)::text as nanos from accounts`;
  expect(close).toMatchObject({ openingNanos: 0n, closingNanos: BigInt(balance?.nanos) });
  const moved = close.movements.reduce((sum, { nanos }) => sum + nanos, 0n);
  expect(close.openingNanos + moved).toBe(close.closingNanos);
  expect(monthOf("2026-13")).toBeUndefined();
  const before = monthOf("2020-01");
  if (before === undefined) throw new Error("no month");
  expect(await queryClose(db, before, [])).toMatchObject({ openingNanos: 0n, closingNanos: 0n });
});
