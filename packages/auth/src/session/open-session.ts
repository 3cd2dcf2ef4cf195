// Opens a session for a person who was just admitted, and mails them if the browser is new. Every way to sign in
// ends here.

import type { PersonId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import type { Auth, Caller } from "../auth.ts";
import { type FactorMethod, factorKindsOf, methodsOf } from "../factor/check-factor.ts";
import { issueChallenge } from "../factor/factor-challenge.ts";
import { requireWay } from "../provider/required-provider.ts";
import { describeDevice } from "./describe-device.ts";
import { recognizeDevice } from "./recognize-device.ts";
import type { AuthenticatedSession, OpenedSession, SessionOrigin } from "./session.ts";

export type SignedIn = {
  /** Values of Set-Cookie headers. */
  readonly setCookies: readonly string[];
  /** Nobody is signed in yet: the challenge and one of these methods go to `logInWithFactor`. */
  readonly factor?: { readonly challenge: string; readonly methods: readonly FactorMethod[] };
};

/**
 * Opens a session, or asks for a second factor of those who have one. Call it in the transaction that holds the
 * person's lock. `by`: absent, they gave their password. Throws `permission_denied` if their domain requires another way.
 */
export async function admit(
  tx: Db,
  auth: Auth,
  caller: Caller,
  person: { readonly id: PersonId; readonly email: string },
  by: SessionOrigin = {},
): Promise<SignedIn> {
  await requireWay(tx, auth, person, by);
  const methods = methodsOf(await factorKindsOf(tx, person.id));
  if (methods.length === 0) return openSession(tx, auth, caller, person, by);
  const challenge = await issueChallenge(tx, "sign_in", person.id, by.provider);
  return { setCookies: [], factor: { challenge, methods } };
}

/** The same for a person who has proved everything that is asked of them. */
export async function openSession(
  tx: Db,
  auth: Auth,
  caller: Caller,
  person: { readonly id: PersonId; readonly email: string },
  by: SessionOrigin = {},
): Promise<SignedIn> {
  await requireWay(tx, auth, person, by);
  const device = await recognizeDevice(tx, auth, caller, person.id);
  if (device.surprising) {
    const place = auth.findPlace(caller.address);
    await queueMail(tx, person.email, {
      kind: "new_sign_in",
      at: new Date().toISOString(),
      device: describeDevice(caller.userAgent),
      address: caller.address,
      ...(place !== "" && { place }),
      link: `${auth.publicUrl}/settings/security`,
    });
  }
  const { setCookie } = await auth.sessions.open(tx, person.id, { ...caller, ...by });
  return { setCookies: [setCookie, device.setCookie] };
}

/** Continues a session under a new token, admitted as it was. Call it in the transaction that ended it. */
export function renewSession(
  tx: Db,
  auth: Auth,
  caller: Caller,
  { person, session }: Pick<AuthenticatedSession, "person" | "session">,
): Promise<OpenedSession> {
  const by = session.provider === null ? {} : { provider: session.provider };
  return auth.sessions.open(tx, person.id, { ...caller, ...by }, "renewed");
}
