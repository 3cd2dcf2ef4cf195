// Creates a person and the account that holds their money, together or not at all. The email address
// is the name of both, in lower case; without a password the person cannot sign in until they set one.

import { type AccountId, Fault, newId, type PersonId } from "@turnpike/base";
import { type AuditActor, type Db, memberships, persons, recordAudit } from "@turnpike/db";
import { sql } from "drizzle-orm";
import { findReservation } from "./find-reservation.ts";
import { parseEmail } from "./parse-email.ts";

export type CreatedAccount = { readonly accountId: AccountId; readonly personId: PersonId };

/** Throws `invalid_value` for text that is not an address and `conflict` if the person exists. */
export async function createAccount(
  db: Db,
  input: {
    readonly email: string;
    readonly name?: string;
    readonly passwordHash?: string;
    /** Of an account that nobody registered for themselves: recorded in its audit log. */
    readonly by?: AuditActor;
  },
): Promise<CreatedAccount> {
  const email = parseEmail(input.email);
  const created = { accountId: newId<AccountId>(), personId: newId<PersonId>() };
  await db.transaction(async (tx) => {
    const inserted = await tx
      .insert(persons)
      .values({
        id: created.personId,
        email,
        name: input.name ?? "",
        passwordHash: input.passwordHash ?? null,
      })
      .onConflictDoNothing({ target: persons.email })
      .returning({ id: persons.id });
    // A former address stays reserved for its account for a while, because otherwise an undo would fail.
    if (inserted.length === 0 || (await findReservation(tx, email)) !== undefined) {
      throw new Fault("conflict", `There is already an account for ${email}.`);
    }
    // Raw SQL: the server's role may set these two columns and no other.
    await tx.execute(
      sql`insert into accounts (id, name) values (${created.accountId}, ${input.name ?? email})`,
    );
    await tx
      .insert(memberships)
      .values({ accountId: created.accountId, personId: created.personId });
    const { accountId } = created;
    if (input.by) await recordAudit(tx, { accountId, by: input.by, action: "account.create" });
  });
  return created;
}
