// Registers a person: with a password, an account, and a mail that proves the address. The answer does
// not reveal whether the address was known; only a mail to its owner does.

import { createAccount, findReservation, parseEmail, throttle } from "@turnpike/accounts";
import { customerNetwork, Fault, neighborhood, type PersonId } from "@turnpike/base";
import { type Db, persons } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { and, eq, isNull } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { revokePendingLinks } from "../email-link/email-token.ts";
import {
  newRegisteringBrowser,
  type RegisteringBrowser,
  rememberRegistration,
} from "../email-link/registering-browser.ts";
import { sendVerification } from "../email-link/resend-verification.ts";
import { mailReservation } from "../email-link/undo-link.ts";
import { checkNewPassword } from "../password/check-password.ts";
import { throttleMail } from "../throttle/throttle-mail.ts";
import { type FoundPerson, findPersonByEmail } from "./find-person.ts";

/**
 * The same answer for known and unknown addresses. Throws `invalid_value` (address, password),
 * `string_below_min_length`, `string_above_max_length`, `throttled`, `overloaded`.
 */
export async function registerPerson(
  db: Db,
  auth: Auth,
  caller: Caller,
  input: { readonly email: string; readonly password: string },
): Promise<{ readonly setCookies: readonly string[] }> {
  const email = parseEmail(input.email);
  const { passwordCharsMin: minChars, productName, throttles } = auth;
  checkNewPassword(input.password, { minChars, email, productName, param: "password" });
  const { address } = caller;
  await throttle(db, throttles.signUpPerAddress, `sign-up:address:${customerNetwork(address)}`);
  await throttle(db, throttles.signUpPerNetwork, `sign-up:network:${neighborhood(address)}`);
  await throttleMail(db, auth, caller, { purpose: "verify", email, registers: true });
  // Last: a registration that sends no mail must not count against everybody's.
  await throttle(db, throttles.signUpInAll, "sign-up:all");
  // Hashed before the address is looked up, so that both cases do the same work.
  const passwordHash = await auth.passwords.hash(input.password);
  const known = await findPersonByEmail(db, email);
  const reserved = known === undefined ? await findReservation(db, email) : undefined;
  const browser = newRegisteringBrowser(auth);
  const chosen = { passwordHash, browser };
  if (reserved !== undefined) await mailReservation(db, auth, reserved);
  else if (known === undefined) await welcome(db, auth, email, chosen);
  else await welcomeBack(db, auth, known, chosen);
  return { setCookies: [browser.setCookie] };
}

type Chosen = { readonly passwordHash: string; readonly browser: RegisteringBrowser };

async function welcome(
  db: Db,
  auth: Auth,
  email: string,
  { passwordHash, browser }: Chosen,
): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      const { personId } = await createAccount(tx, { email, passwordHash });
      await rememberRegistration(tx, personId, browser);
      await sendVerification(tx, auth, { personId, email });
    });
  } catch (error) {
    if (!(error instanceof Fault && error.code === "conflict")) throw error;
    // A concurrent registration created the person and sends the mail.
  }
}

async function welcomeBack(
  db: Db,
  auth: Auth,
  person: FoundPerson,
  { passwordHash, browser }: Chosen,
): Promise<void> {
  const { id: personId, email } = person;
  await db.transaction(async (tx) => {
    if (await replaceUnprovenPassword(tx, personId, passwordHash)) {
      await revokePendingLinks(tx, personId);
      await rememberRegistration(tx, personId, browser);
      await sendVerification(tx, auth, { personId, email });
      return;
    }
    await queueMail(tx, email, {
      kind: "already_registered",
      link: `${auth.publicUrl}/login`,
      resetLink: `${auth.publicUrl}/forgot-password`,
    });
  });
}

/** Until the address is proven, it has no owner: the latest registration sets the password. */
async function replaceUnprovenPassword(
  db: Db,
  id: PersonId,
  passwordHash: string,
): Promise<boolean> {
  const replaced = await db
    .update(persons)
    .set({ passwordHash, passwordChangedAt: new Date() })
    .where(and(eq(persons.id, id), isNull(persons.emailVerifiedAt)))
    .returning({ id: persons.id });
  return replaced.length > 0;
}
