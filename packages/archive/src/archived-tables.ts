// What an archive contains. Every table with a column `account_id` is in the archive of the account, every one with
// `person_id` or `created_by` in that of the person, unless it is listed here with the reason; a new table is in it by itself. Hashes
// and sealed secrets (every `bytea`) never are: they are useless to their owner and useful to a thief.
import type { AccountId, PersonId } from "@turnpike/base";
import {
  accounts,
  allTables,
  auditLog,
  entries,
  invitations,
  ledgerTransactions,
  memberships,
  outbox,
  persons,
  requests,
} from "@turnpike/db";
import { eq, getTableColumns, getTableName, inArray, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";

export type ArchivedTable = {
  readonly table: PgTable;
  readonly where: SQL | undefined;
  /** By the names of the schema: what is shown instead of a column; undefined omits it. */
  readonly instead?: Readonly<Record<string, SQL | undefined>>;
};

export type ArchiveOf = {
  /** E.g. `account acme`, for the text that explains the archive. */
  readonly title: string;
  readonly tables: readonly ArchivedTable[];
  /** Why a table is not in it, by its name. */
  readonly excluded: Readonly<Record<string, string>>;
};

export const excludedFromAccounts: Readonly<Record<string, string>> = {
  stored_answers:
    "answers and items kept for up to a day, sealed with the API key of their caller: nobody else can open them",
};

export const excludedFromPersons: Readonly<Record<string, string>> = {};

/** Columns that no account is shown, and secrets that are text. */
const instead: Readonly<Record<string, ArchivedTable["instead"]>> = {
  persons: { passwordHash: undefined },
  // What a call cost the operator of this installation is theirs.
  requests: { usageDetails: sql`${requests.usageDetails} - 'operatorCostNanos'` },
  // Mails contain links that act in the name of who opens them.
  outbox: { message: sql`${outbox.message} ->> 'kind'` },
};

function archived(table: PgTable, where: SQL | undefined): ArchivedTable {
  const replaced = instead[getTableName(table)];
  return { table, where, ...(replaced !== undefined && { instead: replaced }) };
}

/** Everything stored about an account and what was done in it. */
export function archiveOfAccount(id: AccountId, title: string): ArchiveOf {
  const transactions = sql`select ${entries.transactionId} from ${entries} where ${entries.accountId} = ${id}`;
  return {
    title,
    tables: [
      archived(accounts, eq(accounts.id, id)),
      ...tablesBy(["account_id"], excludedFromAccounts, id),
      archived(ledgerTransactions, sql`${ledgerTransactions.id} in (${transactions})`),
    ],
    excluded: excludedFromAccounts,
  };
}

/** Everything stored about a person, wherever they are a member. */
export function archiveOfPerson(id: PersonId, email: string): ArchiveOf {
  const named = [
    archived(persons, eq(persons.id, id)),
    archived(accounts, inArray(accounts.id, sql`(${accountsOf(id)})`)),
    archived(auditLog, eq(auditLog.actorId, id)),
    archived(
      invitations,
      or(
        eq(invitations.email, email),
        eq(invitations.invitedBy, id),
        eq(invitations.claimedBy, id),
        eq(invitations.acceptedBy, id),
      ),
    ),
    archived(outbox, eq(outbox.recipient, email)),
  ];
  return {
    title: `person ${email}`,
    tables: [...named, ...tablesBy(["person_id", "created_by"], excludedFromPersons, id)],
    excluded: excludedFromPersons,
  };
}

function accountsOf(id: PersonId): SQL {
  return sql`select ${memberships.accountId} from ${memberships} where ${memberships.personId} = ${id}`;
}

/** Of every table with one of these columns, the rows where it is `id`. */
function tablesBy(
  names: readonly string[],
  excluded: Readonly<Record<string, string>>,
  id: AccountId | PersonId,
): ArchivedTable[] {
  return [...allTables].flatMap(([name, table]) => {
    const found = columnsOf(table).filter((column) => names.includes(column.name));
    if (found.length === 0 || name in excluded) return [];
    return [archived(table, or(...found.map((column) => eq(column, id))))];
  });
}

export function columnsOf(table: PgTable): PgColumn[] {
  return Object.values(getTableColumns(table));
}
