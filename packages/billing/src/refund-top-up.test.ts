// A refund by an operator: Stripe is asked for it once, the books follow, and the account never owes for it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { parseUsd, type TopUpId } from "@turnpike/base";
import { openTestBilling, type Payer, type TestBilling } from "./open-test-billing.fixture.ts";
import { refundTopUp } from "./refund-top-up.ts";
import { workInbox } from "./work-inbox.ts";

let books: TestBilling;
beforeAll(async () => {
  books = await openTestBilling();
});
afterAll(async () => {
  expect(await books.check()).toEqual([]);
  await books.close();
});

const by = { kind: "operator", name: "grace@example.com", reason: "ticket 7" } as const;

async function pay(amountUsd: string): Promise<{ payer: Payer; topUpId: TopUpId }> {
  const payer = await books.newPayer();
  const { topUpId, sessionId } = await books.start(payer, amountUsd);
  books.stripe.pay(sessionId);
  await books.receiveAll();
  await workInbox(books.app.db, books.billing);
  return { payer, topUpId };
}

/** What the order has lost so far, or the fault. */
async function refund(topUpId: TopUpId, idempotencyKey: string, usd?: string) {
  const amountNanos = usd === undefined ? undefined : parseUsd(usd);
  return refundTopUp(books.app.db, books.billing, {
    ...{ topUpId, amountNanos, idempotencyKey, by },
  }).then(
    ({ reversedNanos }) => reversedNanos / 10_000_000n,
    (fault) => fault.code,
  );
}

test("a part and the rest are refunded, each once per idempotency key, also at the same moment", async () => {
  const { payer, topUpId } = await pay("20");
  const parts = await Promise.all([1, 2, 3].map(() => refund(topUpId, "part", "5")));
  expect(new Set(parts)).toEqual(new Set([500n]));
  expect(await refund(topUpId, "part", "5")).toBe(500n);
  expect(await refund(topUpId, "part", "6")).toBe("conflict");
  expect(await refund(topUpId, "rest")).toBe(2000n);
  expect(await refund(topUpId, "more", "0.01")).toBe("conflict");
  await books.receiveAll();
  await workInbox(books.app.db, books.billing);
  expect(await books.balance(payer)).toBe(0n);
  const lines = await books.owner.sql`
    select actor_name, changes from audit_log where account_id = ${payer.accountId} and action = 'top_up.refund' order by id`;
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({
    actor_name: by.name,
    changes: { usd: [null, "5"], reason: [null, by.reason] },
  });
});

test("what the account has spent is not refunded, and Stripe is not asked", async () => {
  const { payer, topUpId } = await pay("10");
  await books.owner.sql`
    select * from post_movement(gen_random_uuid(), 'adjustment', ${crypto.randomUUID()}, 'spent', 'test',
      ${payer.accountId}, -4000000000, 'adjustments')`;
  expect(await refund(topUpId, "all")).toBe("conflict");
  expect(await refund(topUpId, "left", "6")).toBe(600n);
  expect(await books.balance(payer)).toBe(0n);
});

test("only a payment of Stripe is refunded", async () => {
  const payer = await books.newPayer();
  const { topUpId } = await books.start(payer, "10");
  expect(await refund(topUpId, "unpaid")).toBe("conflict");
  expect(await refund(crypto.randomUUID() as TopUpId, "unknown")).toBe("not_found");
});
