// Finds what a customer quotes, each way by one index: how an address or a name begins.
import type { AccountId } from "@turnpike/base";
import { accounts, type Db, memberships, persons } from "@turnpike/db";
import { asc, eq, or, type SQL, sql } from "drizzle-orm";

export type Found = {
  readonly kind: "account";
  readonly id: string;
  readonly accountId: AccountId;
  readonly title: string;
  readonly detail: string;
};

const rowsMax = 20;

export async function find(db: Db, text: string): Promise<readonly Found[]> {
  const quoted = text.trim();
  if (quoted.length < 2) return [];
  return findAccounts(db, quoted);
}

async function findAccounts(db: Db, text: string): Promise<readonly Found[]> {
  const rows = await db
    .select({
      id: accounts.id,
      name: accounts.name,
      email: persons.email,
      role: memberships.role,
    })
    .from(persons)
    .innerJoin(memberships, eq(memberships.personId, persons.id))
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(or(begins(persons.email, text), begins(sql`lower(${persons.name})`, text)))
    .orderBy(asc(persons.email))
    .limit(rowsMax);
  return rows.map(({ id, name, email, role }) => ({
    kind: "account",
    id,
    accountId: id,
    title: name,
    detail: `${email}, ${role}`,
  }));
}

function begins(column: SQL | typeof persons.email, text: string): SQL {
  const pattern = `${text.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql`${column} like ${pattern}`;
}
