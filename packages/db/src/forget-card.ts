// Turns automatic top-ups of an account off and forgets the saved card; only its id at Stripe is kept, until a job has had
// Stripe forget it, too.
import type { AccountId } from "@turnpike/base";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { autoTopUps } from "./schema/top-ups.ts";

/** False if there is no card. */
export async function forgetCard(tx: Db, accountId: AccountId): Promise<boolean> {
  const forgotten = await tx
    .update(autoTopUps)
    .set({
      enabled: false,
      cardBrand: null,
      cardLast4: null,
      cardExpMonth: null,
      cardExpYear: null,
      cardPersonId: null,
      state: "deletion",
      lastFailure: null,
      failures: 0,
      updatedAt: sql`now()`,
    })
    .where(and(eq(autoTopUps.accountId, accountId), isNotNull(autoTopUps.paymentMethodId)))
    .returning({ accountId: autoTopUps.accountId });
  return forgotten.length > 0;
}
