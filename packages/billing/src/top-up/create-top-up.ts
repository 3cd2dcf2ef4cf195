// Begins a top-up: first our own order row, then a place to pay for it. The caller's attempt id is the
// order's id and Stripe's idempotency key, so an attempt repeated at any point leads to one checkout.

import { queryAccountPath, throttle } from "@turnpike/accounts";
import { type AccountId, Fault, type PersonId, type TopUpId } from "@turnpike/base";
import { type AuditActor, accounts, type Db, operator, recordAudit, topUps } from "@turnpike/db";
import { formatUsd, type Nanos } from "@turnpike/terms";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Billing } from "../billing.ts";
import { ensureCustomer, replaceCustomer } from "../stripe/ensure-customer.ts";
import { isStripeAway } from "../stripe/stripe.ts";
import type { Checkout, CheckoutOrder, StripeApi } from "../stripe/stripe-api.ts";
import { findOrderById, type Order } from "./find-order.ts";
import { parseTopUpAmount, toCents } from "./top-up-amount.ts";

/** Stripe requires at least 30 minutes from the moment it creates the session. */
const checkoutMinMs = 30 * 60_000;
/** How long an attempt whose session we never received may be repeated. */
const repeatMs = 5 * 60_000;
const awayRetryMs = 30_000;

export type TopUpAttempt = {
  readonly attemptId: TopUpId;
  readonly accountId: AccountId;
  readonly personId: PersonId;
  /** As typed: `"10"` or `"10.50"`. */
  readonly amountUsd: string;
  /** The card that pays may be charged for automatic top-ups. Default: it is not saved. */
  readonly savesCard?: boolean | undefined;
  /** Default: an operator. */
  readonly actor?: AuditActor;
};

export type StartedTopUp = { readonly topUpId: TopUpId; readonly checkoutUrl: string };

/**
 * Returns where to pay; the same attempt gets the same answer. Throws faults about `amountUsd`;
 * `not_found` if top-ups are disabled or the attempt belongs to another account; `conflict` if
 * the attempt has ended or had another amount; `throttled`; `account_suspended`; `overloaded` while
 * Stripe is unreachable.
 */
export async function createTopUp(
  db: Db,
  billing: Billing,
  attempt: TopUpAttempt,
): Promise<StartedTopUp> {
  if (billing.mode === "none") throw new Fault("not_found", "Funds cannot be added here.");
  const amountNanos = parseTopUpAmount(attempt.amountUsd, billing.bounds);
  if ((await findOrderById(db, attempt.attemptId)) === undefined) {
    await throttle(db, billing.throttles.topUpPerPerson, `top-up:${attempt.personId}`);
    await throttle(db, billing.throttles.topUpPerDay, `top-up-day:${attempt.personId}`);
  }
  // Also for a repeated attempt: the transaction checks that its caller may still add funds.
  const order = await db.transaction(
    async (tx) =>
      (await findOrderById(tx, attempt.attemptId)) ??
      (await placeOrder(tx, billing, attempt, amountNanos)),
  );
  if (order.accountId !== attempt.accountId) {
    throw new Fault("not_found", "There is no such top-up.");
  }
  if (order.amountNanos !== amountNanos) {
    throw new Fault("conflict", "This attempt was started with another amount. Start a new one.");
  }
  if (order.state !== "created" && order.state !== "pending") throw attemptOver();
  if (order.checkoutUrl !== null) return { topUpId: order.id, checkoutUrl: order.checkoutUrl };
  if (billing.stripe === undefined) throw attemptOver();
  return { topUpId: order.id, checkoutUrl: await openCheckout(db, billing, billing.stripe, order) };
}

function attemptOver(): Fault {
  return new Fault("conflict", "This attempt has ended. Start a new one.");
}

