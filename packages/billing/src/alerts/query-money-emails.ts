// The addresses of the members who answer for the money of an account, to whom every mail about it goes.

import type { AccountId } from "@turnpike/base";
import { type Db, memberships, persons } from "@turnpike/db";
import { and, eq, inArray } from "drizzle-orm";

export async function queryMoneyEmails(db: Db, accountId: AccountId): Promise<readonly string[]> {
  const rows = await db
    .select({ email: persons.email })
    .from(memberships)
    .innerJoin(persons, eq(persons.id, memberships.personId))
    .where(
      and(eq(memberships.accountId, accountId), inArray(memberships.role, ["owner", "billing"])),
    );
  return rows.map(({ email }) => email);
}
