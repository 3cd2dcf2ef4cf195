// Adds a passkey: the browser makes one for a challenge of this person, and its answer proves that it has it.
import { type FactorId, Fault, newId, type PersonId } from "@turnpike/base";
import { type Db, factors } from "@turnpike/db";
import { sql } from "drizzle-orm";
import type { Auth } from "../auth.ts";
import type { SessionOwner } from "../password/confirm-password.ts";
import { welcomeFactor } from "./change-factors.ts";
import { consumeChallenge, issueChallenge } from "./factor-challenge.ts";
import { lockFactors, parseFactorName, requireRoom } from "./factor-list.ts";
import {
  type CreatedPasskey,
  type CreationOptions,
  creationOptions,
  verifyCreated,
  wrongPasskey,
} from "./passkey.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";
import { queryPasskeys } from "./use-passkey.ts";

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
  const known = await queryPasskeys(db, personId);
  return creationOptions(auth, { token, personId, email, known });
}

/** Throws `wrong_credentials`, `conflict` and `invalid_value`. Returns recovery codes with the first factor. */
export async function addPasskey(
  db: Db,
  auth: Auth,
  owner: SessionOwner,
  input: { readonly name: string; readonly credential: string },
): Promise<{ readonly recoveryCodes: readonly string[] }> {
  const { id: personId } = owner.person;
  const name = parseFactorName(input.name);
  const { token, ...passkey } = await verifyCreated(auth, input.credential);
  return db.transaction(async (tx) => {
    const others = await lockFactors(tx, personId);
    requireRoom(others);
    const asked = await consumeChallenge(tx, "add_passkey", token);
    if (asked?.personId !== personId) throw wrongPasskey();
    await insertPasskey(tx, personId, { ...passkey, name });
    return welcomeFactor(tx, auth, owner, { name, isFirst: others.length === 0 });
  });
}

/**
 * The same for someone who will be a person only with its answer, and will sign in with nothing else. `handle` is what
 * the browser files the passkey under.
 */
export async function beginFirstPasskey(
  db: Db,
  auth: Auth,
  { handle, email }: { readonly handle: string; readonly email: string },
): Promise<CreationOptions> {
  const token = await issueChallenge(db, "add_passkey", null);
  return creationOptions(auth, { token, personId: handle, email, known: [], isAlone: true });
}

/** In the transaction that made the person. Throws `wrong_credentials` and `conflict`. Returns recovery codes. */
export async function addFirstPasskey(
  tx: Db,
  personId: PersonId,
  { token, ...passkey }: CreatedPasskey,
): Promise<readonly string[]> {
  const asked = await consumeChallenge(tx, "add_passkey", token);
  if (asked === undefined || asked.personId !== null) throw wrongPasskey();
  await insertPasskey(tx, personId, { ...passkey, name: "Passkey" });
  return replaceRecoveryCodes(tx, personId);
}

async function insertPasskey(
  tx: Db,
  personId: PersonId,
  passkey: Omit<CreatedPasskey, "token"> & { readonly name: string },
): Promise<void> {
  const row = { ...passkey, id: newId<FactorId>(), personId, kind: "passkey" } as const;
  const added = await tx
    .insert(factors)
    .values({ ...row, confirmedAt: sql`now()` })
    .onConflictDoNothing({ target: factors.credentialId })
    .returning({ id: factors.id });
  if (added.length === 0) throw new Fault("conflict", "This passkey was added before.");
}
