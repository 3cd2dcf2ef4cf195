// One customer at Stripe per account, created with its first top-up and kept: a payment by any other
// customer is not a payment for this account.

import { type AccountId, Fault, type PersonId } from "@turnpike/base";
import { accounts, type Db, persons } from "@turnpike/db";
import { and, eq, isNull } from "drizzle-orm";
import type { StripeApi } from "./stripe-api.ts";

type Payer = { readonly accountId: AccountId; readonly personId: PersonId | null };

/** Concurrent calls create the same customer: the account's id is the idempotency key. */
export async function ensureCustomer(db: Db, stripe: StripeApi, payer: Payer): Promise<string> {
  const known = await readCustomer(db, payer.accountId);
  if (known !== null) return known;
  const made = await stripe.createCustomer(payer.accountId, await readEmail(db, payer.personId));
  await db
    .update(accounts)
    .set({ stripeCustomerId: made })
    .where(and(eq(accounts.id, payer.accountId), isNull(accounts.stripeCustomerId)));
  return (await readCustomer(db, payer.accountId)) ?? made;
}

export async function readCustomer(db: Db, accountId: AccountId): Promise<string | null> {
  const [account] = await db
    .select({ customerId: accounts.stripeCustomerId })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (account === undefined) throw new Fault("not_found", "There is no such account.");
  return account.customerId;
}

/** Undefined for a top-up that no known person started, or one who was deleted since. */
export async function readEmail(db: Db, personId: PersonId | null): Promise<string | undefined> {
  if (personId === null) return undefined;
  const [person] = await db
    .select({ email: persons.email })
    .from(persons)
    .where(and(eq(persons.id, personId), isNull(persons.deletedAt)));
  return person?.email;
}
