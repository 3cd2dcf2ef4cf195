// What happens to the factors of a person: added, renamed, removed, their recovery codes replaced. Each change of
// what signs in is mailed, with a link that undoes it together with the password.
import { type FactorId, Fault, type PersonId } from "@turnpike/base";
import { type Db, factors, recoveryCodes, sessions } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { and, eq, gte, isNotNull, isNull, ne, or } from "drizzle-orm";
import type { Auth } from "../auth.ts";
import { issueUndoLink } from "../email-link/undo-link.ts";
import type { SessionOwner } from "../password/confirm-password.ts";
import { lockFactors, parseFactorName, queryFactors } from "./factor-list.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";

/** In the transaction that added it, with the person's lock. */
export async function welcomeFactor(
  tx: Db,
  auth: Auth,
  { person, session }: SessionOwner,
  { name, isFirst }: { readonly name: string; readonly isFirst: boolean },
): Promise<{ readonly recoveryCodes: readonly string[] }> {
  await mailChange(tx, auth, person, { kind: "factor_added", name });
  if (!isFirst) return { recoveryCodes: [] };
  await tx
    .delete(sessions)
    .where(and(eq(sessions.personId, person.id), ne(sessions.publicId, session.publicId)));
  return { recoveryCodes: await replaceRecoveryCodes(tx, person.id) };
}

/** Throws `invalid_value` and `not_found`. */
export async function renameFactor(
  db: Db,
  personId: PersonId,
  change: { readonly id: FactorId; readonly name: string },
): Promise<void> {
  const name = parseFactorName(change.name);
  const renamed = await db
    .update(factors)
    .set({ name })
    .where(isConfirmed(personId, change.id))
    .returning({ id: factors.id });
  if (renamed.length === 0) throw noFactor();
}

/** With the last one, the recovery codes go too. Throws `not_found`. */
export async function removeFactor(
  db: Db,
  auth: Auth,
  { person }: SessionOwner,
  id: FactorId,
): Promise<void> {
  await db.transaction(async (tx) => {
    const list = await lockFactors(tx, person.id);
    const removed = list.find((factor) => factor.id === id);
    if (removed === undefined) throw noFactor();
    await tx.delete(factors).where(isConfirmed(person.id, id));
    if (list.length === 1) {
      await tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, person.id));
    }
    await mailChange(tx, auth, person, { kind: "factor_removed", name: removed.name });
  });
}

/** All earlier codes stop working. Throws `conflict` without a factor that they could stand in for. */
export async function renewRecoveryCodes(
  db: Db,
  auth: Auth,
  { person }: SessionOwner,
): Promise<{ readonly recoveryCodes: readonly string[] }> {
  return db.transaction(async (tx) => {
    const list = await lockFactors(tx, person.id);
    if (list.length === 0) {
      throw new Fault("conflict", "Recovery codes come with your first factor. Add one.");
    }
    await mailChange(tx, auth, person, { kind: "recovery_codes_replaced" });
    return { recoveryCodes: await replaceRecoveryCodes(tx, person.id) };
  });
}

/** Removes what was added since then: an undo must not leave a thief a way in. */
export async function removeFactorsSince(tx: Db, personId: PersonId, since: Date): Promise<void> {
  const isLater = or(isNull(factors.confirmedAt), gte(factors.confirmedAt, since));
  await tx.delete(factors).where(and(eq(factors.personId, personId), isLater));
  if ((await queryFactors(tx, personId)).length > 0) return;
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, personId));
}

type FactorChange =
  | { readonly kind: "factor_added" | "factor_removed"; readonly name: string }
  | { readonly kind: "recovery_codes_replaced" | "recovery_code_used" };

export async function mailChange(
  tx: Db,
  auth: Auth,
  { id: personId, email }: { readonly id: PersonId; readonly email: string },
  change: FactorChange,
): Promise<void> {
  await queueMail(tx, email, {
    ...change,
    at: new Date().toISOString(),
    ...(await issueUndoLink(tx, auth, { personId, email })),
  });
}

function isConfirmed(personId: PersonId, id: FactorId) {
  return and(eq(factors.id, id), eq(factors.personId, personId), isNotNull(factors.confirmedAt));
}

function noFactor(): Fault {
  return new Fault("not_found", "There is no such factor.");
}
