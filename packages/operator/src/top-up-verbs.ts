// Payments of customers at the desk.
import { type AccountId, Fault, type TopUpId } from "@turnpike/base";
import {
  findUnpaidCredits,
  type RecheckedTopUp,
  recheckTopUp,
  recheckTopUps,
  refundTopUp,
} from "@turnpike/billing";
import { type Db, topUps } from "@turnpike/db";
import { formatUsd } from "@turnpike/terms";
import { desc, eq } from "drizzle-orm";
import { queryAccount } from "./account/query-account.ts";
import { accountInput, daysAgo, daysInput, idInput, line, usdInput } from "./inputs.ts";
import { actorOf, command, everyone, finance, moneyOrSupport, query } from "./verb.ts";

export const topUpVerbs = {
  list: query({
    roles: everyone,
    summary: "the latest hundred top-ups of an account, newest first",
    input: { account: accountInput },
    run: async ({ db }, _, { account }) => ({
      topUps: await listTopUpsOf(db, (await queryAccount(db, account)).id),
    }),
  }),
  recheck: command({
    roles: moneyOrSupport,
    label: "Check with Stripe",
    summary:
      "asks Stripe again about one top-up, or the latest hundred of an account, and credits payments that agree",
    input: { id: idInput<TopUpId>().optional(), account: accountInput.optional() },
    reasonIsOptional: true,
    async run({ db, billing }, operator, { id, account, reason }) {
      const by = actorOf(operator, reason);
      if (id !== undefined && account === undefined) {
        return { topUps: [presentRechecked(await recheckTopUp(db, billing, id, by))] };
      }
      if (id !== undefined || account === undefined) {
        throw new Fault("invalid_value", "Give either the id or the account.", { param: "id" });
      }
      const { id: accountId } = await queryAccount(db, account);
      const topUps = await recheckTopUps(db, billing, accountId, by);
      return { topUps: topUps.map(presentRechecked) };
    },
  }),
  audit: query({
    roles: everyone,
    summary: "credits of the last 30 days or DAYS without a payment at Stripe; wrong if any",
    input: { days: daysInput(3_650) },
    async run({ db, billing }, _, { days }) {
      const unpaid = await findUnpaidCredits(db, billing, daysAgo(days));
      return { right: unpaid.length === 0, unpaid };
    },
    describe: ({ right, unpaid }) =>
      right ? ["Stripe knows the payment of every credit."] : unpaid,
  }),
  refund: command({
    roles: finance,
    label: "Refund top-up",
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

function presentRechecked(topUp: RecheckedTopUp) {
  return {
    id: topUp.id,
    state: topUp.disagrees === null ? topUp.state : "set aside",
    amountUsd: formatUsd(topUp.amountNanos),
    creditedUsd: formatUsd(topUp.creditedNanos),
    reversedUsd: formatUsd(topUp.reversedNanos),
    disagrees: topUp.disagrees,
    createdAt: topUp.createdAt.toISOString(),
  };
}

const topUpsMax = 100;

async function listTopUpsOf(db: Db, accountId: AccountId) {
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
