// What an archive contains. Every table with a column `account_id` is in the archive of the account, every one with
// `person_id` or another column that refers to a person in theirs, unless it is listed here with the reason; a new table
// is in it by itself. Hashes and sealed secrets (every `bytea`) never are: they are useless to their owner and useful to a thief.
import type {
  AccountId,
  GenerationId,
  ObjectId,
  PersonId,
  SharedConversationId,
} from "@turnpike/base";
import {
  accounts,
  allTables,
  auditLog,
  entries,
  invitations,
  ledgerTransactions,
  memberships,
  objects,
  outbox,
  persons,
  requests,
  sharedConversations,
  storedPrompts,
} from "@turnpike/db";
import { eq, getTableColumns, getTableName, inArray, or, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type PgColumn, type PgTable } from "drizzle-orm/pg-core";

export type ArchivedTable = {
  readonly table: PgTable;
  readonly where: SQL | undefined;
  /** By the names of the schema: what is shown instead of a column; undefined omits it. */
  readonly instead?: Readonly<Record<string, SQL | undefined>>;
  /** What is shown of a row that was read. */
  readonly show?: (row: ArchivedRow) => ArchivedRow;
  /** Of a file, if rows are large. */
  readonly rowsPerFile?: number;
};

/** By the names of the columns in the database. */
export type ArchivedRow = Readonly<Record<string, unknown>>;

/** Open what is stored sealed, given in base64. */
export type Openers = {
  readonly prompt: (accountId: AccountId, id: GenerationId, sealed: string) => unknown;
  readonly conversation: (
    accountId: AccountId,
    id: SharedConversationId,
    sealed: string,
  ) => unknown;
  /** Its name and its hash. */
  readonly object: (accountId: AccountId, id: ObjectId, sealed: string) => unknown;
};

export type ArchiveOf = {
  /** E.g. `account acme`, for the text that explains the archive. */
  readonly title: string;
  readonly tables: readonly ArchivedTable[];
  /** Why a table is not in it, by its name. */
  readonly excluded: Readonly<Record<string, string>>;
};

export const excludedFromAccounts: Readonly<Record<string, string>> = {
  account_notes: "what operators of this installation tell each other",
  batch_lines: "how far a batch is; its lines and what they were answered are in its files",
  stored_answers:
    "answers and items kept for up to a day, sealed with the API key of their caller: nobody else can open them",
  usage_blocks: "the same as usage_quarter_hours, added up further",
  usage_changes: "which quarters of an hour of usage_quarter_hours are about to be added up again",
};

export const excludedFromPersons: Readonly<Record<string, string>> = {};

/** The tables that are in no archive, because nothing in them is about anyone, and why. */
export const aboutNobody: Readonly<Record<string, string>> = {
  applied_catalogs: "the models and prices of this installation",
  catalog_texts: "the models and prices of this installation, as operators edited them",
  incident_updates: "what operators published about incidents",
  incidents: "what operators published about incidents",
  instances: "which servers are running at the moment",
  job_runs: "when which job of the server ran",
  ledger_keys: "what proves that a movement of money is a server's",
  operator_log: "what operators did to no account, e.g. that someone became one",
  prices: "what the models of this installation cost",
  provider_attempts: "hashes of sign-ins under way, deleted within a day",
  retired_requests: "which months of requests were exported and dropped",
  route_health: "how providers answered, over all accounts",
  schema_state: "the version of the database",
  signing_keys: "the keys that sign receipts",
  status_days: "how many calls models answered and failed, over all accounts",
  stripe_inbox: "which payments Stripe reported; each is in top_ups",
  switched_off: "which models and routes of this installation are switched off",
  usage_progress: "how far calls are added up",
  throttles: "counters by hash or network address, deleted within a month",
  write_proofs: "whether the database accepts writes",
};

/** Columns that no account is shown, and secrets that are text. */
const instead: Readonly<Record<string, ArchivedTable["instead"]>> = {
  persons: { passwordHash: undefined },
  // What a call cost the operator of this installation is theirs.
  requests: { usageDetails: sql`${requests.usageDetails} - 'operatorCostNanos'` },
  usage_quarter_hours: {
    operatorCostNanos: undefined,
    knownCalls: undefined,
    knownChargedNanos: undefined,
  },
  // Mails contain links that act in the name of who opens them.
  outbox: { message: sql`${outbox.message} ->> 'kind'` },
};

function archived(table: PgTable, where: SQL | undefined): ArchivedTable {
  const replaced = instead[getTableName(table)];
  return { table, where, ...(replaced !== undefined && { instead: replaced }) };
}

/** A row has up to some megabytes. */
const promptsPerFile = 16;

