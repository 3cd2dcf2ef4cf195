// One number, one value: each quantity is read from every page that shows it, the customer's and the operator's, while
// a lease is open, so that what it has spent is not posted yet.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type LeaseId, newId } from "@turnpike/base";
import { addOperator } from "./add-operator.fixture.ts";
import { callProcedure, type Member, openTestApi, type TestApi } from "./open-test-api.fixture.ts";

const hourMs = 3_600_000;
let api: TestApi;
let ada: Member;
let operator: Member;

beforeAll(async () => {
  api = await openTestApi();
  ada = await api.addMember();
  operator = await addOperator(api, "finance");
  await writeHour();
});
afterAll(() => api.close());

/** $25 paid in; in this hour a key made two requests of 6,450,000 nano-dollars, a free one, and two that were refused. */
async function writeHour(): Promise<void> {
  const { accountId, ownedIds } = ada;
  const leaseId = newId<LeaseId>();
  const { sql } = api.owner;
  await sql`delete from requests where account_id = ${accountId}`;
  await sql`update accounts set balance_nanos = 25000000000, credited_nanos = 25000000000,
    held_nanos = 12900000 where id = ${accountId}`;
  await sql`insert into leases (account_id, id, key_id, instance_id, hour, granted_nanos, spent_nanos, calls)
    values (${accountId}, ${leaseId}, ${ownedIds.keyId}, ${newId()},
            date_trunc('hour', now() - interval '1 second', 'utc'), 12900000, 12900000, 3)`;
  await sql`update api_keys set total_held_nanos = 12900000 where id = ${ownedIds.keyId}`;
  for (const [state, outcome, status, nanos] of [
    ["settled", "completed", 200, 6_450_000],
    ["settled", "completed", 200, 6_450_000],
    ["settled", "completed", 200, 0],
    ["refused", "refused", 402, 0],
    ["refused", "refused", 404, 0],
  ] as const) {
    const lease = state === "settled" ? leaseId : null;
    const error = state === "settled" ? null : "insufficient_quota";
    await sql`
      insert into requests (account_id, id, key_id, lease_id, origin, state, model, provider, status,
                            outcome, error_code, held_nanos, cost_nanos, charged_nanos, placed_at, ended_at)
      values (${accountId}, ${newId()}, ${ownedIds.keyId}, ${lease}, 'api', ${state}, 'a/one', 'p',
              ${status}, ${outcome}, ${error}, ${nanos}, ${nanos}, ${nanos},
              now() - interval '1 second', now())`;
  }
}

async function ask<Value>(name: string, input: object, who = ada): Promise<Value> {
  const outcome = await callProcedure(name, await api.contextOf(who), input);
  if (!outcome.ok) throw new Error(`${name}: ${outcome.fault} ${outcome.param}`);
  return readAs<Value>(outcome.value);
}

/** Guarantees nothing: the test says what it expects, and fails if it is missing. */
function readAs<Value>(value: unknown): Value {
  return value as Value;
}

type Sums = { readonly requests: number; readonly costUsd: string };

async function readPages() {
  const range = {
    from: new Date(Date.now() - 2 * hourMs).toISOString(),
    to: new Date(Date.now() + hourMs).toISOString(),
    timeZone: "UTC",
  };
  const account = ada.accountId;
  return {
    overview: await ask<{ requests: number; topKeys: Sums[] }>("overview.read", {
      timeZone: "UTC",
    }),
    usage: await ask<{ cards: Sums; breakdown: Sums[] }>("usage.read", {
      ...range,
      groupBy: "key",
    }),
    logs: await ask<{ rows: unknown[] }>("logs.list", {}),
    ledger: await ask<{ rows: { usage: { calls: number } | null; balanceAfterUsd: string }[] }>(
      "wallet.ledger",
      { timeZone: "UTC", type: "usage" },
    ),
    wallet: await ask<{ balanceUsd: string; heldUsd: string }>("wallet.summary", {}),
    keys: await ask<{ id: string; spend: { total: { spentUsd: string } } }[]>("keys.list", {}),
    desk: await ask<{ balanceUsd: string; heldUsd: string }>(
      "operator.account.show",
      { account },
      operator,
    ),
    deskKeys: await ask<{ keys: { id: string; spentUsd: string }[] }>(
      "operator.key.list",
      { account },
      operator,
    ),
  };
}

test("requests, spending and balance are the same on every page that shows them, and at the desk", async () => {
  const { overview, usage, logs, ledger, wallet, keys, desk, deskKeys } = await readPages();
  const { keyId } = ada.ownedIds;
  expect({
    overview: overview.requests,
    overviewByKey: overview.topKeys[0]?.requests,
    usage: usage.cards.requests,
    usageByKey: usage.breakdown[0]?.requests,
    logs: logs.rows.length,
    ledger: ledger.rows[0]?.usage?.calls,
  }).toEqual({ overview: 5, overviewByKey: 5, usage: 5, usageByKey: 5, logs: 5, ledger: 5 });
  expect({
    overview: overview.topKeys[0]?.costUsd,
    usage: usage.cards.costUsd,
    keys: keys.find(({ id }) => id === keyId)?.spend.total.spentUsd,
    desk: deskKeys.keys.find(({ id }) => id === keyId)?.spentUsd,
  }).toEqual({ overview: "0.0129", usage: "0.0129", keys: "0.0129", desk: "0.0129" });
  expect([wallet.balanceUsd, desk.balanceUsd]).toEqual(["24.9871", "24.9871"]);
  expect([wallet.heldUsd, desk.heldUsd]).toEqual(["0", "0"]);
});

test("where no cost of a provider is known, cost and margin are unknown, not zero", async () => {
  const report = await ask<{ total: object; rows: object[] }>(
    "operator.money.report",
    { by: "provider" },
    operator,
  );
  const unknown = { costUsd: null, marginUsd: null, marginPercent: null };
  expect(report.rows[0]).toMatchObject({ name: "p", revenueUsd: "0.0129", ...unknown });
  expect(report.total).toMatchObject(unknown);
});

test("an adjustment is no payment, and a dispute is said with the account", async () => {
  const { accountId } = await api.addMember();
  await api.owner.sql`
    insert into top_ups (id, account_id, amount_nanos, credited_nanos, reversed_nanos, disputed_nanos,
                         evidence_due_at, processor, state)
    values (${newId()}, ${accountId}, 30000000000, 30000000000, 10000000000, 10000000000,
            '2026-12-24T12:00:00Z', 'stripe', 'paid')`;
  const show = () => ask<object>("operator.account.show", { account: accountId }, operator);
  const before = { paidUsd: "20", disputedUsd: "10", evidenceDueAt: "2026-12-24T12:00:00.000Z" };
  expect(await show()).toMatchObject(before);
  const adjusted = { account: accountId, usd: "5", reason: "goodwill" };
  await ask("operator.account.adjust", adjusted, operator);
  expect(await show()).toMatchObject({ ...before, balanceUsd: "5" });
  const { rows } = await ask<{ rows: { kind: string; what: string; detail: string }[] }>(
    "operator.account.timeline",
    { account: accountId, kinds: ["audit", "money"] },
    operator,
  );
  const told = rows.map(({ kind, what, detail }) => `${kind}: ${what}, ${detail}`);
  expect(told).toContainEqual(expect.stringMatching(/^money: Adjustment, goodwill, operator /));
  expect(told).toContainEqual(
    expect.stringMatching(/^audit: Account: credit, .*usd \$5\.00, reason goodwill$/),
  );
});
