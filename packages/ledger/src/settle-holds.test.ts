import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { newId, noFailpoint, type RequestId, toNanos } from "@turnpike/base";
import { noFacts, type Settled, type Settlement } from "./hold.ts";
import type { Ledger } from "./open-ledger.ts";
import {
  grantOf,
  holdOf,
  type KeyLimits,
  openTestBooks,
  settlementOf,
  type TestBooks,
} from "./open-test-books.ts";
import { settleHolds } from "./settle-holds.ts";

let books: TestBooks;
let ledger: Ledger;
beforeAll(async () => {
  books = await openTestBooks();
  ledger = books.openLedger();
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

async function newHold(balance: bigint, want: bigint, limits?: KeyLimits) {
  const spender = await books.newSpender(balance, limits);
  const hold = holdOf(spender, want);
  grantOf(await ledger.placeHold(hold));
  return { ...spender, hold };
}

function settled(verdict: Settled["verdict"], charged: bigint, shortfall = 0n): Settled {
  return { verdict, chargedNanos: toNanos(charged), shortfallNanos: toNanos(shortfall) };
}

async function expire(id: RequestId): Promise<void> {
  await books.owner
    .sql`update requests set expires_at = now() - interval '1 second' where id = ${id}`;
  expect(await ledger.reapHolds({ silentMs: 60_000, limit: 100 })).toBe(1);
}

describe("settling", () => {
  test("less than was held gives the rest back; all of it leaves nothing", async () => {
    const { hold, accountId, keyId } = await newHold(1_000n, 400n);
    expect(await ledger.settleHold(settlementOf(hold, 150n))).toEqual(settled("settled", 150n));
    expect(await books.money(accountId)).toMatchObject({ balance: 850n, held: 0n });
    expect(await books.counters(keyId)).toMatchObject({ month_spent: 150n, month_held: 0n });
    const rest = holdOf({ accountId, keyId }, 850n);
    grantOf(await ledger.placeHold(rest));
    expect(await ledger.settleHold(settlementOf(rest, 850n))).toEqual(settled("settled", 850n));
    expect(await books.money(accountId)).toMatchObject({ balance: 0n, held: 0n });
  });

  test("more than was held charges the hold and books the rest as shortfall", async () => {
    const { hold, accountId } = await newHold(1_000n, 400n);
    expect(await ledger.settleHold(settlementOf(hold, 650n))).toEqual(
      settled("settled", 400n, 250n),
    );
    expect(await books.money(accountId)).toMatchObject({ balance: 600n, held: 0n });
    const row = await books.row(hold.id);
    expect(row).toMatchObject({ cost_nanos: "650", charged_nanos: "400", shortfall_nanos: "250" });
    expect(await entriesOf(row?.transaction_id)).toEqual([
      ["account", "-400"],
      ["shortfall", "-250"],
      ["usage_revenue", "650"],
    ]);
  });

  test("a hold ends once: a second end moves nothing, whatever it says", async () => {
    const { hold, accountId } = await newHold(1_000n, 400n);
    await ledger.settleHold(settlementOf(hold, 100n));
    for (const state of ["settled", "released", "expired"] as const) {
      const again = await ledger.settleHold(settlementOf(hold, 300n, { state }));
      expect(again).toEqual(settled("already", 100n));
    }
    const twice = settlementOf((await newHold(1_000n, 400n)).hold, 70n);
    expect(
      await settleHolds(books.app.sql, [twice, twice], { wait: true, failpoint: noFailpoint }),
    ).toEqual([settled("settled", 70n), settled("already", 0n)]);
    expect(await books.money(accountId)).toMatchObject({ balance: 900n, held: 0n });
  });

  test("a release charges nothing, even with a cost", async () => {
    const { hold, accountId, keyId } = await newHold(1_000n, 400n);
    const released = await ledger.settleHold(settlementOf(hold, 99n, { state: "released" }));
    expect(released).toEqual(settled("released", 0n));
    expect(await books.money(accountId)).toMatchObject({ balance: 1_000n, held: 0n });
    expect(await books.counters(keyId)).toMatchObject({ total_spent: 0n, total_held: 0n });
  });

  test("a batch is one ledger transaction with one leg per account", async () => {
    const [a, b] = [await newHold(1_000n, 400n), await newHold(1_000n, 400n)];
    const more = holdOf(a, 100n);
    grantOf(await ledger.placeHold(more));
    const batch = [settlementOf(a.hold, 10n), settlementOf(b.hold, 20n), settlementOf(more, 5n)];
    await settleHolds(books.app.sql, batch, { wait: false, failpoint: noFailpoint });
    const row = await books.row(a.hold.id);
    expect(await entriesOf(row?.transaction_id)).toEqual([
      ["account", "-15"],
      ["account", "-20"],
      ["usage_revenue", "35"],
    ]);
  });

  test("the price version pinned by the hold stays, whatever the settlement says about the rest", async () => {
    const { hold } = await newHold(1_000n, 400n);
    const facts = { ...noFacts, provider: "other", completionTokens: 7, finishReason: "stop" };
    await ledger.settleHold(settlementOf(hold, 1n, { facts }));
    expect(await books.row(hold.id)).toMatchObject({
      price_id: hold.priceId,
      provider: "other",
      completion_tokens: 7,
      finish_reason: "stop",
    });
  });

  test("a settlement of nobody's hold moves nothing", async () => {
    const { accountId } = await books.newSpender(10n);
    const unknown = settlementOf({ id: newId<RequestId>(), accountId }, 5n);
    expect(await ledger.settleHold(unknown)).toEqual(settled("missing", 0n));
    expect(await books.money(accountId)).toMatchObject({ balance: 10n });
  });

  test("a hold that was released before it came can no longer come", async () => {
    const spender = await books.newSpender(1_000n);
    const hold = holdOf(spender, 400n);
    const facts = { ...noFacts, status: 503, outcome: "abandoned", errorCode: "overloaded" };
    const release: Settlement = settlementOf(hold, 0n, { state: "released", facts });
    expect(await ledger.settleHold(release)).toEqual(settled("missing", 0n));
    await expect(ledger.placeHold(hold)).rejects.toThrow("overloaded");
    expect(await books.money(spender.accountId)).toMatchObject({ held: 0n });
    expect(await books.row(hold.id)).toMatchObject({ state: "refused", status: 503 });
  });

  test("text of an upstream cannot keep a settlement from being booked", async () => {
    const { hold } = await newHold(1_000n, 400n);
    const hostile = `a\0b\ud800${"x".repeat(10_000)}`;
    const attempt = { provider: "p", model: hostile, status: 200, firstByteMs: 1, error: hostile };
    const facts = {
      ...noFacts,
      nativeFinishReason: hostile,
      upstreamId: hostile,
      attempts: [attempt],
    };
    expect(await ledger.settleHold(settlementOf(hold, 5n, { facts }))).toEqual(
      settled("settled", 5n),
    );
    const row = await books.row(hold.id);
    expect(row?.native_finish_reason).toStartWith("ab\ufffdx");
    expect(row?.attempts).toMatchObject([{ provider: "p", status: 200 }]);
  });
});

describe("settling late", () => {
  test("takes what is available, books the rest as shortfall, once", async () => {
    const { hold, accountId, keyId } = await newHold(1_000n, 400n);
    await expire(hold.id);
    expect(await books.money(accountId)).toMatchObject({ balance: 1_000n, held: 0n });
    grantOf(await ledger.placeHold(holdOf({ accountId, keyId }, 900n)));
    expect(await ledger.settleHold(settlementOf(hold, 350n))).toEqual(
      settled("late_settled", 100n, 250n),
    );
    expect(await books.money(accountId)).toMatchObject({ balance: 900n, held: 900n });
    expect(await ledger.settleHold(settlementOf(hold, 350n))).toEqual(
      settled("already", 100n, 250n),
    );
    expect(await books.row(hold.id)).toMatchObject({ state: "late_settled", charged_nanos: "100" });
  });

  test("charges no more than was held, however much money is there", async () => {
    const { hold, accountId, keyId } = await newHold(1_000n, 400n);
    await expire(hold.id);
    expect(await ledger.settleHold(settlementOf(hold, 700n))).toEqual(
      settled("late_settled", 400n, 300n),
    );
    expect(await books.money(accountId)).toMatchObject({ balance: 600n });
    expect(await books.counters(keyId)).toMatchObject({ total_spent: 400n });
    const row = await books.row(hold.id);
    expect(await entriesOf(row?.transaction_id)).toEqual([
      ["account", "-400"],
      ["shortfall", "-300"],
      ["usage_revenue", "700"],
    ]);
  });

  test("two of one account in one batch charge each its hold, and together no more than the balance", async () => {
    const { hold, accountId, keyId } = await newHold(1_000n, 400n);
    const other = holdOf({ accountId, keyId }, 500n);
    grantOf(await ledger.placeHold(other));
    for (const { id } of [hold, other]) await expire(id);
    grantOf(await ledger.placeHold(holdOf({ accountId, keyId }, 300n)));
    const batch = [settlementOf(hold, 900n), settlementOf(other, 900n)];
    expect(await settleHolds(books.app.sql, batch, { wait: true, failpoint: noFailpoint })).toEqual(
      [settled("late_settled", 400n, 500n), settled("late_settled", 300n, 600n)],
    );
    expect(await books.money(accountId)).toMatchObject({ balance: 300n, held: 300n });
  });

  test("passes no spend limit of the key", async () => {
    for (const period of ["day", "week", "month", "total"] as const) {
      const { hold, accountId, keyId } = await newHold(10_000n, 400n, { [period]: 1_000n });
      await expire(hold.id);
      grantOf(await ledger.placeHold(holdOf({ accountId, keyId }, 900n)));
      expect(await ledger.settleHold(settlementOf(hold, 400n))).toEqual(
        settled("late_settled", 100n, 300n),
      );
      expect(await books.counters(keyId)).toMatchObject({
        [`${period}_spent`]: 100n,
        [`${period}_held`]: 900n,
      });
    }
  });

  test("a release after expiry changes nothing", async () => {
    const { hold } = await newHold(1_000n, 400n);
    await expire(hold.id);
    const release = settlementOf(hold, 0n, { state: "released" });
    expect(await ledger.settleHold(release)).toEqual(settled("already", 0n));
  });
});

describe("periods", () => {
  test("a charge belongs to the day its hold was placed, not to today's counter", async () => {
    const { hold, accountId, keyId } = await newHold(1_000n, 400n, { day: 500n });
    await makeYesterday(keyId, hold.id);
    const today = holdOf({ accountId, keyId }, 500n);
    grantOf(await ledger.placeHold(today));
    expect(await ledger.settleHold(settlementOf(hold, 300n))).toEqual(settled("settled", 300n));
    expect(await books.counters(keyId)).toMatchObject({
      day_spent: 0n,
      day_held: 500n,
      total_spent: 300n,
    });
    await ledger.settleHold(settlementOf(today, 200n));
    expect(await books.counters(keyId)).toMatchObject({ day_spent: 200n, day_held: 0n });
  });

  test("a new day starts with its whole limit, yesterday's spending notwithstanding", async () => {
    const { hold, accountId, keyId } = await newHold(1_000n, 400n, { day: 400n });
    await ledger.settleHold(settlementOf(hold, 400n));
    expect(await ledger.placeHold(holdOf({ accountId, keyId }, 1n))).toMatchObject({
      verdict: "key_day",
    });
    await makeYesterday(keyId, hold.id);
    grantOf(await ledger.placeHold(holdOf({ accountId, keyId }, 400n)));
  });
});

/** Moves a key's periods and its one request into last month, as the owner may. */
async function makeYesterday(keyId: string, id: RequestId): Promise<void> {
  await books.owner.sql.begin(async (sql) => {
    await sql`alter table requests disable trigger requests_end_once`;
    await sql`update requests set placed_at = placed_at - interval '40 days' where id = ${id}`;
    await sql`alter table requests enable trigger requests_end_once`;
    await sql`
      update api_keys k set day_start = r.at::date, week_start = date_trunc('week', r.at)::date,
             month_start = date_trunc('month', r.at)::date
        from (select placed_at at time zone 'utc' as at from requests where id = ${id}) r
       where k.id = ${keyId}`;
  });
}

async function entriesOf(transactionId: unknown): Promise<[string, string][]> {
  const rows = await books.owner.sql<{ book: string; amount_nanos: string }[]>`
    select book, amount_nanos from entries where transaction_id = ${String(transactionId)}
     order by book, amount_nanos desc`;
  return rows.map((row) => [row.book, row.amount_nanos]);
}
