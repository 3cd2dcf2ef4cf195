// Everything that the server's role could try in order to make money is refused, and nothing has moved: credits without
// an order, adjustments, negative releases, charges of another account's lease, requests without a lease.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import {
  type AccountId,
  type GenerationId,
  type LedgerTransactionId,
  newId,
  noFailpoint,
} from "@turnpike/base";
import { arrayLiteral } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { createCallFacts } from "../charges/call-facts.ts";
import { chargeCalls } from "../charges/charge-calls.ts";
import { requestMembers, writeRequest } from "../charges/write-request.ts";
import type { Charge } from "../hold.ts";
import { releaseLeases } from "../leases/release-leases.ts";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type TestBooks,
  withFacts,
} from "../open-test-books.fixture.ts";
import { type Movement, postMovement } from "./post-movement.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterEach(async () => {
  expect(await books.check()).toEqual([]);
});
afterAll(() => books.close());

async function refusalOf(forgery: Promise<unknown>): Promise<string> {
  try {
    await forgery;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return `${error} ${cause}`;
  }
  return "not refused";
}

const order = (changes: object = {}) => ({
  id: newId(),
  amount_nanos: 500,
  state: "paid",
  processor: "stripe",
  checkout_session_id: `cs_${newId()}`,
  payment_intent_id: `pi_${newId()}`,
  credited_nanos: 500,
  ...changes,
});

function credit(accountId: AccountId, idempotencyKey: string, changes: Partial<Movement> = {}) {
  return postMovement(books.app.db, {
    accountId,
    amountNanos: toNanos(500n),
    kind: "top_up",
    book: "stripe_clearing",
    idempotencyKey,
    reason: "forged",
    actor: "stripe",
    ...changes,
  });
}

describe("post_movement refuses the server's role", () => {
  const noOrder = "is not that of an order";
  test.each([
    ["a top-up without an order", {}, noOrder],
    ["a top-up under a key of its own", { idempotencyKey: "forged" }, noOrder],
    ["a negative top-up", { amountNanos: toNanos(-1n) }, "is no movement"],
    ["a movement of nothing", { amountNanos: toNanos(0n) }, "is no movement"],
    ["a top-up from another book", { book: "adjustments" }, "is not posted to"],
    [
      "a refund that gives money",
      { kind: "refund", book: "refunds", idempotencyKey: `refund:${newId()}:1` },
      noOrder,
    ],
    ["a dispute without an order", { kind: "dispute", book: "disputes" }, noOrder],
    ["an adjustment", { kind: "adjustment", book: "adjustments" }, "only the role that owns"],
    [
      "an adjustment that takes money",
      { kind: "adjustment", book: "adjustments", amountNanos: toNanos(-1n) },
      "only the role that owns",
    ],
  ] satisfies readonly (readonly [string, Partial<Movement>, string])[])(
    "%s",
    async (_, changes, refusal) => {
      const { accountId } = await books.newPrincipal(100n);
      const forgery = credit(accountId, `stripe:pi_${newId()}`, changes);
      expect(await refusalOf(forgery)).toContain(refusal);
      expect(await books.money(accountId)).toMatchObject({ balance: 100n });
    },
  );

  test("a credit of an order's amount to another account, of another amount, or of an unpaid order", async () => {
    const { accountId } = await books.newPrincipal(0n);
    const other = await books.newPrincipal(0n);
    const paid = order();
    const unpaid = order({ state: "pending", credited_nanos: 0 });
    const key = ({ payment_intent_id }: typeof paid) => `stripe:${payment_intent_id}`;
    const forgeries = [
      (): Promise<unknown> => credit(other.accountId, key(paid)),
      () => credit(accountId, key(paid), { amountNanos: toNanos(501n) }),
      () => credit(accountId, key(unpaid)),
    ];
    for (const forge of forgeries) {
      await books.owner.sql.begin(async (sql) => {
        for (const row of [paid, unpaid]) {
          await sql`insert into top_ups ${sql({ ...row, account_id: accountId })}`;
        }
      });
      expect(await refusalOf(forge())).toContain(noOrder);
      await books.owner.sql`delete from top_ups`;
    }
    expect(await books.money(accountId)).toMatchObject({ balance: 0n });
    expect(await books.money(other.accountId)).toMatchObject({ balance: 0n });
  });

  test("a second credit of an order, and more reversals or reinstatements than it had", async () => {
    const { accountId } = await books.newPrincipal(0n);
    const paid = order();
    await books.owner
      .sql`insert into top_ups ${books.owner.sql({ ...paid, account_id: accountId })}`;
    await credit(accountId, `stripe:${paid.payment_intent_id}`);
    const refundOf = (version: number, nanos: bigint): Movement => ({
      accountId,
      idempotencyKey: `refund:${paid.id}:${version}`,
      kind: "refund",
      book: "refunds",
      amountNanos: toNanos(nanos),
      reason: "test",
      actor: "stripe",
    });
    const refund = (version: number, nanos: bigint) =>
      postMovement(books.app.db, refundOf(version, nanos));
    const reverse = (id: string, version: number, nanos: bigint) =>
      books.app.db.transaction(async (transaction) => {
        await postMovement(transaction, refundOf(version, nanos));
        await transaction.execute(
          `update top_ups set reversed_nanos = ${-nanos}, version = ${version} where id = '${id}'`,
        );
      });
    expect(await refusalOf(credit(accountId, `stripe:pi_${newId()}`))).toContain(noOrder);
    expect(await refusalOf(refund(1, 100n))).toContain(noOrder);
    expect(await refusalOf(refund(0, -100n))).toContain(noOrder);
    await reverse(paid.id, 1, -100n);
    expect(await refusalOf(refund(2, 100n))).toContain(noOrder);
    expect(await books.money(accountId)).toMatchObject({ balance: 400n });
  });
});

