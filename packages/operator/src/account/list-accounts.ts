// All accounts of this installation, filtered, sorted and page by page. A page continues behind the last row of the one
// before; balances move meanwhile, so an account may be on two pages or on none, but no page takes longer for it.
import type { AccountId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { type AccountKind, formatUsd, type Nanos, parseNanos } from "@turnpike/terms";
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";

export const accountSorts = ["created", "balance", "spent"] as const;
export type AccountSort = (typeof accountSorts)[number];

/** An account may be in several; `active` is one that is in no other. */
export const accountStates = [
  "active",
  "suspended",
  "frozen",
  "owing",
  "pending_deletion",
  "closed",
] as const;
export type AccountState = (typeof accountStates)[number];

export const accountsPageMax = 100;

export type AccountQuery = {
  /** Without it, all but closed ones. */
  readonly state?: AccountState | undefined;
  readonly kind?: AccountKind | undefined;
  readonly balanceFrom?: Nanos | undefined;
  readonly balanceTo?: Nanos | undefined;
  readonly spentFrom?: Nanos | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
  readonly sort: AccountSort;
  readonly ascending: boolean;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

type Row = {
  id: AccountId;
  kind: AccountKind;
  name: string;
  slug: string;
  email: string | null;
  balance: string;
  spent: string;
  created: string;
  cursor: string;
  deletion_due: string | null;
} & { [State in AccountState as `is_${State}`]: boolean };

/** A cursor that this function did not return for this sort starts at the first page. */
export async function listAccounts(db: Db, query: AccountQuery) {
  const rows = await db.execute<Row>(sql`
    with shown as (
      select a.id, ${positions[query.sort]} as position
        from accounts a left join ${openLeases} o on o.account_id = a.id
       where ${conditionsOf(query)}
       order by position ${directionOf(query)}, a.id ${directionOf(query)}
       limit ${query.limit + 1}::int)
    select a.id, a.kind, a.name, a.slug, first.email, ${cursorPositions[query.sort]} as cursor,
           m.balance_nanos::text as balance, (m.credited_nanos - m.balance_nanos)::text as spent,
           ${isoOf(sql`a.created_at`)} as created, ${isoOf(sql`first.deletion_due_at`)} as deletion_due,
           ${shownStates}
      from shown join accounts a on a.id = shown.id join account_money m on m.account_id = a.id
      left join lateral (
        select p.email, p.deletion_due_at
          from memberships b join persons p on p.id = b.person_id
         where b.account_id = a.id order by b.created_at, p.id limit 1) first on true
     order by shown.position ${directionOf(query)}, a.id ${directionOf(query)}`);
  const page = [...rows].slice(0, query.limit);
  const last = page.at(-1);
  return {
    accounts: page.map(present),
    nextCursor:
      rows.length > page.length && last !== undefined ? writeCursor(query.sort, last) : null,
  };
}

/**
 * As `account_money`, which reads the leases of each account for itself: here they are added up once for all. PostgreSQL
 * leaves it out where nothing is chosen or sorted by money.
 */
const openLeases = sql`(
  select account_id, sum(spent_nanos)::bigint as spent_nanos
    from leases where closed_at is null group by account_id)`;
const balance = sql`(a.balance_nanos - coalesce(o.spent_nanos, 0))`;
const spent = sql`(a.credited_nanos - ${balance})`;
const positions: Readonly<Record<AccountSort, SQL>> = {
  created: sql`a.created_at`,
  balance,
  spent,
};
const positionTypes: Readonly<Record<AccountSort, SQL>> = {
  created: sql`timestamptz`,
  balance: sql`bigint`,
  spent: sql`bigint`,
};

const cursorPositions: Readonly<Record<AccountSort, SQL>> = {
  created: sql`to_char(shown.position at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
  balance: sql`shown.position::text`,
  spent: sql`shown.position::text`,
};

const isPendingDeletion = sql`a.kind = 'personal' and exists (
  select from memberships b join persons p on p.id = b.person_id
   where b.account_id = a.id and p.deletion_due_at is not null)`;

/** Of `accounts a` with that balance. */
function conditionOf(state: AccountState, nanos: SQL): SQL {
  const conditions: Readonly<Record<AccountState, SQL>> = {
    active: sql`a.closed_at is null and a.suspended_at is null and a.frozen_at is null
      and ${nanos} >= 0 and not (${isPendingDeletion})`,
    suspended: sql`a.suspended_at is not null and a.closed_at is null`,
    frozen: sql`a.frozen_at is not null`,
    owing: sql`${nanos} < 0`,
    pending_deletion: isPendingDeletion,
    closed: sql`a.closed_at is not null`,
  };
  return conditions[state];
}

const shownStates = sql.join(
  accountStates.map(
    (state) =>
      sql`(${conditionOf(state, sql`m.balance_nanos`)}) as ${sql.identifier(`is_${state}`)}`,
  ),
  sql`, `,
);

function directionOf({ ascending }: AccountQuery): SQL {
  return ascending ? sql`asc` : sql`desc`;
}

function conditionsOf(query: AccountQuery): SQL {
  const { state, kind, balanceFrom, balanceTo, spentFrom, createdFrom, createdTo } = query;
  const conditions = [
    state === undefined ? sql`a.closed_at is null` : conditionOf(state, balance),
    kind && sql`a.kind = ${kind}`,
    balanceFrom === undefined ? undefined : sql`${balance} >= ${balanceFrom.toString()}::bigint`,
    balanceTo === undefined ? undefined : sql`${balance} <= ${balanceTo.toString()}::bigint`,
    spentFrom === undefined ? undefined : sql`${spent} >= ${spentFrom.toString()}::bigint`,
    createdFrom && sql`a.created_at >= ${createdFrom.toISOString()}::timestamptz`,
    createdTo && sql`a.created_at < ${createdTo.toISOString()}::timestamptz`,
    behind(query),
  ];
  return sql.join(
    conditions.filter((condition) => condition !== undefined).map((one) => sql`(${one})`),
    sql` and `,
  );
}

const nanosPosition = z
  .string()
  .regex(/^-?\d{1,19}$/, { abort: true })
  .refine((text) => BigInt.asIntN(64, BigInt(text)) === BigInt(text));
const timePosition = z
  .string()
  .regex(/^[12][-\d:.TZ]{1,30}$/, { abort: true })
  .pipe(z.iso.datetime());

/** PostgreSQL can read every position that one of these accepts as the type of its sort. */
const cursorShapes = {
  created: z.tuple([z.literal("created"), timePosition, z.uuid()]),
  balance: z.tuple([z.literal("balance"), nanosPosition, z.uuid()]),
  spent: z.tuple([z.literal("spent"), nanosPosition, z.uuid()]),
} as const;

function writeCursor(sort: AccountSort, { cursor, id }: Row): string {
  return btoa(JSON.stringify([sort, cursor, id]));
}

function behind({ cursor, sort, ascending }: AccountQuery): SQL | undefined {
  if (cursor === undefined) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(atob(cursor));
  } catch {
    return undefined;
  }
  const { data } = cursorShapes[sort].safeParse(read);
  if (data === undefined) return undefined;
  const [, position, id] = data;
  return sql`(${positions[sort]}, a.id) ${ascending ? sql`>` : sql`<`}
    (${position}::${positionTypes[sort]}, ${id}::uuid)`;
}

function isoOf(time: SQL): SQL {
  return sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

function present({ id, kind, name, slug, email, ...row }: Row) {
  return {
    accountId: id,
    kind,
    name,
    slug,
    email: email ?? "",
    states: accountStates.filter((state) => row[`is_${state}`]),
    balanceUsd: formatUsd(parseNanos(row.balance)),
    /** Ever. */
    spentUsd: formatUsd(parseNanos(row.spent)),
    createdAt: row.created,
    deletionDueAt: kind === "personal" ? row.deletion_due : null,
  };
}
