// Which accounts a person belongs to, and which of them a request is about. Read with the session of every
// request: a member who was removed is refused by the next one.
import type { AccountId, PersonId, ProjectId } from "@turnpike/base";
import { Fault } from "@turnpike/base";
import { accountSlugs, accounts, type Db, memberships } from "@turnpike/db";
import type { AccountKind, Role } from "@turnpike/terms";
import { eq, type SQL, sql } from "drizzle-orm";

export type Membership = {
  readonly id: AccountId;
  readonly kind: AccountKind;
  /** Names the account in URLs. */
  readonly slug: string;
  readonly name: string;
  readonly role: Role;
  /** Where they work; absent or null is everywhere. */
  readonly projectIds?: readonly ProjectId[] | null;
  /** Members without a second factor are refused from then on. */
  readonly factorsRequiredFrom?: string | null;
  /** Of an operator who looks at the account (`account-view.ts`), and until when. */
  readonly viewId?: string;
  readonly viewUntil?: string;
};

/** As a column of a query: the memberships of the person `personId`, their personal account first. */
export function membershipsOf(personId: SQL): SQL<readonly Membership[]> {
  return sql`(
    select coalesce(json_agg(json_build_object('id', ${accounts.id}, 'kind', ${accounts.kind},
             'slug', ${accounts.slug}, 'name', ${accounts.name}, 'role', ${memberships.role},
             'projectIds', ${memberships.projectIds},
             'factorsRequiredFrom', ${accounts.factorsRequiredFrom})
             order by ${accounts.kind} = 'organization', ${memberships.createdAt}, ${accounts.id}), '[]')
      from ${memberships} join ${accounts} on ${accounts.id} = ${memberships.accountId}
     where ${memberships.personId} = ${personId})`;
}

type MembershipsOfPerson = {
  readonly accounts: readonly Membership[];
  /** What they look at as an operator. */
  readonly views?: readonly Membership[];
};

/**
 * The account a request names by its slug, present or former; without one, the first. Undefined if the person
 * neither belongs to it nor looks at it as an operator.
 */
export async function chooseAccount(
  db: Db,
  { accounts: own, views = [] }: MembershipsOfPerson,
  slug: string | undefined,
): Promise<Membership | undefined> {
  if (slug === undefined) return own[0];
  const list = [...own, ...views];
  const current = list.find((membership) => membership.slug === slug);
  if (current !== undefined) return current;
  const [former] = await db
    .select({ id: accountSlugs.accountId })
    .from(accountSlugs)
    .where(eq(accountSlugs.slug, slug));
  return list.find((membership) => membership.id === former?.id);
}

/** Throws `not_found`: whether the account exists is told to its members only. */
export function requireAccount(account: Membership | undefined): Membership {
  if (account !== undefined) return account;
  throw noSuchAccount();
}

export function noSuchAccount(): Fault {
  return new Fault("not_found", "There is no such account, or you are not a member of it.");
}

/**
 * Until the transaction ends, nothing else changes the account's settings, keys or members: such changes run one at a
 * time. Calls and payments do not wait for it. Take it before any other lock, or two changes could deadlock.
 */
export async function lockChanges(tx: Db, accountId: AccountId): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`account changes ${accountId}`}, 0))`,
  );
}

/** Locks changes and money of the account until the transaction ends, and returns its members. */
export async function lockMembers(tx: Db, accountId: AccountId): Promise<readonly LockedMember[]> {
  await lockChanges(tx, accountId);
  await tx.execute(sql`select 1 from accounts where id = ${accountId} for no key update`);
  return tx
    .select({
      personId: memberships.personId,
      role: memberships.role,
      ownershipOfferedBy: memberships.ownershipOfferedBy,
    })
    .from(memberships)
    .where(eq(memberships.accountId, accountId));
}

export type LockedMember = {
  readonly personId: PersonId;
  readonly role: Role;
  readonly ownershipOfferedBy: PersonId | null;
};

/** Undefined for those who work in all projects: owners and admins always do. */
export function projectScopeOf({
  role,
  projectIds,
}: Pick<Membership, "role" | "projectIds">): readonly ProjectId[] | undefined {
  if (role === "owner" || role === "admin") return undefined;
  return projectIds ?? undefined;
}
