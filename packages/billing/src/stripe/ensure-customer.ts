// One customer at Stripe per account, created with its first top-up and kept while Stripe knows it: a payment by any
// other customer is not a payment for this account. Its email is that of the account: of who has owned it longest.

import { type AccountId, Fault, type PersonId } from "@turnpike/base";
import { accounts, type Db, memberships, persons } from "@turnpike/db";
import { and, asc, eq, isNull } from "drizzle-orm";
import type { Billing } from "../billing.ts";
import type { StripeApi } from "./stripe-api.ts";

/** Concurrent calls create the same customer: the account's id is the idempotency key. */
export async function ensureCustomer(
  db: Db,
  billing: Billing,
  stripe: StripeApi,
  accountId: AccountId,
): Promise<string> {
  const known = await queryCustomer(db, accountId);
  if (known === null) return replaceCustomer(db, stripe, accountId, null);
  if (await followEmail(db, billing, stripe, accountId, known)) return known;
  return replaceCustomer(db, stripe, accountId, known);
}

/** A new one in the place of `missing`, which Stripe does not know, unless another call has replaced it already. */
export async function replaceCustomer(
  db: Db,
  stripe: StripeApi,
  accountId: AccountId,
  missing: string | null,
): Promise<string> {
  const email = await queryAccountEmail(db, accountId);
  const made = await stripe.createCustomer({ accountId, email, missing });
  const isMissing =
    missing === null ? isNull(accounts.stripeCustomerId) : eq(accounts.stripeCustomerId, missing);
  await db
    .update(accounts)
    .set({ stripeCustomerId: made })
    .where(and(eq(accounts.id, accountId), isMissing));
  return (await queryCustomer(db, accountId)) ?? made;
}

/** False if Stripe no longer knows the customer. A change that fails otherwise stops no payment. */
export async function followEmail(
  db: Db,
  billing: Billing,
  stripe: StripeApi,
  accountId: AccountId,
  customerId: string,
): Promise<boolean> {
  const email = await queryAccountEmail(db, accountId);
  if (email === undefined) return true;
  try {
    return await stripe.setCustomerEmail(customerId, email);
  } catch (error) {
    billing.log.warn({ err: error, accountId }, "the email of a customer at Stripe is not changed");
    return true;
  }
}

/** After a person's address changed: the customers of the accounts that are known by it. Never rejects. */
export async function followEmailOf(db: Db, billing: Billing, email: string): Promise<void> {
  const { stripe } = billing;
  if (stripe === undefined) return;
  const owned = await db
    .select({ id: accounts.id, customerId: accounts.stripeCustomerId })
    .from(accounts)
    .innerJoin(memberships, eq(memberships.accountId, accounts.id))
    .innerJoin(persons, eq(persons.id, memberships.personId))
    .where(and(eq(persons.email, email), eq(memberships.role, "owner"), isNull(accounts.closedAt)));
  for (const { id, customerId } of owned) {
    if (customerId !== null) await followEmail(db, billing, stripe, id, customerId);
  }
}

export async function queryCustomer(db: Db, accountId: AccountId): Promise<string | null> {
  const [account] = await db
    .select({ customerId: accounts.stripeCustomerId })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (account === undefined) throw new Fault("not_found", "There is no such account.");
  return account.customerId;
}

async function queryAccountEmail(db: Db, accountId: AccountId): Promise<string | undefined> {
  const [owner] = await db
    .select({ email: persons.email })
    .from(memberships)
    .innerJoin(persons, eq(persons.id, memberships.personId))
    .where(and(eq(memberships.accountId, accountId), eq(memberships.role, "owner")))
    .orderBy(asc(memberships.createdAt), asc(memberships.personId))
    .limit(1);
  return owner?.email;
}

/** Undefined for a top-up that no known person started, or one who was deleted since. */
export async function queryEmail(db: Db, personId: PersonId | null): Promise<string | undefined> {
  if (personId === null) return undefined;
  const [person] = await db
    .select({ email: persons.email })
    .from(persons)
    .where(and(eq(persons.id, personId), isNull(persons.deletedAt)));
  return person?.email;
}
