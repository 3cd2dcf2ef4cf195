// The second step of signing in: after the right password, or a provider that vouched for the person, the proof of a factor opens the session. Wrong
// proofs are counted per person, from any client: the password is proven before.
import { Fault, type PersonId } from "@turnpike/base";
import { type Db, persons } from "@turnpike/db";
import { eq } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { mailChange } from "../factor/change-factors.ts";
import { checkFactor, type FactorProof } from "../factor/check-factor.ts";
import { consumeChallenge, findChallenge } from "../factor/factor-challenge.ts";
import { cancelRecoveryOf } from "../factor/recover-factors.ts";
import { factorAttempts } from "../throttle/login-attempts.ts";
import { countGuess, forgetGuesses } from "../throttle/slow-guessing.ts";
import { openSession, type SignedIn } from "./open-session.ts";

export type FactorSignIn = {
  /** As `logIn` returned it. */
  readonly challenge: string;
  readonly proof: FactorProof;
};

/** Throws `token_expired`, `wrong_credentials` and `throttled`. */
export async function logInWithFactor(
  db: Db,
  auth: Auth,
  caller: Caller,
  { challenge, proof }: FactorSignIn,
): Promise<SignedIn> {
  const named = await findChallenge(db, "sign_in", challenge);
  if (!named?.personId) throw expired();
  const { personId } = named;
  const attempts = factorAttempts(personId);
  await countGuess(db, auth.throttles.factorPerPerson, attempts);
  const signedIn = await db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId);
    const taken = await consumeChallenge(tx, "sign_in", challenge);
    if (taken === undefined) throw expired();
    await checkFactor(tx, auth, personId, proof);
    await cancelRecoveryOf(tx, personId);
    if (proof.method === "recovery_code") {
      await mailChange(tx, auth, person, { kind: "recovery_code_used" });
    }
    const by = taken.provider === null ? {} : { provider: taken.provider };
    return openSession(tx, auth, caller, person, by);
  });
  await forgetGuesses(db, attempts);
  return signedIn;
}

async function lockPerson(tx: Db, id: PersonId) {
  const [person] = await tx
    .select({ id: persons.id, email: persons.email })
    .from(persons)
    .where(eq(persons.id, id))
    .for("update");
  if (person === undefined) throw expired();
  return person;
}

function expired(): Fault {
  return new Fault("token_expired", "This took too long. Enter your password again.");
}
