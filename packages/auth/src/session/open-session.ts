// Opens a session for a person who was just admitted, and mails them if the browser is new. Every way to sign in
// ends here.

import type { PersonId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import type { Auth, Caller } from "../auth.ts";
import { describeDevice } from "./describe-device.ts";
import { recogniseDevice } from "./recognise-device.ts";
import type { SessionOrigin } from "./session.ts";

export type SignedIn = {
  /** Values of Set-Cookie headers. */
  readonly setCookies: readonly string[];
};

/** Call it in the transaction that holds the person's lock. `by`: absent, they gave their password. */
export async function openSession(
  tx: Db,
  auth: Auth,
  caller: Caller,
  person: { readonly id: PersonId; readonly email: string },
  by: SessionOrigin = {},
): Promise<SignedIn> {
  const device = await recogniseDevice(tx, auth, caller, person.id);
  if (device.surprising) {
    await queueMail(tx, person.email, {
      kind: "new_sign_in",
      at: new Date().toISOString(),
      device: describeDevice(caller.userAgent),
      address: caller.address,
      link: `${auth.publicUrl}/settings/security`,
    });
  }
  const { setCookie } = await auth.sessions.open(tx, person.id, { ...caller, ...by });
  return { setCookies: [setCookie, device.setCookie] };
}
