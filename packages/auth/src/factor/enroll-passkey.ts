// Adds a passkey: the browser makes one for a challenge of this person, and its answer proves that it has it.
import { type FactorId, Fault, newId } from "@turnpike/base";
import { type Db, factors } from "@turnpike/db";
import { sql } from "drizzle-orm";
import type { Auth } from "../auth.ts";
import type { SessionOwner } from "../password/confirm-password.ts";
import { welcomeFactor } from "./change-factors.ts";
import { consumeChallenge, issueChallenge } from "./factor-challenge.ts";
import { lockFactors, readFactorName, requireRoom } from "./factor-list.ts";
import { type CreationOptions, creationOptions, readCreated, wrongPasskey } from "./passkey.ts";
import { readPasskeys } from "./use-passkey.ts";

/** What the browser is asked to make. Throws `conflict`. */
export async function beginPasskey(
  db: Db,
  auth: Auth,
  { person }: SessionOwner,
): Promise<CreationOptions> {
  const { id: personId, email } = person;
  const token = await db.transaction(async (tx) => {
    requireRoom(await lockFactors(tx, personId));
    return issueChallenge(tx, "add_passkey", personId);
  });
  const known = await readPasskeys(db, personId);
  return creationOptions(auth, { token, personId, email, known });
}

/** Throws `wrong_credentials`, `conflict` and `invalid_value`. Returns recovery codes with the first factor. */
export async function addPasskey(
  db: Db,
  auth: Auth,
  owner: SessionOwner,
  given: { readonly name: string; readonly credential: string },
): Promise<{ readonly recoveryCodes: readonly string[] }> {
  const { id: personId } = owner.person;
  const name = readFactorName(given.name);
  const { token, ...passkey } = await readCreated(auth, given.credential);
  return db.transaction(async (tx) => {
    const others = await lockFactors(tx, personId);
    requireRoom(others);
    const asked = await consumeChallenge(tx, "add_passkey", token);
    if (asked?.personId !== personId) throw wrongPasskey();
    const id = newId<FactorId>();
    const row = { ...passkey, id, personId, name, kind: "passkey" } as const;
    const added = await tx
      .insert(factors)
      .values({ ...row, confirmedAt: sql`now()` })
      .onConflictDoNothing({ target: factors.credentialId })
      .returning({ id: factors.id });
    if (added.length === 0) throw new Fault("conflict", "This passkey was added before.");
    return welcomeFactor(tx, auth, owner, { name, isFirst: others.length === 0 });
  });
}
