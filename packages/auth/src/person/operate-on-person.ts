// What an operator does for a person who cannot sign in, or whose sign-in somebody else has: a new link, the end of
// their sessions, or the deletion of what is theirs. Each is in the audit log of the account that they see first.
import { parseEmail } from "@turnpike/accounts";
import { type AccountId, Fault, type PersonId } from "@turnpike/base";
import {
  type AuditActor,
  accounts,
  type Db,
  memberships,
  operators,
  recordAudit,
} from "@turnpike/db";
import { asc, eq } from "drizzle-orm";
import type { Auth } from "../auth.ts";
import { sendVerification } from "../email-link/resend-verification.ts";
import { sendReset } from "../password/request-password-reset.ts";
import { endSessionsOf } from "../session/end-session.ts";
import { scheduleDeletion, unscheduleDeletion } from "./delete-person.ts";
import { type FoundPerson, findPersonByEmail } from "./find-person.ts";

/** Throws `not_found`, and `conflict` for an address that is verified or has no password yet. */
export function resendVerificationAs(db: Db, auth: Auth, by: AuditActor, email: string) {
  return operate(db, { by, email, action: "person.resend_verification" }, async (tx, person) => {
    if (person.emailVerifiedAt !== null) {
      throw new Fault("conflict", `${person.email} is verified already.`, { param: "email" });
    }
    if (person.passwordHash === null) {
      throw new Fault("conflict", "This person has no password: send a reset.", { param: "email" });
    }
    await sendVerification(tx, auth, { personId: person.id, email: person.email });
    return {};
  });
}

/** Throws `not_found`. */
export function sendResetAs(db: Db, auth: Auth, by: AuditActor, email: string) {
  return operate(db, { by, email, action: "person.send_reset" }, async (tx, person) => {
    await sendReset(tx, auth, { personId: person.id, email: person.email });
    return {};
  });
}

/** Throws `not_found`. */
export function endSessionsAs(db: Db, by: AuditActor, email: string) {
  return operate(db, { by, email, action: "person.end_sessions" }, async (tx, person) => ({
    ended: await endSessionsOf(tx, person, fromDesk),
  }));
}

/** Throws what `requestDeletion` throws, `not_found`, and `conflict` for an operator: their role is taken away first. */
export function requestDeletionAs(db: Db, auth: Auth, by: AuditActor, email: string) {
  return operate(db, { by, email, action: "person.request_deletion" }, async (tx, person) => {
    const [operator] = await tx
      .select({ role: operators.role })
      .from(operators)
      .where(eq(operators.personId, person.id));
    if (operator !== undefined) {
      const message = `${person.email} is an operator: take that role away first.`;
      throw new Fault("conflict", message, { param: "email" });
    }
    return { dueAt: await scheduleDeletion(tx, auth, person, fromDesk) };
  });
}

/** Throws `not_found`, and `conflict` if no deletion is under way. */
export function cancelDeletionAs(db: Db, by: AuditActor, email: string) {
  return operate(db, { by, email, action: "person.cancel_deletion" }, async (tx, person) => {
    if (await unscheduleDeletion(tx, person.id, fromDesk)) return {};
    throw new Fault("conflict", `No deletion of ${person.email} is under way.`, { param: "email" });
  });
}

/** What the person reads in their own list of events. */
const fromDesk = { address: "", userAgent: "operator" };

type Operation = {
  readonly by: AuditActor;
  readonly email: string;
  readonly action: string;
};

function operate<Result>(
  db: Db,
  { by, email, action }: Operation,
  run: (tx: Db, person: FoundPerson) => Promise<Result>,
): Promise<Result> {
  const address = parseEmail(email);
  return db.transaction(async (tx) => {
    const person = await findPersonByEmail(tx, address);
    if (person === undefined) throw new Fault("not_found", `Nobody signs in as ${address}.`);
    const result = await run(tx, person);
    const accountId = await firstAccountOf(tx, person.id);
    const object = { id: person.id, name: person.email };
    if (accountId !== undefined) await recordAudit(tx, { accountId, by, action, object });
    return result;
  });
}

async function firstAccountOf(tx: Db, personId: PersonId): Promise<AccountId | undefined> {
  const [first] = await tx
    .select({ id: accounts.id })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(eq(memberships.personId, personId))
    .orderBy(eq(accounts.kind, "organization"), asc(memberships.createdAt), asc(accounts.id))
    .limit(1);
  return first?.id;
}
