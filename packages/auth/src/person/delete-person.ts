// Deletes people who asked for it, a week later, so that a mail can still reach them. The books stay and no longer
// name anyone: the row of the person stays for what refers to it, without anything about them.
import { assertNoMoney, emptyAccount, endMembership, lockMembers } from "@turnpike/accounts";
import { type AccountId, Fault, type PersonId, quoteName } from "@turnpike/base";
import {
  type AuditActor,
  accounts,
  allTables,
  type Db,
  forgetCard,
  invitations,
  memberships,
  operator,
  outbox,
  persons,
  recordAudit,
} from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { and, eq, getTableColumns, isNull, lte, sql } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import type { AuthenticatedSession } from "../session/session.ts";
import { recordPersonEvent } from "./person-event.ts";

export const deletionDelayDays = 7;

/** What stays of a deleted person, and why; everything else with a `person_id` is deleted. */
export const keptOfPersons: Readonly<Record<string, string>> = {
  memberships: "ended one by one, so that what each account records about it is recorded",
  leases: "part of the books; what was spent in the playground, by a person who is anonymous",
  top_ups: "part of the books; its person is anonymous",
  account_views: "who looked at an account; its person is anonymous",
  person_events: "deleted by the job that deletes old ones, which is the only one that may",
};

type Client = Pick<Caller, "address" | "userAgent">;
type SignedInCaller = Caller & { readonly authenticated: AuthenticatedSession };

/** When the person will be deleted; null if they did not ask for it. */
export async function queryDeletion(db: Db, personId: PersonId): Promise<Date | null> {
  const [row] = await db
    .select({ dueAt: persons.deletionDueAt })
    .from(persons)
    .where(eq(persons.id, personId));
  return row?.dueAt ?? null;
}

/** Throws `conflict` for the only owner of an organization, and while there is money in the personal account. */
export function requestDeletion(db: Db, auth: Auth, caller: SignedInCaller): Promise<Date> {
  return db.transaction((tx) => scheduleDeletion(tx, auth, caller.authenticated.person, caller));
}

/** The same in a transaction of the caller, who may be an operator. */
export async function scheduleDeletion(
  tx: Db,
  auth: Auth,
  person: Leaver,
  client: Client,
): Promise<Date> {
  const belongings = await accountsOf(tx, person.id);
  await assertNoObstacles(tx, person.id, belongings);
  const [asked] = await tx
    .update(persons)
    .set({ deletionDueAt: sql`now() + make_interval(days => ${deletionDelayDays}::int)` })
    .where(and(eq(persons.id, person.id), isNull(persons.deletionDueAt)))
    .returning({ dueAt: persons.deletionDueAt });
  if (!asked?.dueAt) throw new Fault("conflict", "The deletion is under way already.");
  await queueMail(tx, person.email, {
    kind: "deletion_scheduled",
    at: asked.dueAt.toISOString(),
    link: `${auth.publicUrl}/settings/profile`,
  });
  const personal = belongings.find(({ kind }) => kind === "personal");
  if (personal !== undefined && (await forgetCard(tx, personal.id))) {
    const link = `${auth.publicUrl}/wallet`;
    await queueMail(tx, person.email, { kind: "auto_top_up_paused", reason: "deletion", link });
  }
  await recordPersonEvent(tx, person.id, "deletion_request", client);
  return asked.dueAt;
}

export function cancelDeletion(db: Db, caller: SignedInCaller): Promise<unknown> {
  return db.transaction((tx) => unscheduleDeletion(tx, caller.authenticated.person.id, caller));
}

/** The same in a transaction of the caller. False if no deletion was under way. */
export async function unscheduleDeletion(tx: Db, id: PersonId, client: Client): Promise<boolean> {
  const canceled = await tx
    .update(persons)
    .set({ deletionDueAt: null })
    .where(and(eq(persons.id, id), sql`${persons.deletionDueAt} is not null`))
    .returning({ id: persons.id });
  if (canceled.length > 0) await recordPersonEvent(tx, id, "deletion_cancel", client);
  return canceled.length > 0;
}

/** How the keys of a person are revoked, in the transaction that deletes them. */
export type RevokeKeysOf = {
  readonly account: (tx: Db, accountId: AccountId) => Promise<unknown>;
  readonly member: (
    tx: Db,
    accountId: AccountId,
    personId: PersonId,
    by: AuditActor,
  ) => Promise<unknown>;
};

const deletedMax = 100;

/**
 * For a job. Returns the accounts whose keys changed. A person who cannot be deleted because of a bug delays nobody
 * else: it is thrown once the others are deleted.
 */
