// An operator looks at an account through the console, as its viewers do: read-only and for 15 minutes at
// most. The account's audit log says when it begins, until when at most, and when it is ended before that. Read with the
// session of every request: a view that ended is refused by the next one.
import { type AccountId, Fault, newId, type PersonId } from "@turnpike/base";
import {
  type AuditActor,
  accounts,
  accountViews,
  type Db,
  memberships,
  operators,
  persons,
  recordAudit,
  sessions,
} from "@turnpike/db";
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Membership } from "../member/membership.ts";

export const viewMinutes = 15;

export type AccountView = {
  readonly id: string;
  readonly accountId: AccountId;
  /** Names the account in the addresses of its pages. */
  readonly slug: string;
  readonly name: string;
  /** Of the operator. */
  readonly email: string;
  readonly startedAt: Date;
  readonly expiresAt: Date;
};

const isInTime = sql`${accountViews.endedAt} is null and ${accountViews.expiresAt} > now()`;

/** Whether the operator can look: they still have the role, and are signed in somewhere. */
const isOpen = sql`${isInTime}
  and exists (select from ${operators} where ${operators.personId} = ${accountViews.personId}
                 and ${operators.role} in ('owner', 'support'))
  and exists (select from ${sessions} where ${sessions.personId} = ${accountViews.personId}
                 and ${sessions.expiresAt} > now())`;

/** As a column of a query: what the person `personId` may look at as an operator, as memberships of viewers. */
export function viewsOf(personId: SQL): SQL<readonly Membership[]> {
  return sql`(
    select coalesce(json_agg(json_build_object('id', ${accounts.id}, 'kind', ${accounts.kind},
             'slug', ${accounts.slug}, 'name', ${accounts.name}, 'role', 'viewer',
             'viewId', ${accountViews.id}, 'viewUntil', ${accountViews.expiresAt})
             order by ${accountViews.startedAt}), '[]')
      from ${accountViews} join ${accounts} on ${accounts.id} = ${accountViews.accountId}
     where ${accountViews.personId} = ${personId} and ${isOpen})`;
}

/** Instead of an earlier one of the same operator. Throws `not_found`, and `conflict` for a member of the account. */
export async function startView(
  db: Db,
  { accountId, personId }: { readonly accountId: AccountId; readonly personId: PersonId },
  by: AuditActor,
): Promise<Pick<AccountView, "id" | "slug" | "expiresAt">> {
  return db.transaction(async (tx) => {
    // One start of a person at a time: the second ends the view that the first began.
    await tx
      .select({ id: persons.id })
      .from(persons)
      .where(eq(persons.id, personId))
      .for("no key update");
    const [account] = await tx
      .select({ slug: accounts.slug, member: memberships.personId })
      .from(accounts)
      .leftJoin(
        memberships,
        and(eq(memberships.accountId, accounts.id), eq(memberships.personId, personId)),
      )
      .where(eq(accounts.id, accountId));
    if (account === undefined) throw new Fault("not_found", "There is no such account.");
    if (account.member !== null) {
      throw new Fault("conflict", "You are a member of this account: open it as one.");
    }
    await tx
      .update(accountViews)
      .set({ endedAt: sql`now()` })
      .where(
        and(eq(accountViews.accountId, accountId), eq(accountViews.personId, personId), isInTime),
      );
    const [view] = await tx
      .insert(accountViews)
      .values({
        accountId,
        personId,
        id: newId(),
        expiresAt: sql`now() + make_interval(mins => ${viewMinutes})`,
      })
      .returning({ id: accountViews.id, expiresAt: accountViews.expiresAt });
    if (view === undefined) throw new Error("the insert returned no row");
    const changes = { until: [null, view.expiresAt.toISOString()] } as const;
    await recordAudit(tx, { accountId, by, action: "view.start", changes });
    return { ...view, slug: account.slug };
  });
}

/** Throws `not_found` if it is over. */
export async function endView(db: Db, id: string, by: AuditActor): Promise<void> {
  await db.transaction(async (tx) => {
    const [view] = await tx
      .update(accountViews)
      .set({ endedAt: sql`now()` })
      .where(and(eq(accountViews.id, id), isInTime))
      .returning({ accountId: accountViews.accountId });
    if (view === undefined) throw new Fault("not_found", "There is no such view, or it is over.");
    await recordAudit(tx, { accountId: view.accountId, by, action: "view.end" });
  });
}

/** Of one account, or of all; the oldest first. */
export async function listViews(db: Db, accountId?: AccountId): Promise<readonly AccountView[]> {
  return db
    .select({
      id: accountViews.id,
      accountId: accountViews.accountId,
      slug: accounts.slug,
      name: accounts.name,
      email: persons.email,
      startedAt: accountViews.startedAt,
      expiresAt: accountViews.expiresAt,
    })
    .from(accountViews)
    .innerJoin(accounts, eq(accounts.id, accountViews.accountId))
    .innerJoin(persons, eq(persons.id, accountViews.personId))
    .where(and(accountId === undefined ? undefined : eq(accountViews.accountId, accountId), isOpen))
    .orderBy(asc(accountViews.startedAt));
}

/** Throws `permission_denied` where an operator looks at the account: nothing can be changed in a view. */
export function assertNotInView({ name, viewUntil }: Membership): void {
  if (!viewUntil) return;
  throw new Fault(
    "permission_denied",
    `You are viewing ${name || "this account"} for support, read-only: nothing can be changed here.`,
  );
}
