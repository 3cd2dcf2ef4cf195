// An address that a person gave up stays reserved for them while a mailed link can still undo the change: nobody else can
// have it meanwhile.

import type { PersonId } from "@turnpike/base";
import { type Db, emailTokens, persons } from "@turnpike/db";
import { and, desc, eq, gt, isNull, ne, sql } from "drizzle-orm";

/** An address that another person's account may still return to. */
export type Reservation = {
  readonly personId: PersonId;
  readonly email: string;
  readonly until: Date;
};

/** The reservation of an address, unless it is for `exceptFor`. */
export async function findReservation(
  db: Db,
  email: string,
  exceptFor?: PersonId,
): Promise<Reservation | undefined> {
  const [found] = await db
    .select({
      personId: emailTokens.personId,
      email: emailTokens.email,
      until: emailTokens.expiresAt,
    })
    .from(emailTokens)
    .innerJoin(persons, eq(persons.id, emailTokens.personId))
    .where(
      and(
        eq(emailTokens.email, email),
        eq(emailTokens.purpose, "undo"),
        isNull(emailTokens.consumedAt),
        gt(emailTokens.expiresAt, sql`now()`),
        ne(persons.email, email),
        exceptFor === undefined ? undefined : ne(persons.id, exceptFor),
      ),
    )
    .orderBy(desc(emailTokens.expiresAt))
    .limit(1);
  return found;
}