export async function deleteDuePersons(db: Db, revoke: RevokeKeysOf): Promise<AccountId[]> {
  const due = await db
    .select({ id: persons.id, email: persons.email })
    .from(persons)
    .where(lte(persons.deletionDueAt, sql`now()`))
    .limit(deletedMax);
  const changed: AccountId[] = [];
  const bugs: unknown[] = [];
  for (const person of due) {
    try {
      changed.push(...(await db.transaction((tx) => deletePerson(tx, person, revoke))));
    } catch (error) {
      if (error instanceof Fault) await stopDeletion(db, person, error.message);
      else bugs.push(error);
    }
  }
  if (bugs.length > 0) throw bugs[0];
  return changed;
}

type Leaver = { readonly id: PersonId; readonly email: string };

async function stopDeletion(db: Db, { id, email }: Leaver, reason: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(persons).set({ deletionDueAt: null }).where(eq(persons.id, id));
    await queueMail(tx, email, { kind: "deletion_stopped", reason });
  });
}

async function deletePerson(tx: Db, person: Leaver, revoke: RevokeKeysOf): Promise<AccountId[]> {
  const belongings = await accountsOf(tx, person.id);
  for (const { id } of belongings) await lockMembers(tx, id);
  const [locked] = await tx
    .select({ dueAt: persons.deletionDueAt })
    .from(persons)
    .where(and(eq(persons.id, person.id), lte(persons.deletionDueAt, sql`now()`)))
    .for("update");
  if (locked === undefined) return [];
  // They joined or left an account meanwhile: the next run of the job locks the right ones.
  const now = await accountsOf(tx, person.id);
  if (now.map(({ id }) => id).join() !== belongings.map(({ id }) => id).join()) return [];
  await assertNoObstacles(tx, person.id, belongings);
  for (const { id, kind } of belongings) {
    if (kind === "personal") await closePersonal(tx, id, revoke);
    else await leaveOrganization(tx, id, person, revoke);
  }
  await forget(tx, person);
  await queueMail(tx, person.email, { kind: "person_deleted" });
  return belongings.map(({ id }) => id);
}

type Belonging = { readonly id: AccountId; readonly kind: string; readonly name: string };

function accountsOf(tx: Db, personId: PersonId): Promise<Belonging[]> {
  return tx
    .select({ id: accounts.id, kind: accounts.kind, name: accounts.name })
    .from(accounts)
    .innerJoin(memberships, eq(memberships.accountId, accounts.id))
    .where(and(eq(memberships.personId, personId), isNull(accounts.closedAt)))
    .orderBy(accounts.id);
}

/** Locks the accounts, in id order. */
async function assertNoObstacles(
  tx: Db,
  personId: PersonId,
  belongings: readonly Belonging[],
): Promise<void> {
  for (const { id, kind, name } of belongings) {
    const members = await lockMembers(tx, id);
    if (kind === "personal") await assertNoMoney(tx, id);
    const owners = members.filter(({ role }) => role === "owner");
    if (kind === "personal" || owners.some((owner) => owner.personId !== personId)) continue;
    if (!owners.some((owner) => owner.personId === personId)) continue;
    throw new Fault(
      "conflict",
      `${quoteName(name)} has no other owner. Transfer its ownership or delete it first.`,
    );
  }
}

async function closePersonal(tx: Db, id: AccountId, revoke: RevokeKeysOf): Promise<void> {
  await revoke.account(tx, id);
  await emptyAccount(tx, id);
  await recordAudit(tx, { accountId: id, by: operator, action: "account.close" });
}

async function leaveOrganization(
  tx: Db,
  id: AccountId,
  person: Leaver,
  revoke: RevokeKeysOf,
): Promise<void> {
  const by = { kind: "person", ...person, address: "" } as const;
  await revoke.member(tx, id, person.id, by);
  await endMembership(tx, id, person.id);
  const object = { id: person.id, name: person.email };
  await recordAudit(tx, { accountId: id, by, action: "member.leave", object });
}

/** Deletes every row about the person that nothing else needs, and empties their own. */
async function forget(tx: Db, { id, email }: Leaver): Promise<void> {
  for (const [name, table] of allTables) {
    const column = Object.values(getTableColumns(table)).find((one) => one.name === "person_id");
    if (column !== undefined && !(name in keptOfPersons)) {
      await tx.delete(table).where(eq(column, id));
    }
  }
  const nobody = `deleted-${id}@deleted.invalid`;
  await tx.update(invitations).set({ email: nobody }).where(eq(invitations.email, email));
  await tx.delete(outbox).where(eq(outbox.recipient, email));
  await tx
    .update(persons)
    .set({
      email: nobody,
      name: "",
      timeZone: "",
      passwordHash: null,
      passwordChangedAt: null,
      emailVerifiedAt: null,
      deletionDueAt: null,
      deletedAt: sql`now()`,
    })
    .where(eq(persons.id, id));
}
