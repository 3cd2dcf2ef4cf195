// Signs in with a passkey and nothing else: it is something the person has, and it has verified that it is them.
import { Fault } from "@turnpike/base";
import { type Db, persons } from "@turnpike/db";
import { eq } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { wrongPasskey } from "../factor/passkey.ts";
import { cancelRecoveryOf } from "../factor/recover-factors.ts";
import { findPasskeyOwner, takePasskey } from "../factor/use-passkey.ts";
import { openSession, type SignedIn } from "./open-session.ts";

/** Throws `wrong_credentials`. */
export async function logInWithPasskey(
  db: Db,
  auth: Auth,
  caller: Caller,
  { credential }: { readonly credential: string },
): Promise<SignedIn> {
  const { personId } = await findPasskeyOwner(db, credential);
  return db.transaction(async (tx) => {
    const [person] = await tx
      .select({ id: persons.id, email: persons.email, emailVerifiedAt: persons.emailVerifiedAt })
      .from(persons)
      .where(eq(persons.id, personId))
      .for("update");
    if (person === undefined) throw wrongPasskey();
    await takePasskey(tx, auth, personId, { credential, isAlone: true });
    await cancelRecoveryOf(tx, personId);
    if (person.emailVerifiedAt === null) {
      throw new Fault("email_not_verified", "Verify your email to sign in.");
    }
    return openSession(tx, auth, caller, person);
  });
}
