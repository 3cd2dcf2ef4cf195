// Accounts by how an address or a name begins, by slug, and by id.
import { normalizeEmail } from "@turnpike/accounts";
import { type AccountId, type AnyId, lowerAscii, type PersonId, parseId } from "@turnpike/base";
import { accountSlugs, accounts, type Db, memberships, persons } from "@turnpike/db";
import { asc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { begins, type Found, foundMax } from "./found.ts";

export async function findAccounts(db: Db, text: string): Promise<readonly Found[]> {
  const wanted = lowerAscii(text);
  // For names only: an address that merely looks like another one must find nobody.
  const name = text.toLowerCase();
  // Each way alone, so that each is a few rows of one index.
  const ofPersons = (condition: SQL) =>
    db
      .select({ id: memberships.accountId })
      .from(persons)
      .innerJoin(memberships, eq(memberships.personId, persons.id))
      .where(condition)
      .limit(foundMax);
  const named = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(begins(sql`lower(${accounts.name})`, name))
    .limit(foundMax);
  const withSlug = db.select({ id: accounts.id }).from(accounts).where(eq(accounts.slug, wanted));
  const formerly = db
    .select({ id: accountSlugs.accountId })
    .from(accountSlugs)
    .where(eq(accountSlugs.slug, wanted));
  const rows = await unionAll(
    ofPersons(begins(persons.email, normalizeEmail(text) ?? wanted)),
    ofPersons(begins(sql`lower(${persons.name})`, name)),
    named,
    withSlug,
    formerly,
  );
  return describeAccounts(db, [...new Set(rows.map(({ id }) => id))].slice(0, foundMax));
}

/** Of an account, or of a person. */
export async function findAccountsById(db: Db, id: AnyId): Promise<readonly Found[]> {
  const personId = parseId<PersonId>(id);
  const theirs =
    personId === undefined
      ? []
      : await db
          .select({ id: memberships.accountId })
          .from(memberships)
          .where(eq(memberships.personId, personId))
          .limit(foundMax);
  const accountId = parseId<AccountId>(id);
  const ids = [...(accountId === undefined ? [] : [accountId]), ...theirs.map((row) => row.id)];
  return describeAccounts(db, ids);
}

async function describeAccounts(db: Db, ids: readonly AccountId[]): Promise<readonly Found[]> {
  if (ids.length === 0) return [];
  const people = db
    .select({ emails: sql<string>`string_agg(email, ', ')` })
    .from(
      db
        .select({ email: persons.email })
        .from(memberships)
        .innerJoin(persons, eq(persons.id, memberships.personId))
        .where(eq(memberships.accountId, accounts.id))
        .orderBy(asc(memberships.createdAt))
        .limit(3)
        .as("first"),
    );
  const rows = await db
    .select({
      id: accounts.id,
      kind: accounts.kind,
      name: accounts.name,
      slug: accounts.slug,
      emails: sql<string | null>`(${people})`,
    })
    .from(accounts)
    .where(or(inArray(accounts.id, [...ids])))
    .orderBy(asc(accounts.name), asc(accounts.id));
  return rows.map(({ id, kind, name, slug, emails }) => ({
    kind: "account",
    id,
    accountId: id,
    title: name || slug,
    detail: [kind, slug, emails].filter(Boolean).join(", "),
  }));
}
