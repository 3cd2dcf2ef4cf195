// Brings back orders that a restored database does not know: Stripe still has their checkouts, whose metadata only our
// own calls can set. What Stripe was asked to take is the amount; crediting it is left to followTopUp, which compares
// and credits once.

import { type AccountId, parseId, type TopUpId } from "@turnpike/base";
import { accounts, type Db, topUps } from "@turnpike/db";
import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Billing } from "../billing.ts";
import type { ListedSession } from "../stripe/stripe-api.ts";
import { fromCents } from "../top-up/top-up-amount.ts";

type Lost = {
  readonly topUpId: TopUpId;
  readonly accountId: AccountId;
  readonly customerId: string;
  readonly amountCents: number;
};

/** Orders of completed checkouts that have none, if their account exists. */
export async function restoreOrders(
  db: Db,
  billing: Billing,
  sessions: readonly ListedSession[],
): Promise<void> {
  const livemode = billing.stripe?.livemode ?? false;
  const claimed = sessions.flatMap((session) => parseLost(session, livemode) ?? []);
  const known = await db
    .select({ id: topUps.id })
    .from(topUps)
    .where(
      inArray(
        topUps.id,
        claimed.map(({ topUpId }) => topUpId),
      ),
    );
  const ids = new Set(known.map(({ id }) => id));
  for (const lost of claimed) {
    if (ids.has(lost.topUpId)) continue;
    const { topUpId, accountId } = lost;
    const isRestored = await restoreOrder(db, lost, livemode);
    const message = isRestored
      ? "an order that the database did not know was restored from its checkout at Stripe"
      : "a checkout at Stripe was paid for an account that the database does not know";
    billing.log.warn({ topUpId, accountId }, message);
  }
}

/** Undefined for a checkout that is not complete, or not one of ours. */
function parseLost(session: ListedSession, livemode: boolean): Lost | undefined {
  const { amountCents, customerId, metadata } = session;
  const topUpId = parseId<TopUpId>(metadata.top_up_id ?? "");
  const accountId = parseId<AccountId>(metadata.account_id ?? "");
  if (session.status !== "complete" || session.livemode !== livemode) return undefined;
  if (topUpId === undefined || accountId === undefined || customerId === null) return undefined;
  if (session.clientReferenceId !== topUpId || session.currency !== "usd") return undefined;
  if (amountCents === null || amountCents <= 0) return undefined;
  return { topUpId, accountId, customerId, amountCents };
}

/** The account's customer may be lost as well; one that it has stays. */
async function restoreOrder(db: Db, lost: Lost, livemode: boolean): Promise<boolean> {
  const { topUpId, accountId, customerId, amountCents } = lost;
  return db.transaction(async (transaction) => {
    const [account] = await transaction
      .select({ id: accounts.id })
      .from(accounts)
      .where(eq(accounts.id, accountId));
    if (account === undefined) return false;
    await transaction
      .update(accounts)
      .set({ stripeCustomerId: customerId })
      .where(and(eq(accounts.id, accountId), isNull(accounts.stripeCustomerId)));
    await transaction
      .insert(topUps)
      .values({
        id: topUpId,
        accountId,
        amountNanos: fromCents(amountCents),
        processor: "stripe",
        livemode,
      })
      .onConflictDoNothing();
    return true;
  });
}
