// What a finished call costs, written once: within its hold, into its lease, or late.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { noFailpoint } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import type { Charge, Charged } from "../hold.ts";
import type { Ledger } from "../open-ledger.ts";
import {
  chargeOf,
  closeLease,
  grantOf,
  holdOf,
  type KeyLimits,
  openTestBooks,
  routeFacts,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { chargeCalls, type LeasedCharge } from "./charge-calls.ts";

let books: TestBooks;
let ledger: Ledger;
beforeAll(async () => {
  books = await openTestBooks();
  // Its clock stands still: neither the end of an hour nor of an idle time closes a lease.
  ledger = books.openLedger({ nowMs: () => 1_000 });
});
afterAll(() => books.close());
afterEach(async () => {
  await ledger.recall();
  expect(await books.check()).toEqual([]);
});

async function newHold(balance: bigint, want: bigint, limits?: KeyLimits) {
  const principal = await books.newPrincipal(balance, limits);
  const hold = grantOf(await ledger.hold(holdOf(principal, want)));
  return { ...principal, hold };
}

function charged(verdict: Charged["verdict"], amount: bigint, shortfall = 0n): Charged {
  return { verdict, chargedNanos: toNanos(amount), shortfallNanos: toNanos(shortfall) };
}

/** As the queue would send them, without a ledger in between. */
function send(charges: readonly Charge[]) {
  const items: LeasedCharge[] = charges.map((charge) => ({
    charge,
    lease: charge.hold.lease,
    capNanos: charge.hold.grantedNanos,
    late: false,
  }));
  const { instanceId } = books;
  return chargeCalls(books.app.sql, items, { instanceId, failpoint: noFailpoint });
}

describe("a charge", () => {
  test("of less than was held returns the rest; of all of it leaves nothing", async () => {
    const { hold, accountId, keyId } = await newHold(1_000n, 400n);
    expect(await ledger.charge(chargeOf(hold, 150n))).toEqual(charged("settled", 150n));
    await ledger.recall(accountId);
    expect(await books.shown(accountId)).toEqual({ balance: 850n, held: 0n });
    expect(await books.shownOfKey(keyId)).toMatchObject({ month_spent: 150n, month_held: 0n });
    const rest = grantOf(await ledger.hold(holdOf({ accountId, keyId }, 850n)));
    expect(await ledger.charge(chargeOf(rest, 850n))).toEqual(charged("settled", 850n));
    expect(await books.shown(accountId)).toEqual({ balance: 0n, held: 0n });
  });

  test("is written with its lease in one commit, and is posted to the ledger when the lease closes", async () => {
    const { hold, accountId } = await newHold(1_000n, 400n);
    await ledger.charge(chargeOf(hold, 150n));
    expect(await books.row(hold.request.facts.id)).toMatchObject({
      state: "settled",
      lease_id: hold.lease.id,
      held_nanos: "400",
      charged_nanos: "150",
      transaction_id: null,
    });
    expect(await books.leases(accountId)).toMatchObject([
      { id: hold.lease.id, spent_nanos: "150", calls: 1, closed_at: null, transaction_id: null },
    ]);
    await closeLease(books, hold);
    const [lease] = await books.leases(accountId);
    expect(lease).toMatchObject({ granted_nanos: "150", spent_nanos: "150" });
    expect(await entriesOf(lease?.transaction_id)).toEqual([
      ["account", "-150"],
      ["usage_revenue", "150"],
    ]);
    expect(await books.money(accountId)).toMatchObject({ balance: 850n, held: 0n });
  });

  test("of more than was held takes the hold and books the rest as shortfall", async () => {
    const { hold, accountId } = await newHold(1_000n, 400n);
    expect(await ledger.charge(chargeOf(hold, 650n))).toEqual(charged("settled", 400n, 250n));
    expect(await books.row(hold.request.facts.id)).toMatchObject({
      cost_nanos: "650",
      charged_nanos: "400",
      shortfall_nanos: "250",
    });
    await closeLease(books, hold);
    const [lease] = await books.leases(accountId);
    expect(await entriesOf(lease?.transaction_id)).toEqual([
      ["account", "-400"],
      ["shortfall", "-250"],
      ["usage_revenue", "650"],
    ]);
  });

  test("happens once: a second one moves nothing and returns the result of the first", async () => {
    const { hold, accountId } = await newHold(1_000n, 400n);
    await ledger.charge(chargeOf(hold, 100n));
    expect(await send([chargeOf(hold, 300n)])).toEqual([charged("already", 100n)]);
    expect(await books.shown(accountId)).toMatchObject({ balance: 900n });
    const other = await newHold(1_000n, 400n);
    const twice = await send([chargeOf(other.hold, 70n), chargeOf(other.hold, 70n)]);
    expect(twice.map((answer) => (answer === "late" ? answer : answer.chargedNanos))).toEqual([
      toNanos(70n),
      toNanos(70n),
    ]);
    expect(await books.shown(other.accountId)).toMatchObject({ balance: 930n });
  });

  test("repeated in a batch beside a new one returns its first result, and the new one is settled", async () => {
    const [first, second] = [await newHold(1_000n, 400n), await newHold(1_000n, 400n)];
    await ledger.charge(chargeOf(first.hold, 100n));
    expect(await send([chargeOf(first.hold, 300n), chargeOf(second.hold, 70n)])).toEqual([
      charged("already", 100n),
      charged("settled", 70n),
    ]);
  });

  test("of zero is a release: a row, a call, and no money", async () => {
    const { hold, accountId, keyId } = await newHold(1_000n, 400n);
    const released = await ledger.charge(chargeOf(hold, 0n, { state: "released" }));
    expect(released).toEqual(charged("released", 0n));
    expect(await books.shown(accountId)).toMatchObject({ balance: 1_000n });
    expect(await books.shownOfKey(keyId)).toMatchObject({ total_spent: 0n });
    expect(await books.leases(accountId)).toMatchObject([{ calls: 1, spent_nanos: "0" }]);
  });

  test("waits for no lock on its account or its key", async () => {
    const { hold, accountId, keyId } = await newHold(1_000n, 400n);
    await books.owner.sql.begin(async (sql) => {
      await sql`select 1 from accounts where id = ${accountId} for update`;
      await sql`select 1 from api_keys where id = ${keyId} for update`;
      expect(await ledger.charge(chargeOf(hold, 150n))).toEqual(charged("settled", 150n));
    });
  });

  test("records where the call went, at which price, and how it went", async () => {
    const { hold } = await newHold(1_000n, 400n);
    await ledger.charge(chargeOf(hold, 1n, {}, { completionTokens: 7, finishReason: "stop" }));
    expect(await books.row(hold.request.facts.id)).toMatchObject({
      model: "model",
      provider: "provider",
      price_id: routeFacts.priceId,
      completion_tokens: 7,
      finish_reason: "stop",
    });
  });

  test("records when the call was placed: as long before its end as its money was held", async () => {
    const { hold } = await newHold(1_000n, 400n);
    const early = { ...hold, heldAtMs: performance.now() - 600_000 };
    expect(await send([chargeOf(early, 1n)])).toEqual([charged("settled", 1n)]);
    const row = await books.owner.sql`
      select ended_at - placed_at >= interval '10 minutes' as early,
             ended_at - placed_at < interval '20 minutes' as near
        from requests where id = ${hold.request.facts.id}`;
    expect([...row]).toEqual([{ early: true, near: true }]);
  });

  test("without any known facts is a row of zeros, not of guesses", async () => {
    const { hold } = await newHold(1_000n, 400n);
    const facts = { status: 0, outcome: "" };
    await ledger.charge(chargeOf(hold, 0n, { state: "released" }, facts));
    expect(await books.row(hold.request.facts.id)).toMatchObject({
      status: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      cached_tokens: 0,
      cache_write_tokens: 0,
      reasoning_tokens: 0,
      usage_source: "none",
      attempts: null,
    });
  });

  test("is written, whatever text an upstream sent", async () => {
    const { hold } = await newHold(1_000n, 400n);
    const hostile = `a\0b\ud800${"x".repeat(10_000)}`;
    const attempt = { provider: "p", model: hostile, status: 200, firstByteMs: 1, error: hostile };
    const facts = {
      nativeFinishReason: hostile,
      upstreamId: hostile,
      attempts: [attempt],
    };
    expect(await ledger.charge(chargeOf(hold, 5n, {}, facts))).toEqual(charged("settled", 5n));
    const row = await books.row(hold.request.facts.id);
    expect(row?.native_finish_reason).toStartWith("ab\ufffdx");
    expect(row?.attempts).toMatchObject([{ provider: "p", status: 200 }]);
  });

  test("cannot be changed or repeated once written, not even by the owner of the tables", async () => {
    const { hold } = await newHold(1_000n, 400n);
    await ledger.charge(chargeOf(hold, 5n));
    const change = books.owner.sql`
      update requests set charged_nanos = 0, cost_nanos = 0 where id = ${hold.request.facts.id}`;
    expect(await change.catch((error) => error.code)).toBe("23001");
  });
});

describe("a late charge", () => {
  test("takes what is available up to the hold, books the rest as shortfall, once", async () => {
    const { hold, accountId, keyId } = await newHold(1_000n, 400n);
    await closeLease(books, hold);
    expect(await books.money(accountId)).toMatchObject({ balance: 1_000n, held: 0n });
    const other = books.openLedger();
    const rest = grantOf(await other.hold(holdOf({ accountId, keyId }, 900n)));
    expect(await ledger.charge(chargeOf(hold, 350n))).toEqual(charged("late_settled", 100n, 250n));
    expect(await books.shown(accountId)).toEqual({ balance: 900n, held: 900n });
    expect(await ledger.charge(chargeOf(hold, 350n))).toEqual(charged("already", 100n, 250n));
    expect(await books.row(hold.request.facts.id)).toMatchObject({
      state: "late_settled",
      charged_nanos: "100",
      held_nanos: "400",
    });
    await other.charge(chargeOf(rest, 0n, { state: "released" }));
  });

  test("never costs more than was held, however much the account has", async () => {
    const { hold, accountId } = await newHold(1_000n, 400n);
    await closeLease(books, hold);
    expect(await ledger.charge(chargeOf(hold, 700n))).toEqual(charged("late_settled", 400n, 300n));
    await ledger.recall(accountId);
    expect(await books.shown(accountId)).toEqual({ balance: 600n, held: 0n });
  });

  test("exceeds no spend limit of the key", async () => {
    for (const period of ["day", "week", "month", "total"] as const) {
      const { hold, accountId, keyId } = await newHold(10_000n, 400n, { [period]: 1_000n });
      await closeLease(books, hold);
      const other = books.openLedger();
      const rest = grantOf(await other.hold(holdOf({ accountId, keyId }, 900n)));
      expect(await ledger.charge(chargeOf(hold, 400n))).toEqual(
        charged("late_settled", 100n, 300n),
      );
      expect(await books.shownOfKey(keyId)).toMatchObject({
        [`${period}_spent`]: 100n,
        [`${period}_held`]: 900n,
      });
      await other.charge(chargeOf(rest, 0n, { state: "released" }));
    }
  });

  test("is paid by a suspended account and a revoked key: the answer was delivered", async () => {
    const { hold, accountId, keyId } = await newHold(1_000n, 400n);
    await closeLease(books, hold);
    await books.app.sql`update accounts set suspended_at = now() where id = ${accountId}`;
    await books.app.sql`update api_keys set revoked_at = now() where id = ${keyId}`;
    expect(await ledger.charge(chargeOf(hold, 300n))).toEqual(charged("late_settled", 300n));
  });

  test("two of one account in one batch share what is available and never overdraw it", async () => {
    const principal = await books.newPrincipal(1_000n);
    const [one, two] = [
      grantOf(await ledger.hold(holdOf(principal, 400n))),
      grantOf(await ledger.hold(holdOf(principal, 400n))),
    ];
    await closeLease(books, one);
    await books.move(principal.accountId, -500n);
    const answers = await Promise.all(
      [one, two].map((hold) => ledger.charge(chargeOf(hold, 400n))),
    );
    expect(answers).toEqual([charged("late_settled", 400n), charged("late_settled", 100n, 300n)]);
    await ledger.recall(principal.accountId);
    expect(await books.shown(principal.accountId)).toEqual({ balance: 0n, held: 0n });
  });
});

async function entriesOf(transactionId: unknown): Promise<[string, string][]> {
  const rows = await books.owner.sql<{ book: string; amount_nanos: string }[]>`
    select book, amount_nanos from entries where transaction_id = ${String(transactionId)}
     order by book, amount_nanos desc`;
  return rows.map((row) => [row.book, row.amount_nanos]);
}
