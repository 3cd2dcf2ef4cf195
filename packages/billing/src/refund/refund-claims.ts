// The refunds that operators asked for, by their idempotency keys: what each takes is taken from the balance before
// Stripe is asked, so that neither another refund nor a call can spend it meanwhile, and is returned if Stripe refuses.

import type { TopUpId } from "@turnpike/base";
import { type AuditActor, auditLog, type Db, recordAudit, topUps } from "@turnpike/db";
import { formatUsd, type Nanos, parseUsd, toNanos, zeroNanos } from "@turnpike/terms";
import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type { Order } from "../top-up/find-order.ts";

const actions = {
  open: "top_up.refund",
  made: "top_up.refund_made",
  refused: "top_up.refund_refused",
} as const;

export type Claim = {
  readonly idempotencyKey: string;
  readonly amountNanos: Nanos;
  readonly state: keyof typeof actions;
  /** From 1: a refund that was refused may be asked for again, as another one to Stripe. */
  readonly attempt: number;
  /** Stripe may have forgotten its idempotency key: asking again could be a second refund. */
  readonly isOld: boolean;
};

/** Stripe forgets an idempotency key after a day. */
const repeatableHours = 20;

const keyOf = sql<string>`${auditLog.changes} -> 'idempotency_key' ->> 1`;

/**
 * The refunds of one order, the oldest first; those from before their money was taken first count as made. To change one,
 * hold the order's lock.
 */
export async function queryClaims(
  db: Db,
  { id, accountId }: Pick<Order, "id" | "accountId">,
): Promise<readonly Claim[]> {
  const ofOrder = and(
    eq(auditLog.accountId, accountId),
    inArray(auditLog.action, Object.values(actions)),
    eq(auditLog.objectId, id),
    sql`${keyOf} is not null`,
  );
  const rows = await db
    .select({
      action: auditLog.action,
      key: keyOf,
      usd: sql<string | null>`${auditLog.changes} -> 'usd' ->> 1`,
      isTaken: sql<boolean>`${auditLog.changes} ? 'refunded_usd'`,
      isOld: sql<boolean>`${auditLog.at} < now() - make_interval(hours => ${repeatableHours}::int)`,
    })
    .from(auditLog)
    .where(ofOrder)
    .orderBy(asc(auditLog.id));
  const claims = new Map<string, Claim>();
  for (const { action, key, usd, isTaken, isOld } of rows) {
    const before = claims.get(key);
    const amountNanos = parseUsd(usd ?? "") ?? before?.amountNanos ?? zeroNanos;
    claims.set(key, {
      idempotencyKey: key,
      amountNanos,
      state: action === actions.open && !isTaken ? "made" : stateOf(action),
      attempt: (before?.attempt ?? 0) + (action === actions.open ? 1 : 0),
      isOld: before === undefined || action === actions.open ? isOld : before.isOld,
    });
  }
  return [...claims.values()];
}

function stateOf(action: string): Claim["state"] {
  if (action === actions.made) return "made";
  return action === actions.refused ? "refused" : "open";
}

type NewClaim = Pick<Claim, "idempotencyKey" | "amountNanos"> & { readonly by: AuditActor };

/** What Stripe knows an attempt by: it repeats its first answer to a key for a day, a refusal as well. */
export function stripeKeyOf(
  orderId: TopUpId,
  { idempotencyKey, attempt }: Pick<Claim, "idempotencyKey" | "attempt">,
): string {
  const key = `refund:${orderId}:${idempotencyKey}`;
  return attempt > 1 ? `${key}:${attempt}` : key;
}

export async function recordClaim(tx: Db, order: Order, claim: NewClaim): Promise<void> {
  const before = toNanos(order.reversedNanos - order.disputedNanos);
  await recordAudit(tx, {
    accountId: order.accountId,
    by: claim.by,
    action: actions.open,
    object: objectOf(order),
    changes: {
      usd: [null, formatUsd(claim.amountNanos)],
      refunded_usd: [formatUsd(before), formatUsd(toNanos(before + claim.amountNanos))],
      idempotency_key: [null, claim.idempotencyKey],
    },
  });
}

export type EndedClaim = NewClaim & { readonly state: "made" | "refused" };

/** Once per claim. Returns the order as it is then; what Stripe says of it is applied in the same transaction. */
export async function endClaim(tx: Db, order: Order, ended: EndedClaim): Promise<Order> {
  const open = (await queryClaims(tx, order)).filter(({ state }) => state === "open");
  if (!open.some(({ idempotencyKey }) => idempotencyKey === ended.idempotencyKey)) return order;
  await recordAudit(tx, {
    accountId: order.accountId,
    by: ended.by,
    action: actions[ended.state],
    object: objectOf(order),
    changes: { idempotency_key: [null, ended.idempotencyKey] },
  });
  const returned = ended.state === "refused" ? ended.amountNanos : zeroNanos;
  const isLast = open.length === 1;
  const refundClaimedNanos = isLast ? zeroNanos : toNanos(order.refundClaimedNanos - returned);
  await tx.update(topUps).set({ refundClaimedNanos }).where(eq(topUps.id, order.id));
  return { ...order, refundClaimedNanos };
}

/** Orders with a refund under way that nothing was heard of for two minutes: no call for it can still be running. */
export async function listUnfinished(db: Db): Promise<readonly TopUpId[]> {
  const rows = await db
    .select({ id: topUps.id })
    .from(topUps)
    .where(
      and(
        sql`${topUps.refundClaimedNanos} > 0`,
        sql`${topUps.updatedAt} < now() - interval '2 minutes'`,
      ),
    )
    .orderBy(desc(topUps.id));
  return rows.map(({ id }) => id);
}

function objectOf({ id, amountNanos }: Order) {
  return { id, name: formatUsd(amountNanos) };
}