async function placeOrder(
  tx: Db,
  billing: Billing,
  { attemptId, accountId, personId, savesCard = false, actor: by = operator }: TopUpAttempt,
  amountNanos: Nanos,
): Promise<Order> {
  const isSandbox = billing.stripe === undefined;
  await assertNotStopped(tx, accountId);
  const placed = await tx
    .insert(topUps)
    .values({
      id: attemptId,
      accountId,
      personId,
      amountNanos,
      savesCard,
      processor: isSandbox ? "sandbox" : "stripe",
      livemode: billing.stripe?.livemode ?? false,
      ...(isSandbox && { state: "pending" as const, checkoutUrl: `/dev/checkout/${attemptId}` }),
      expiresAt: sql`now() + make_interval(secs => ${(checkoutMinMs + repeatMs) / 1000})`,
    })
    .onConflictDoNothing()
    .returning({ id: topUps.id });
  if (placed.length > 0) {
    const object = { id: attemptId, name: `$${formatUsd(amountNanos)}` };
    await recordAudit(tx, { accountId, by, action: "top_up.create", object });
  }
  const order = await findOrderById(tx, attemptId);
  if (order === undefined) throw new Error(`top-up ${attemptId} was not stored`);
  return order;
}

/** Its closing, which waits for orders under way, comes before this or sees the order. */
async function assertNotStopped(tx: Db, accountId: AccountId): Promise<void> {
  const [account] = await tx
    .select({ suspendedAt: accounts.suspendedAt, closedAt: accounts.closedAt })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("share");
  if (account === undefined || account.closedAt !== null)
    throw new Fault("not_found", "There is no such account.");
  if (account.suspendedAt === null) return;
  throw new Fault("account_suspended", "This account is suspended. Contact support.");
}

/** The customer may be deleted at Stripe at any moment. */
async function createCheckout(
  db: Db,
  billing: Billing,
  stripe: StripeApi,
  order: Omit<CheckoutOrder, "customerId">,
): Promise<Checkout> {
  const { accountId } = order;
  const known = await ensureCustomer(db, billing, stripe, accountId);
  const checkout = await stripe.createCheckout({ ...order, customerId: known });
  if (checkout !== undefined) return checkout;
  const customerId = await replaceCustomer(db, stripe, accountId, known);
  const retried = await stripe.createCheckout({ ...order, customerId, isCustomerNew: true });
  if (retried === undefined) throw new Error(`Stripe does not know customer ${customerId}`);
  return retried;
}

async function openCheckout(
  db: Db,
  billing: Billing,
  stripe: StripeApi,
  order: Order,
): Promise<string> {
  const { expiresAt } = order;
  if (expiresAt === null || expiresAt.getTime() < Date.now() + checkoutMinMs) throw attemptOver();
  const path = await queryAccountPath(db, order.accountId);
  const returnUrl = `${billing.publicUrl}${path}/wallet/top-ups/${order.id}`;
  try {
    const checkout = await createCheckout(db, billing, stripe, {
      topUpId: order.id,
      accountId: order.accountId,
      amountCents: toCents(order.amountNanos),
      savesCard: order.savesCard,
      expiresAt,
      successUrl: returnUrl,
      cancelUrl: `${returnUrl}?canceled=1`,
    });
    await db
      .update(topUps)
      .set({
        checkoutSessionId: checkout.sessionId,
        checkoutUrl: checkout.url,
        state: sql`case when ${topUps.state} = 'created' then 'pending' else ${topUps.state} end`,
        updatedAt: sql`now()`,
      })
      .where(and(eq(topUps.id, order.id), inArray(topUps.state, ["created", "pending"])));
    return checkout.url;
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    const level = isStripeAway(cause) ? "warn" : "error";
    billing.log[level]({ err: cause, topUpId: order.id }, "Stripe created no checkout");
    throw new Fault(
      "overloaded",
      "Payments are not available right now. You were not charged. Try again in a minute.",
      { retryAfterMs: awayRetryMs, cause },
    );
  }
}