/** What the projects of the account still keep, opened. */
function archivedPrompts(id: AccountId, openers: Openers): ArchivedTable {
  const isKept = sql`exists (
    select from projects p
     where p.account_id = stored_prompts.account_id and p.id = stored_prompts.project_id
       and stored_prompts.created_at > now() - make_interval(days => p.prompt_days)
       and stored_prompts.created_at > coalesce(p.prompts_void_before, '-infinity'))`;
  return {
    ...archived(storedPrompts, sql`${storedPrompts.accountId} = ${id} and ${isKept}`),
    instead: { sealed: sql`encode(${storedPrompts.sealed}, 'base64')` },
    rowsPerFile: promptsPerFile,
    show: ({ sealed, ...row }) => ({
      ...row,
      content: openers.prompt(id, generationOf(row), String(sealed)),
    }),
  };
}

/** What members shared, opened. */
function archivedConversations(id: AccountId, openers: Openers): ArchivedTable {
  return {
    ...archived(sharedConversations, eq(sharedConversations.accountId, id)),
    instead: { sealed: sql`encode(${sharedConversations.sealed}, 'base64')` },
    rowsPerFile: promptsPerFile,
    show: ({ sealed, ...row }) => ({
      ...row,
      content: openers.conversation(id, sharedIdOf(row), String(sealed)),
    }),
  };
}

/** What its callers keep in it, whose contents are beside the tables. */
function archivedObjects(id: AccountId, openers: Openers): ArchivedTable {
  const isKept = sql`${objects.state} = 'ready' and coalesce(${objects.expiresAt}, 'infinity') > now()`;
  return {
    ...archived(objects, sql`${objects.accountId} = ${id} and ${isKept}`),
    instead: { sealedHead: sql`encode(${objects.sealedHead}, 'base64')`, blob: undefined },
    show: ({ sealed_head: sealed, ...row }) => ({
      ...row,
      head: openers.object(id, objectIdOf(row), String(sealed)),
    }),
  };
}

/** Rows of `objects` have it. */
function objectIdOf(row: ArchivedRow): ObjectId {
  return row.id as ObjectId;
}

/** Rows of `shared_conversations` have it. */
function sharedIdOf(row: ArchivedRow): SharedConversationId {
  return row.id as SharedConversationId;
}

/** Rows of `stored_prompts` have it. */
function generationOf(row: ArchivedRow): GenerationId {
  return row.generation_id as GenerationId;
}

const opened = { stored_prompts: "below", shared_conversations: "below", objects: "below" };

/** Everything stored about an account and what was done in it. */
export function archiveOfAccount(id: AccountId, title: string, openers: Openers): ArchiveOf {
  const transactions = sql`select ${entries.transactionId} from ${entries} where ${entries.accountId} = ${id}`;
  return {
    title,
    tables: [
      archived(accounts, eq(accounts.id, id)),
      ...tablesBy(["account_id"], { ...excludedFromAccounts, ...opened }, id),
      archivedPrompts(id, openers),
      archivedConversations(id, openers),
      archivedObjects(id, openers),
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
        ...columnsAbout(invitations).map((column) => eq(column, id)),
      ),
    ),
    archived(outbox, eq(outbox.recipient, email)),
  ];
  return {
    title: `person ${email}`,
    tables: [...named, ...tablesAbout(id, named)],
    excluded: excludedFromPersons,
  };
}

function accountsOf(id: PersonId): SQL {
  return sql`select ${memberships.accountId} from ${memberships} where ${memberships.personId} = ${id}`;
}

/** The columns that say which person a row is about; some refer to a person without a foreign key. */
function columnsAbout(table: PgTable): PgColumn[] {
  const referring = getTableConfig(table).foreignKeys.flatMap((key) => {
    const { columns, foreignTable } = key.reference();
    return foreignTable === persons ? columns.map(({ name }) => name) : [];
  });
  return columnsOf(table).filter(({ name }) => name === "person_id" || referring.includes(name));
}

/** Of every further table with such a column, the rows of the person. */
function tablesAbout(id: PersonId, others: readonly ArchivedTable[]): ArchivedTable[] {
  const known = others.map(({ table }) => getTableName(table));
  return [...allTables].flatMap(([name, table]) => {
    const found = columnsAbout(table);
    if (found.length === 0 || known.includes(name) || name in excludedFromPersons) return [];
    return [archived(table, or(...found.map((column) => eq(column, id))))];
  });
}

/** Of every table with one of these columns, the rows where it is `id`. */
function tablesBy(
  names: readonly string[],
  excluded: Readonly<Record<string, string>>,
  id: AccountId,
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
