// The keys of an account with what each may spend and has spent in the current periods.
import type { AccountId, ApiKeyId, ProjectId } from "@turnpike/base";
import { accounts, apiKeys, type Db, keyLimits, keyMoney, persons, requests } from "@turnpike/db";
import type { BudgetPeriod, Nanos } from "@turnpike/terms";
import { and, desc, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { keysIn, matching, projectOfKey, type ReportScope } from "./select-requests.ts";

export type PeriodSpend = {
  readonly spentNanos: Nanos;
  readonly heldNanos: Nanos;
  readonly limitNanos: Nanos | null;
  /** When the period ends; null for the total. */
  readonly resetsAt: Date | null;
};

export type KeyStatus = "active" | "disabled" | "expired" | "limit_reached" | "revoked";

export type KeyReport = {
  readonly id: ApiKeyId;
  readonly name: string;
  readonly projectId: ProjectId;
  readonly masked: string;
  readonly status: KeyStatus;
  readonly createdAt: Date;
  /** Of its name, limits, secret or state; null if it was never changed. */
  readonly changedAt: Date | null;
  /** The email address of the person who created it. */
  readonly createdBy: string | null;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  /** Until then the secret from before the last rotation works too. */
  readonly previousUntil: Date | null;
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly concurrency: number | null;
  readonly allowedModels: readonly string[] | null;
  readonly allowedAddresses: readonly string[] | null;
  readonly spend: Readonly<Record<BudgetPeriod, PeriodSpend>>;
};

const zone = accounts.timeZone;
const periodEnd = (unit: string): SQL<string> =>
  sql<string>`((date_trunc(${unit}, now() at time zone ${zone}) + ('1 ' || ${unit})::interval) at time zone ${zone})::text`;

/** What a key has spent, holds and may spend, per period of its account's time zone. */
export const spendColumns = {
  daySpentNanos: keyMoney.daySpentNanos,
  dayHeldNanos: keyMoney.dayHeldNanos,
  dayLimitNanos: keyLimits.dayLimitNanos,
  weekSpentNanos: keyMoney.weekSpentNanos,
  weekHeldNanos: keyMoney.weekHeldNanos,
  weekLimitNanos: keyLimits.weekLimitNanos,
  monthSpentNanos: keyMoney.monthSpentNanos,
  monthHeldNanos: keyMoney.monthHeldNanos,
  monthLimitNanos: keyLimits.monthLimitNanos,
  totalSpentNanos: keyMoney.totalSpentNanos,
  totalHeldNanos: keyMoney.totalHeldNanos,
  totalLimitNanos: keyLimits.totalLimitNanos,
} as const;

const keyColumns = {
  id: apiKeys.id,
  name: apiKeys.name,
  projectId: projectOfKey,
  masked: apiKeys.masked,
  createdAt: apiKeys.createdAt,
  changedAt: apiKeys.changedAt,
  disabledAt: apiKeys.disabledAt,
  revokedAt: apiKeys.revokedAt,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastUsedAt,
  previousUntil: apiKeys.previousUntil,
  requestsPerMinute: apiKeys.requestsPerMinute,
  tokensPerMinute: apiKeys.tokensPerMinute,
  concurrency: apiKeys.concurrency,
  allowedModels: keyLimits.allowedModels,
  allowedAddresses: keyLimits.allowedAddresses,
  ...spendColumns,
} as const;

function selectKeys(db: Db) {
  return db
    .select({
      key: keyColumns,
      createdBy: persons.email,
      now: sql<string>`now()::text`,
      dayEnd: periodEnd("day"),
      weekEnd: periodEnd("week"),
      monthEnd: periodEnd("month"),
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .innerJoin(keyMoney, eq(keyMoney.keyId, apiKeys.id))
    .innerJoin(keyLimits, eq(keyLimits.keyId, apiKeys.id))
    .leftJoin(persons, eq(persons.id, apiKeys.createdBy))
    .$dynamic();
}

type Row = Awaited<ReturnType<typeof selectKeys>>[number];

/** Newest first. */
export async function queryKeys(
  db: Db,
  query: ReportScope & { readonly includeRevoked: boolean },
): Promise<KeyReport[]> {
  const live = or(isNull(apiKeys.revokedAt), gt(apiKeys.revokedAt, sql`now()`));
  const rows = await selectKeys(db)
    .where(and(keysIn(query), query.includeRevoked ? undefined : live))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
  return rows.map(parseRow);
}

/** Undefined for a key outside the scope. */
export async function queryKey(
  db: Db,
  scope: ReportScope,
  id: ApiKeyId,
): Promise<KeyReport | undefined> {
  const [row] = await selectKeys(db).where(and(keysIn(scope), eq(apiKeys.id, id)));
  return row && parseRow(row);
}

function parseRow(row: Row): KeyReport {
  const { key } = row;
  const spend = {
    day: toPeriodSpend(key.daySpentNanos, key.dayHeldNanos, key.dayLimitNanos, row.dayEnd),
    week: toPeriodSpend(key.weekSpentNanos, key.weekHeldNanos, key.weekLimitNanos, row.weekEnd),
    month: toPeriodSpend(
      key.monthSpentNanos,
      key.monthHeldNanos,
      key.monthLimitNanos,
      row.monthEnd,
    ),
    total: toPeriodSpend(key.totalSpentNanos, key.totalHeldNanos, key.totalLimitNanos, null),
  };
  const now = new Date(row.now);
  const { previousUntil } = key;
  const status = statusOf(key, spend, now);
  const previousWorks = previousUntil !== null && previousUntil > now && status !== "revoked";
  return {
    id: key.id,
    name: key.name,
    projectId: key.projectId,
    masked: key.masked,
    status,
    createdAt: key.createdAt,
    changedAt: key.changedAt > key.createdAt ? key.changedAt : null,
    createdBy: row.createdBy,
    lastUsedAt: key.lastUsedAt,
    expiresAt: key.expiresAt,
    previousUntil: previousWorks ? previousUntil : null,
    requestsPerMinute: key.requestsPerMinute,
    tokensPerMinute: key.tokensPerMinute,
    concurrency: key.concurrency,
    allowedModels: key.allowedModels,
    allowedAddresses: key.allowedAddresses,
    spend,
  };
}

function toPeriodSpend(
  spentNanos: Nanos,
  heldNanos: Nanos,
  limitNanos: Nanos | null,
  end: string | null,
): PeriodSpend {
  return {
    spentNanos,
    heldNanos,
    limitNanos,
    resetsAt: end === null ? null : new Date(end),
  };
}

function statusOf(key: Row["key"], spend: KeyReport["spend"], now: Date): KeyStatus {
  if (key.revokedAt !== null && key.revokedAt <= now) return "revoked";
  if (key.expiresAt !== null && key.expiresAt <= now) return "expired";
  if (key.disabledAt !== null) return "disabled";
  const reached = Object.values(spend).some(
    // What is held is not spent: an idle lease must not make a key look used up.
    ({ spentNanos, limitNanos }) => limitNanos !== null && spentNanos >= limitNanos,
  );
  return reached ? "limit_reached" : "active";
}

export type KeyError = {
  readonly id: string;
  readonly at: Date;
  readonly status: number;
  readonly errorCode: string;
  readonly model: string;
};

/** The last refusals and failures of a key. */
export async function queryKeyErrors(
  db: Db,
  accountId: AccountId,
  keyId: ApiKeyId,
  limit: number,
): Promise<KeyError[]> {
  const rows = await db
    .select({
      id: requests.id,
      at: requests.placedAt,
      status: requests.status,
      errorCode: requests.errorCode,
      model: requests.model,
    })
    .from(requests)
    .where(sql`${matching({ accountId, keyIds: [keyId] })} and ${requests.errorCode} is not null`)
    .orderBy(desc(requests.id))
    .limit(limit);
  return rows.map((row) => ({ ...row, errorCode: row.errorCode ?? "" }));
}

/** Names of keys, for reports that group by key. */
export async function queryKeyNames(
  db: Db,
  accountId: AccountId,
  ids: readonly ApiKeyId[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: apiKeys.id, name: apiKeys.name })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), inArray(apiKeys.id, [...ids])));
  return new Map(rows.map((row) => [row.id, row.name]));
}