test("a lease that would return a negative amount, and so grow, is refused", async () => {
  const principal = await books.newPrincipal(100n);
  const hold = grantOf(await books.openLedger().hold(holdOf(principal, 60n)));
  const release = {
    ...principal,
    leaseId: hold.lease.id,
    amountNanos: -40n,
    kind: "return" as const,
  };
  const forgery = releaseLeases(books.app.sql, [release], books);
  expect(await refusalOf(forgery)).toContain("a lease returns a negative amount");
  expect(await books.money(principal.accountId)).toMatchObject({ balance: 100n, held: 60n });
});

test("a call is not written at the lease of another account, and not as free at a cost", async () => {
  const ledger = books.openLedger();
  const payer = await books.newPrincipal(100n);
  const other = await books.newPrincipal(100n);
  const hold = grantOf(await ledger.hold(holdOf(payer, 60n)));
  const charge = chargeOf(hold, 50n);
  const send = (forged: Charge) =>
    chargeCalls(
      books.app.sql,
      [{ charge: forged, lease: hold.lease, capNanos: 60n, late: false }],
      { instanceId: books.instanceId, failpoint: noFailpoint },
    );
  const ofOther = withFacts(hold, other);
  const own = grantOf(await ledger.hold(holdOf(other, 60n)));
  // A batch may name both accounts.
  const items = [
    { charge: { ...charge, hold: ofOther }, lease: hold.lease, capNanos: 60n, late: false },
    { charge: chargeOf(hold, 10n), lease: hold.lease, capNanos: 60n, late: false },
    { charge: chargeOf(own, 10n), lease: own.lease, capNanos: 60n, late: false },
  ];
  const terms = { instanceId: books.instanceId, failpoint: noFailpoint };
  const [forged] = await chargeCalls(books.app.sql, items, terms);
  expect(forged).toBe("late");
  expect(await refusalOf(send({ ...charge, state: "released" }))).toContain(
    "a call that ran is not",
  );
});

