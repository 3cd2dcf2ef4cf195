// An operator refunds a top-up through Stripe, all of it or a part: once per idempotency key, however often and from
// wherever it is asked for. It is taken from the balance first, under the account's lock; a process that dies before it
// knows how Stripe answered leaves a claim that the next reconciliation finishes.
import { type AccountId, Fault, type TopUpId } from "@turnpike/base";
import { type AuditActor, accountMoney, accounts, type Db, operator, topUps } from "@turnpike/db";
import { formatUsd, type Nanos, toNanos } from "@turnpike/terms";
import { eq, sql } from "drizzle-orm";
import { type Billing, requireStripe } from "../billing.ts";
import type { StripeApi } from "../stripe/stripe-api.ts";
import { findOrderById, lockOrder, type Order } from "../top-up/find-order.ts";
import { followTopUp } from "../top-up/follow-top-up.ts";
import { presentOrder, type TopUp } from "../top-up/query-top-up.ts";
import { toCents } from "../top-up/top-up-amount.ts";
import {
  type Claim,
  listUnfinished,
  queryClaims,
  recordClaim,
  stripeKeyOf,
} from "./refund-claims.ts";
import { reverseTopUp } from "./reverse-top-up.ts";

export type TopUpRefund = {
  readonly topUpId: TopUpId;
  /** Absent: everything that was not refunded yet. */
  readonly amountNanos?: Nanos | undefined;
  readonly idempotencyKey: string;
  readonly by: AuditActor;
};

const nanosPerCent = 10_000_000n;

/**
 * Throws `not_found`, and `conflict` for more than can be refunded, for more than the account still has, for what
 * Stripe refuses, and for a key that was used for another amount or more than 20 hours ago.
 */
export async function refundTopUp(db: Db, billing: Billing, refund: TopUpRefund): Promise<TopUp> {
  const stripe = requireStripe(billing);
  const order = await requireRefundable(db, refund.topUpId);
  await billing.recallLeases(order.accountId);
  const claimed = await db.transaction((tx) => claim(tx, billing, refund));
  await makeRefund(db, billing, stripe, order, { ...refund, ...claimed });
  return presentOrder((await findOrderById(db, order.id)) ?? order);
}

/** Finishes the refunds of processes that died, by the same idempotency key. Returns how many could not be. */
export async function finishRefunds(db: Db, billing: Billing): Promise<number> {
  const stripe = requireStripe(billing);
  let failed = 0;
  for (const id of await listUnfinished(db)) {
    try {
      const order = await requireRefundable(db, id);
      for (const { state, ...open } of await queryClaims(db, order)) {
        if (state === "open")
          await makeRefund(db, billing, stripe, order, { ...open, by: operator });
      }
    } catch (error) {
      if (error instanceof Fault) continue;
      failed += 1;
      billing.log.warn({ err: error, topUpId: id }, "a refund could not be finished");
    }
  }
  return failed;
}

type Claimed = Pick<Claim, "idempotencyKey" | "amountNanos" | "attempt"> & {
  readonly isOld?: boolean;
  readonly by: AuditActor;
};

/** One that is too old to be asked for again is given up: what Stripe says of the payment decides. */
async function makeRefund(
  db: Db,
  billing: Billing,
  stripe: StripeApi,
  order: Paid,
  { isOld = false, ...claimed }: Claimed,
): Promise<void> {
  let refusal: Fault | undefined;
  try {
    if (!isOld) {
      await stripe.refund({
        paymentIntentId: order.paymentIntentId,
        amountCents: toCents(claimed.amountNanos),
        idempotencyKey: stripeKeyOf(order.id, claimed),
      });
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    refusal = error;
  }
  const state = isOld || refusal !== undefined ? "refused" : "made";
  await followTopUp(db, billing, stripe, { topUpId: order.id, ended: { ...claimed, state } });
  if (refusal !== undefined) throw refusal;
}

type Paid = Order & { readonly paymentIntentId: string };

async function requireRefundable(db: Db, id: TopUpId): Promise<Paid> {
  const order = await findOrderById(db, id);
  if (order === undefined) throw new Fault("not_found", "There is no such top-up.");
  const { processor, paymentIntentId, creditedNanos } = order;
  if (processor === "stripe" && paymentIntentId !== null && creditedNanos > 0n) {
    return { ...order, paymentIntentId };
  }
  throw new Fault("conflict", "Only a top-up that Stripe was paid for can be refunded.");
}

type Taken = Pick<Claim, "amountNanos" | "attempt">;

/** Takes the money before Stripe is asked: a refund that is repeated takes it once. */
async function claim(
  tx: Db,
  billing: Billing,
  { topUpId, by, ...asked }: TopUpRefund,
): Promise<Taken> {
  const order = await lockOrder(tx, topUpId);
  const claims = await queryClaims(tx, order);
  const before = claims.find(({ idempotencyKey }) => idempotencyKey === asked.idempotencyKey);
  if (before !== undefined && before.state !== "refused") return repeat(before, asked.amountNanos);
  const left = toNanos(order.creditedNanos - order.reversedNanos);
  const amountNanos = asked.amountNanos ?? left;
  if (amountNanos <= 0n || amountNanos > left || amountNanos % nanosPerCent !== 0n) {
    throw new Fault("conflict", `At most $${formatUsd(left)} of it can be refunded, in cents.`);
  }
  const available = await lockAvailable(tx, order.accountId);
  if (amountNanos > available) {
    throw new Fault("conflict", `The account has only $${formatUsd(available)} left of it.`);
  }
  const { idempotencyKey } = asked;
  await recordClaim(tx, order, { idempotencyKey, amountNanos, by });
  const refundedNanos = toNanos(order.reversedNanos - order.disputedNanos + amountNanos);
  await tx
    .update(topUps)
    .set({ version: order.version + 1, refundClaimedNanos: refundedNanos, updatedAt: sql`now()` })
    .where(eq(topUps.id, order.id));
  const { disputedNanos } = order;
  await reverseTopUp(tx, billing, order, { refundedNanos, disputedNanos });
  return { amountNanos, attempt: (before?.attempt ?? 0) + 1 };
}

function repeat({ amountNanos, attempt, isOld }: Claim, asked: Nanos | undefined): Taken {
  if (!isOld && (asked === undefined || asked === amountNanos)) return { amountNanos, attempt };
  throw new Fault("conflict", "This idempotency key was used for another refund.");
}

/** What the account has beyond what is reserved; it does not change until the transaction ends. */
async function lockAvailable(tx: Db, accountId: AccountId): Promise<Nanos> {
  await tx.execute(sql`select 1 from ${accounts} where id = ${accountId} for no key update`);
  const [money] = await tx
    .select({ balanceNanos: accountMoney.balanceNanos, heldNanos: accountMoney.heldNanos })
    .from(accountMoney)
    .where(eq(accountMoney.accountId, accountId));
  return toNanos(money === undefined ? 0n : money.balanceNanos - money.heldNanos);
}
