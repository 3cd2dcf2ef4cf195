// Payments and movements of money by an id of Stripe and by their amount.
import { type AnyId, parseId, type TopUpId } from "@turnpike/base";
import { accounts, type Db, entries, ledgerTransactions, stripeInbox, topUps } from "@turnpike/db";
import { formatAmount, formatUtc } from "@turnpike/format";
import { formatUsd, type LedgerType, type Nanos, toNanos } from "@turnpike/terms";
import { and, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { type Found, foundMax } from "./found.ts";

export async function findTopUpsById(db: Db, id: AnyId): Promise<readonly Found[]> {
  const topUpId = parseId<TopUpId>(id);
  return topUpId === undefined ? [] : selectTopUps(db, eq(topUps.id, topUpId));
}

/** A payment, a checkout, a customer or an event. */
export async function findByStripeId(db: Db, id: string): Promise<readonly Found[]> {
  const paid = await selectTopUps(
    db,
    or(eq(topUps.paymentIntentId, id), eq(topUps.checkoutSessionId, id)),
  );
  const customers = await db
    .select({ id: accounts.id, name: accounts.name, slug: accounts.slug })
    .from(accounts)
    .where(eq(accounts.stripeCustomerId, id));
  return [
    ...paid,
    ...customers.map(({ id: accountId, name, slug }) => ({
      kind: "account" as const,
      id: accountId,
      accountId,
      title: name || slug,
      detail: `customer ${id}`,
    })),
    ...(await findEvents(db, id)),
  ];
}

async function findEvents(db: Db, id: string): Promise<readonly Found[]> {
  const rows = await db
    .select({
      id: stripeInbox.eventId,
      type: stripeInbox.type,
      created: stripeInbox.created,
      payload: stripeInbox.payload,
    })
    .from(stripeInbox)
    .where(eq(stripeInbox.eventId, id))
    .orderBy(desc(stripeInbox.created))
    .limit(foundMax);
  const found: Found[] = [];
  for (const { id: eventId, type, created, payload } of rows) {
    const [topUp] = await selectTopUps(db, isAbout(payload));
    found.push({
      kind: "event",
      id: eventId,
      accountId: topUp?.accountId ?? null,
      title: eventId,
      detail: `${type}, ${created.toISOString()}`,
    });
  }
  return found;
}

/** What billing keeps of an event: the checkout or the payment that it is about. */
function isAbout(payload: unknown): SQL | undefined {
  const fields = new Map(Object.entries(Object(payload)));
  return or(
    eq(topUps.checkoutSessionId, String(fields.get("sessionId") ?? "")),
    eq(topUps.paymentIntentId, String(fields.get("paymentIntentId") ?? "")),
  );
}

const movementNames = {
  top_up: "Top-up",
  usage: "Usage",
  refund: "Refund",
  dispute: "Dispute",
  adjustment: "Adjustment",
} as const satisfies Record<LedgerType, string>;

/** Top-ups, and what else moved money, of exactly this amount. */
export async function findByAmount(db: Db, nanos: Nanos): Promise<readonly Found[]> {
  const amounts = [nanos, toNanos(-nanos)];
  const house = db
    .select({ id: entries.transactionId })
    .from(entries)
    .where(
      and(
        inArray(entries.amountNanos, amounts),
        sql`${entries.book} in ('stripe_clearing', 'refunds', 'disputes', 'adjustments')`,
      ),
    )
    .limit(foundMax)
    .as("house");
  const moved = await db
    .select({
      id: ledgerTransactions.id,
      kind: ledgerTransactions.kind,
      reason: ledgerTransactions.reason,
      at: ledgerTransactions.createdAt,
      accountId: entries.accountId,
      amountNanos: entries.amountNanos,
      account: accounts.name,
    })
    .from(house)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, house.id))
    .innerJoin(entries, and(eq(entries.transactionId, house.id), eq(entries.book, "account")))
    .innerJoin(accounts, eq(accounts.id, entries.accountId))
    .orderBy(desc(ledgerTransactions.createdAt));
  return [
    ...(await selectTopUps(db, eq(topUps.amountNanos, nanos))),
    ...moved.map(({ id, kind, reason, at, accountId, amountNanos, account }) => ({
      kind: "movement" as const,
      id,
      accountId,
      title: `${movementNames[kind]} of ${formatAmount(formatUsd(amountNanos))}`,
      detail: [account, reason, formatUtc(at)].filter(Boolean).join(", "),
    })),
  ];
}

async function selectTopUps(db: Db, which: SQL | undefined): Promise<readonly Found[]> {
  const rows = await db
    .select({
      id: topUps.id,
      accountId: topUps.accountId,
      amountNanos: topUps.amountNanos,
      state: topUps.state,
      createdAt: topUps.createdAt,
      account: accounts.name,
    })
    .from(topUps)
    .innerJoin(accounts, eq(accounts.id, topUps.accountId))
    .where(which)
    .orderBy(desc(topUps.createdAt))
    .limit(foundMax);
  return rows.map(({ id, accountId, amountNanos, state, createdAt, account }) => ({
    kind: "top_up",
    id,
    accountId,
    title: `Top-up of ${formatAmount(formatUsd(amountNanos))}`,
    detail: `${account}, ${state}, ${formatUtc(createdAt)}`,
  }));
}