test("no charge is negative, above the grant of its lease, or free at a cost", async () => {
  const payer = await books.newPrincipal(60n);
  const hold = grantOf(await books.openLedger().hold(holdOf(payer, 60n)));
  const terms = { instanceId: books.instanceId, failpoint: noFailpoint };
  const send = (held: bigint, cap: bigint, cost: bigint, state: string, count: number) => {
    const charge = chargeOf({ ...hold, grantedNanos: toNanos(held) }, cost);
    const item = { charge: Object.assign(charge, { state }), lease: hold.lease, capNanos: cap };
    const items = Array.from({ length: count }, () => ({ ...item, late: false }));
    return refusalOf(chargeCalls(books.app.sql, items, terms));
  };
  // Alone, and in a batch.
  for (const count of [1, 2]) {
    const settle = (held: bigint, cap: bigint, cost: bigint) =>
      send(held, cap, cost, "settled", count);
    expect(await settle(60n, 60n, -1n)).toContain("violates check constraint");
    expect(await settle(60n, -10n, 10n)).toContain("violates check constraint");
    expect(await settle(-10n, 60n, 10n)).toContain("violates check constraint");
    expect(await settle(100n, 100n, 100n)).toContain("leases_spent_within_grant");
    for (const state of ["released", "expired", "refused"]) {
      expect(await send(60n, 60n, 10n, state, count)).toContain("a call that ran is not");
    }
  }
  expect(await books.money(payer.accountId)).toMatchObject({ balance: 60n, held: 60n });
});

test("a free call has neither money nor usage, and no call names a transaction, whatever the server's role writes", async () => {
  const payer = await books.newPrincipal(100n);
  const hold = grantOf(await books.openLedger().hold(holdOf(payer, 60n)));
  const { instanceId } = books;
  const usage = { promptTokens: 7, completionTokens: 8, cachedTokens: 9, reasoningTokens: 6 };
  const none = toNanos(0n);
  const forged = (state: "released" | "settled", costNanos = none) =>
    writeRequest({
      ...createCallFacts({ ...payer, ...usage, id: newId<GenerationId>(), outcome: "forged" }),
      instanceId,
      leaseId: hold.lease.id,
      transactionId: newId<LedgerTransactionId>(),
      state,
      heldNanos: toNanos(10n),
      costNanos,
      chargedNanos: costNanos,
      shortfallNanos: none,
    });
  const free = arrayLiteral([forged("released", toNanos(10n))]);
  await books.app.sql`select log_calls(${requestMembers}::int, ${free}::text)`;
  const batch = arrayLiteral([forged("settled"), forged("settled")]);
  await books.app
    .sql`select charge_calls(${requestMembers}::int, ${batch}::text, '{1,1}'::bigint[])`;
  const single = forged("settled");
  await books.app.sql`select charge_single_call(${requestMembers}::int, ${single}::text, 1)`;
  const rows = await books.owner.sql`
    select state, outcome, lease_id, transaction_id, prompt_tokens + completion_tokens as tokens,
           cached_tokens + reasoning_tokens as parts, held_nanos::int + cost_nanos::int as nanos
      from requests where account_id = ${payer.accountId} order by state, id`;
  const charged = { state: "settled", lease_id: hold.lease.id, transaction_id: null };
  const unpaid = { state: "released", lease_id: null, transaction_id: null, tokens: 0, parts: 0 };
  expect([...rows]).toMatchObject([
    { ...unpaid, outcome: "completed", nanos: 0 },
    charged,
    charged,
    charged,
  ]);
});

test("the server's role inserts no request, not even one that was refused", async () => {
  const { accountId } = await books.newPrincipal(0n);
  for (const state of ["settled", "expired", "refused"]) {
    const forgery = books.app.sql`
      insert into requests (account_id, id, state, origin, operation, status, outcome)
      values (${accountId}, ${newId()}, ${state}, 'api', 'chat', 200, 'completed')`;
    expect(await refusalOf(forgery)).toContain("permission denied for table requests");
  }
});

test("the owner, who restores and moves rows, inserts those of before there were leases", async () => {
  const restored = books.owner.sql.begin(async (sql) => {
    await sql`insert into requests (account_id, id, state) values (${newId()}, ${newId()}, 'settled')`;
    throw new Error("inserted, and rolled back");
  });
  expect(await refusalOf(restored)).toContain("inserted, and rolled back");
});

test("partitions are made for at most a year ahead", async () => {
  for (const months of [13, 1_000_000, -1]) {
    const forgery = books.app.sql`select ensure_request_partitions(${months})`;
    expect(await refusalOf(forgery)).toContain("between 0 and 12 months ahead");
  }
});
