// Step-up: an action that could cost the owner their account or money needs a proof of identity that is
// at most ten minutes old, however old the session is. The proof is the password.

import { Fault } from "@turnpike/base";
import { type Db, sessions } from "@turnpike/db";
import { eq } from "drizzle-orm";
import type { Auth } from "../auth.ts";
import { confirmPassword, type SessionOwner } from "../password/confirm-password.ts";
import type { AuthenticatedSession } from "./session.ts";

const recentMs = 10 * 60_000;

/** How a person may prove their identity. A second factor is one more member. */
export type Proof = { readonly method: "password"; readonly password: string };

/** Sent to the console, so that it asks for a proof the server accepts. */
const methods: readonly Proof["method"][] = ["password"];

type Check = (db: Db, auth: Auth, owner: SessionOwner, proof: Proof) => Promise<unknown>;

const checks = {
  password: (db, auth, owner, { password }) =>
    confirmPassword(db, auth, owner, { password, param: "password" }),
} satisfies Record<Proof["method"], Check>;

/** Records a fresh proof in the session. Throws `wrong_credentials`, `throttled`, `overloaded`. */
export async function stepUp(db: Db, auth: Auth, owner: SessionOwner, proof: Proof): Promise<void> {
  await checks[proof.method](db, auth, owner, proof);
  await db
    .update(sessions)
    .set({ passwordAt: new Date() })
    .where(eq(sessions.publicId, owner.session.publicId));
}

/** Throws `step_up_required` unless the person proved their identity within the last 10 minutes. */
export function requireRecentProof({ session }: Pick<AuthenticatedSession, "session">): void {
  if (Date.now() - session.passwordAt.getTime() <= recentMs) return;
  throw new Fault("step_up_required", "Enter your password again to do this.", {
    metadata: { methods },
  });
}
