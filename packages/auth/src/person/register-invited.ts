// Registers the person an invitation was mailed to, in one step: the secret of its link proves the address, so that
// no second mail is needed, and they are a member at once. Someone who can sign in already has to do so instead.
import {
  createAccount,
  findRequirement,
  findReservation,
  holdInvitation,
  holdRequirement,
  joinAccount,
  parsePersonName,
  recordJoin,
  requireInvitation,
} from "@turnpike/accounts";
import { Fault } from "@turnpike/base";
import { type Db, persons } from "@turnpike/db";
import { eq, sql } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { addFirstPasskey, beginFirstPasskey } from "../factor/enroll-passkey.ts";
import { type CreationOptions, verifyCreated } from "../factor/passkey.ts";
import { throttlePasskeys } from "../factor/use-passkey.ts";
import { checkNewPassword } from "../password/check-password.ts";
import { openSession, type SignedIn } from "../session/open-session.ts";
import { claimUnproven } from "./claim-unproven.ts";
import { type FoundPerson, findPersonByEmail } from "./find-person.ts";

export type RegisteredInvited = SignedIn & {
  readonly accountName: string;
  readonly slug: string;
  /** With a passkey: shown once. */
  readonly recoveryCodes: readonly string[];
};

/** How they will sign in. */
export type FirstProof =
  | { readonly method: "password"; readonly password: string }
  | { readonly method: "passkey"; readonly credential: string };

/**
 * Throws `token_expired`, `throttled`, `conflict` (the address has an account), `permission_denied` (its domain requires
 * a provider), `wrong_credentials` (of a passkey), `overloaded`, and what `checkNewPassword` throws.
 */
export async function registerInvited(
  db: Db,
  auth: Auth,
  caller: Caller,
  input: { readonly token: string; readonly name: string; readonly proof: FirstProof },
): Promise<RegisteredInvited> {
  const link = { token: input.token };
  const { accountId, email } = await requireInvitation(db, auth, caller, link);
  // Before a password is hashed, which is dear.
  assertNotProven(await findPersonByEmail(db, email));
  const name = parsePersonName(input.name);
  const { passwordHash, passkey } = await checkProof(auth, email, input.proof);
  return db.transaction(async (tx) => {
    const { invitation } = await holdInvitation(tx, link, accountId);
    await holdRequirement(tx, email);
    const { id } = await proveInvited(tx, invitation.email, { name, passwordHash });
    const person = { id, email: invitation.email };
    await joinAccount(tx, invitation, person);
    await recordJoin(tx, invitation, { person, address: caller.address });
    const recoveryCodes = passkey === undefined ? [] : await addFirstPasskey(tx, id, passkey);
    // Their first session: nothing else has been asked of them yet.
    const { setCookies } = await openSession(tx, auth, caller, person);
    const { accountName, slug } = invitation;
    return { setCookies, accountName, slug, recoveryCodes };
  });
}

/** What the browser is asked to make. Throws `token_expired`, `throttled`, `conflict` and `permission_denied`. */
export async function beginInvitedPasskey(
  db: Db,
  auth: Auth,
  caller: Caller,
  { token }: { readonly token: string },
): Promise<CreationOptions> {
  await throttlePasskeys(db, auth, caller);
  const { id, email } = await requireInvitation(db, auth, caller, { token });
  assertNotProven(await findPersonByEmail(db, email));
  if ((await findRequirement(db, email)) !== undefined) {
    throw new Fault("permission_denied", "Your organization manages how you sign in.");
  }
  return beginFirstPasskey(db, auth, { handle: id, email });
}

async function checkProof(auth: Auth, email: string, proof: FirstProof) {
  if (proof.method === "passkey") {
    const passkey = await verifyCreated(auth, proof.credential, { isAlone: true });
    return { passwordHash: null, passkey };
  }
  const { passwordCharsMin: minChars, productName } = auth;
  checkNewPassword(proof.password, { minChars, productName, email, param: "password" });
  return { passwordHash: await auth.passwords.hash(proof.password), passkey: undefined };
}

type Owner = { readonly name: string; readonly passwordHash: string | null };

/** The person with the address, proven from now on. Throws `conflict`. */
async function proveInvited(
  tx: Db,
  email: string,
  { name, passwordHash }: Owner,
): Promise<Pick<FoundPerson, "id">> {
  await tx.select({ id: persons.id }).from(persons).where(eq(persons.email, email)).for("update");
  const known = await findPersonByEmail(tx, email);
  if (known !== undefined) {
    assertNotProven(known);
    if (await claimUnproven(tx, known, { passwordHash, name })) return known;
    throw hasAccount(email);
  }
  if ((await findReservation(tx, email)) !== undefined) {
    const message = `${email} was the address of another account until recently, and stays reserved for it. Use another address, or try again in some days.`;
    throw new Fault("conflict", message);
  }
  const { personId: id } = await createAccount(tx, {
    email,
    ...(passwordHash !== null && { passwordHash }),
  });
  await tx.update(persons).set({ name, emailVerifiedAt: sql`now()` }).where(eq(persons.id, id));
  return { id };
}

function assertNotProven(person: FoundPerson | undefined): void {
  if (person !== undefined && person.emailVerifiedAt !== null) throw hasAccount(person.email);
}

function hasAccount(email: string): Fault {
  return new Fault("conflict", `${email} has an account already. Sign in to join.`);
}
