// An operator refunds a top-up through Stripe, all of it or a part: once per idempotency key, however often and from
// wherever it is asked for. The books follow what Stripe says, as they do for a refund that was made there.
import {
  type AccountId,
  Fault,
  formatUsd,
  type Nanos,
  parseUsd,
  type TopUpId,
  toNanos,
  zeroNanos,
} from "@turnpike/base";
import { type AuditActor, accountMoney, auditLog, type Db, recordAudit } from "@turnpike/db";
import { and, eq, sql } from "drizzle-orm";
import { type Billing, requireStripe } from "./billing.ts";
import { followTopUp } from "./follow-top-up.ts";
import { findOrderById, lockOrder, type Order } from "./read-order.ts";
import { presentOrder, type TopUp } from "./read-top-up.ts";
import { toCents } from "./top-up-amount.ts";

export type TopUpRefund = {
  readonly topUpId: TopUpId;
  /** Absent: everything that was not refunded yet. */
  readonly amountNanos?: Nanos | undefined;
  readonly idempotencyKey: string;
  readonly by: AuditActor;
};

const action = "top_up.refund";
const nanosPerCent = 10_000_000n;

/**
 * Throws `not_found`, and `conflict` for more than can be refunded, for more than the account still has, for what
 * Stripe refuses, and for a key that was used for another amount or more than 20 hours ago.
 */
export async function refundTopUp(db: Db, billing: Billing, refund: TopUpRefund): Promise<TopUp> {
  const stripe = requireStripe(billing);
  const order = await requireRefundable(db, refund.topUpId);
  await billing.recallLeases(order.accountId);
  const amountNanos = await db.transaction((tx) => claim(tx, refund));
  try {
    await stripe.refund({
      paymentIntentId: order.paymentIntentId,
      amountCents: toCents(amountNanos),
      idempotencyKey: `refund:${order.id}:${refund.idempotencyKey}`,
    });
  } catch (error) {
    if (error instanceof Fault) await recordRefusal(db, order, refund.by);
    throw error;
  }
  await followTopUp(db, billing, stripe, { topUpId: order.id });
  return presentOrder((await findOrderById(db, order.id)) ?? order);
}

/** Outside of a transaction: the refusal is written down even if the operator has lost their role meanwhile. */
async function recordRefusal(db: Db, { accountId, id, amountNanos }: Order, by: AuditActor) {
  const object = { id, name: formatUsd(amountNanos) };
  await recordAudit(db, { accountId, by, action: "top_up.refund_refused", object });
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

/** Records the refund before Stripe is asked for it: one that is repeated is the same one. Returns its amount. */
async function claim(tx: Db, { topUpId, by, ...asked }: TopUpRefund): Promise<Nanos> {
  const order = await lockOrder(tx, topUpId);
  const before = await findClaim(tx, order, asked.idempotencyKey);
  if (before !== undefined) return repeat(before, asked.amountNanos);
  const left = toNanos(order.creditedNanos - order.reversedNanos);
  const amountNanos = asked.amountNanos ?? left;
  if (amountNanos <= 0n || amountNanos > left || amountNanos % nanosPerCent !== 0n) {
    throw new Fault("conflict", `At most $${formatUsd(left)} of it can be refunded, in cents.`);
  }
  const available = await readAvailable(tx, order.accountId);
  if (amountNanos > available) {
    throw new Fault("conflict", `The account has only $${formatUsd(available)} left of it.`);
  }
  await recordAudit(tx, {
    accountId: order.accountId,
    by,
    action,
    object: { id: topUpId, name: formatUsd(order.amountNanos) },
    changes: {
      usd: [null, formatUsd(amountNanos)],
      idempotency_key: [null, asked.idempotencyKey],
    },
  });
  return amountNanos;
}

type Claim = { readonly amountNanos: Nanos; readonly isOld: boolean };

/** Stripe forgets an idempotency key after a day; then a repeated refund would be a second one. */
const repeatableHours = 20;

async function findClaim(tx: Db, order: Order, key: string): Promise<Claim | undefined> {
  const [row] = await tx
    .select({
      usd: sql<string>`${auditLog.changes} -> 'usd' ->> 1`,
      isOld: sql<boolean>`${auditLog.at} < now() - make_interval(hours => ${repeatableHours}::int)`,
    })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.accountId, order.accountId),
        eq(auditLog.action, action),
        eq(auditLog.objectId, order.id),
        sql`${auditLog.changes} -> 'idempotency_key' ->> 1 = ${key}`,
      ),
    )
    .limit(1);
  return row && { amountNanos: parseUsd(row.usd) ?? zeroNanos, isOld: row.isOld };
}

function repeat({ amountNanos, isOld }: Claim, asked: Nanos | undefined): Nanos {
  if (!isOld && (asked === undefined || asked === amountNanos)) return amountNanos;
  throw new Fault("conflict", "This idempotency key was used for another refund.");
}

async function readAvailable(tx: Db, accountId: AccountId): Promise<Nanos> {
  const [money] = await tx
    .select({ balanceNanos: accountMoney.balanceNanos, heldNanos: accountMoney.heldNanos })
    .from(accountMoney)
    .where(eq(accountMoney.accountId, accountId));
  return toNanos(money === undefined ? 0n : money.balanceNanos - money.heldNanos);
}
