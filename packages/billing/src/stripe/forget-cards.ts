// Has Stripe forget the cards of accounts whose deletion was asked for: until it has, their ids are kept.

import { accounts, autoTopUps, type Db } from "@turnpike/db";
import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import type { Billing } from "../billing.ts";

const batchMax = 100;

/** For a job: what fails is tried again by the next run, after the others. */
export async function forgetCards(db: Db, billing: Billing): Promise<void> {
  const rows = await db
    .select({
      accountId: autoTopUps.accountId,
      paymentMethodId: autoTopUps.paymentMethodId,
      closedAt: accounts.closedAt,
    })
    .from(autoTopUps)
    .innerJoin(accounts, eq(accounts.id, autoTopUps.accountId))
    .where(and(eq(autoTopUps.state, "deletion"), isNotNull(autoTopUps.paymentMethodId)))
    .orderBy(asc(autoTopUps.updatedAt))
    .limit(batchMax);
  for (const { accountId, paymentMethodId, closedAt } of rows) {
    if (paymentMethodId === null) continue;
    // A card that was saved since is not forgotten.
    const isSame = and(
      eq(autoTopUps.accountId, accountId),
      eq(autoTopUps.state, "deletion"),
      eq(autoTopUps.paymentMethodId, paymentMethodId),
    );
    try {
      await billing.stripe?.forgetCard(paymentMethodId);
    } catch (error) {
      billing.log.warn({ err: error, accountId }, "a forgotten card is still saved at Stripe");
      await db.update(autoTopUps).set({ updatedAt: sql`now()` }).where(isSame);
      continue;
    }
    if (closedAt === null) await db.update(autoTopUps).set({ paymentMethodId: null }).where(isSame);
    else await db.delete(autoTopUps).where(and(eq(autoTopUps.accountId, accountId), isSame));
  }
}
