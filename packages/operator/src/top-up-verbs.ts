// Payments of customers at the desk.
import { type AccountId, formatUsd, type TopUpId } from "@turnpike/base";
import { refundTopUp } from "@turnpike/billing";
import { type Db, topUps } from "@turnpike/db";
import { desc, eq } from "drizzle-orm";
import { readAccount } from "./account/read-account.ts";
import { accountInput, idInput, line, usdInput } from "./inputs.ts";
import { action, actorOf, everyone, finance, question } from "./verb.ts";

export const topUpVerbs = {
  list: question({
    roles: everyone,
    summary: "the latest hundred top-ups of an account, newest first",
    input: { account: accountInput },
    run: async ({ db }, _, { account }) => ({
      topUps: await listTopUps(db, (await readAccount(db, account)).id),
    }),
  }),
  refund: action({
    roles: finance,
    summary:
      "refunds it through Stripe, all of it or a part; the same idempotency key does it once",
    input: {
      id: idInput<TopUpId>(),
      usd: usdInput.optional(),
      idempotencyKey: line(100).min(1),
    },
    async run({ db, billing }, by, { id: topUpId, usd: amountNanos, idempotencyKey, reason }) {
      const refund = { topUpId, amountNanos, idempotencyKey, by: actorOf(by, reason) };
      const topUp = await refundTopUp(db, billing, refund);
      return {
        id: topUp.id,
        creditedUsd: formatUsd(topUp.creditedNanos),
        reversedUsd: formatUsd(topUp.reversedNanos),
      };
    },
  }),
};

const topUpsMax = 100;

async function listTopUps(db: Db, accountId: AccountId) {
  const rows = await db
    .select({
      id: topUps.id,
      state: topUps.state,
      processor: topUps.processor,
      amountNanos: topUps.amountNanos,
      creditedNanos: topUps.creditedNanos,
      reversedNanos: topUps.reversedNanos,
      disputedNanos: topUps.disputedNanos,
      paymentIntentId: topUps.paymentIntentId,
      /** Why it failed, in the words of the card's bank. */
      failureReason: topUps.failureReason,
      /** Stripe's receipt, for who asks for an invoice. */
      receiptUrl: topUps.receiptUrl,
      createdAt: topUps.createdAt,
    })
    .from(topUps)
    .where(eq(topUps.accountId, accountId))
    .orderBy(desc(topUps.createdAt))
    .limit(topUpsMax);
  return rows.map(({ amountNanos, creditedNanos, reversedNanos, disputedNanos, ...row }) => ({
    ...row,
    amountUsd: formatUsd(amountNanos),
    creditedUsd: formatUsd(creditedNanos),
    reversedUsd: formatUsd(reversedNanos),
    disputedUsd: formatUsd(disputedNanos),
    createdAt: row.createdAt.toISOString(),
  }));
}
