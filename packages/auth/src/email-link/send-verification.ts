// Mails the link that proves an address.

import type { Db } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import type { Auth } from "../auth.ts";
import { issueToken, type TokenOwner, tokenLifetimesMs } from "./email-token.ts";

/** In the transaction that makes the token necessary. */
export async function sendVerification(db: Db, auth: Auth, to: TokenOwner): Promise<void> {
  const token = await issueToken(db, { ...to, purpose: "verify" });
  await queueMail(db, to.email, {
    kind: "verify_email",
    link: `${auth.publicUrl}/verify-email?token=${token}`,
    hours: tokenLifetimesMs.verify / 3_600_000,
  });
}
