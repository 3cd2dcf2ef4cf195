// The account of a person, found by email address, with what an operator needs to see.

import { type AccountId, Fault, type PersonId } from "@turnpike/base";
import { accountMoney, accounts, type Db, memberships, persons } from "@turnpike/db";
import type { Nanos } from "@turnpike/terms";
import { eq } from "drizzle-orm";
import { parseEmail } from "./parse-email.ts";

export type FoundAccount = {
  readonly id: AccountId;
  readonly personId: PersonId;
  readonly email: string;
  readonly name: string;
  readonly balanceNanos: Nanos;
  readonly heldNanos: Nanos;
  readonly emailVerifiedAt: Date | null;
  readonly frozenAt: Date | null;
  readonly suspendedAt: Date | null;
  readonly createdAt: Date;
};

/** Throws `not_found`. */
export async function findAccount(db: Db, email: string): Promise<FoundAccount> {
  const address = parseEmail(email);
  const [found] = await db
    .select({
      id: accounts.id,
      personId: persons.id,
      email: persons.email,
      name: accounts.name,
      balanceNanos: accountMoney.balanceNanos,
      heldNanos: accountMoney.heldNanos,
      emailVerifiedAt: persons.emailVerifiedAt,
      frozenAt: accounts.frozenAt,
      suspendedAt: accounts.suspendedAt,
      createdAt: accounts.createdAt,
    })
    .from(persons)
    .innerJoin(memberships, eq(memberships.personId, persons.id))
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .innerJoin(accountMoney, eq(accountMoney.accountId, accounts.id))
    .where(eq(persons.email, address))
    .orderBy(memberships.createdAt)
    .limit(1);
  if (found === undefined) throw new Fault("not_found", `There is no account for ${address}.`);
  return found;
}
