// Step-up: an action that could cost the owner their account or money needs a proof of identity that is
// at most ten minutes old, however old the session is. The proof is the password or any second
// factor.

import { Fault } from "@turnpike/base";
import { type Db, sessions } from "@turnpike/db";
import { eq } from "drizzle-orm";
import type { Auth } from "../auth.ts";
import { mailChange } from "../factor/change-factors.ts";
import { checkFactor, type FactorProof, methodsOf } from "../factor/check-factor.ts";
import { lockFactors } from "../factor/factor-list.ts";
import { confirmPassword, type SessionOwner } from "../password/confirm-password.ts";
import { sessionAttempts } from "../throttle/login-attempts.ts";
import { countGuess, forgetGuesses } from "../throttle/slow-guessing.ts";

const recentMs = 10 * 60_000;

/** How a person may prove their identity: any one of these. */
export type Proof = { readonly method: "password"; readonly password: string } | FactorProof;

/** Records a fresh proof in the session. Throws `wrong_credentials`, `throttled`, `overloaded`. */
export async function stepUp(db: Db, auth: Auth, owner: SessionOwner, proof: Proof): Promise<void> {
  if (proof.method === "password") {
    await confirmPassword(db, auth, owner, { password: proof.password, param: "password" });
  } else await confirmFactor(db, auth, owner, proof);
  await db
    .update(sessions)
    .set({ passwordAt: new Date() })
    .where(eq(sessions.publicId, owner.session.publicId));
}

/** Counted with wrong passwords of the same session. */
async function confirmFactor(
  db: Db,
  auth: Auth,
  owner: SessionOwner,
  proof: FactorProof,
): Promise<void> {
  const attempts = sessionAttempts(owner);
  await countGuess(db, auth.throttles.factorPerPerson, attempts);
  await db.transaction(async (tx) => {
    await lockFactors(tx, owner.person.id);
    await checkFactor(tx, auth, owner.person.id, proof);
    if (proof.method === "recovery_code") {
      await mailChange(tx, auth, owner.person, { kind: "recovery_code_used" });
    }
  });
  await forgetGuesses(db, attempts);
}

/** Throws `step_up_required` unless the person proved their identity within the last 10 minutes. */
export function requireRecentProof({ session, person }: SessionOwner): void {
  if (Date.now() - session.passwordAt.getTime() <= recentMs) return;
  throw new Fault("step_up_required", "Enter your password again to do this.", {
    metadata: { methods: ["password", ...methodsOf(person.factors)] },
  });
}
