// Gives an address that nobody had proven to the person who has just proven it: anyone who registered it before is locked
// out, as their password, links, sessions and browsers no longer work.

import type { PersonId } from "@turnpike/base";
import { type Db, devices, persons, sessions } from "@turnpike/db";
import { and, eq, isNull, sql } from "drizzle-orm";
import { revokePendingLinks } from "../email-link/email-token.ts";

/** In the transaction that proved it. False if the address was changed, or proven by someone else meanwhile. */
export async function claimUnproven(
  tx: Db,
  { id, email }: { readonly id: PersonId; readonly email: string },
  owner: { readonly passwordHash: string | null; readonly name?: string },
): Promise<boolean> {
  const { passwordHash, name } = owner;
  const claimed = await tx
    .update(persons)
    .set({
      passwordHash,
      passwordChangedAt: sql`now()`,
      emailVerifiedAt: sql`now()`,
      ...(name !== undefined && { name }),
    })
    .where(and(eq(persons.id, id), eq(persons.email, email), isNull(persons.emailVerifiedAt)))
    .returning({ id: persons.id });
  if (claimed.length === 0) return false;
  await revokePendingLinks(tx, id);
  await tx.delete(sessions).where(eq(sessions.personId, id));
  await tx.delete(devices).where(eq(devices.personId, id));
  return true;
}
