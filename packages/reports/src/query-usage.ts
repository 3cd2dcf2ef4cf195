// What an account used in a range of time: totals, a series, latency, errors and a breakdown, all of one read of the same
// rows, so that every view of them adds up to the same sums.
import type { Db } from "@turnpike/db";
import type { Nanos, RequestClass } from "@turnpike/terms";
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { bucketOf, queryBucketStarts } from "./bucket-starts.ts";
import { type Planned, planUsage, withPlan } from "./plan-usage.ts";
import { type Latency, noLatency, queryLatencies } from "./query-latencies.ts";
import type { ReportScope, UsageQuery, ZonedUsageQuery } from "./select-requests.ts";
import { usage, usageFrom } from "./usage-rows.ts";
import { parseSums, type SumRow, sums, sumUsage, type UsageSums } from "./usage-sums.ts";

export const usageGroups = [
  "model",
  "key",
  "project",
  "provider",
  "member",
  "operation",
  "status",
] as const;
export type UsageGroup = (typeof usageGroups)[number];

export type UsageTotals = UsageSums &
  Latency & {
    /** The share of refused and failed requests; null without requests. */
    readonly errorRate: number | null;
  };

export type UsageBreakdownRow = UsageSums & {
  readonly id: string;
  readonly errorRate: number | null;
};

export type UsageBucket = {
  /** Where the bucket begins. */
  readonly at: Date;
  /** Most expensive first. */
  readonly groups: readonly (UsageSums & { readonly id: string })[];
};

export type LatencyBucket = Latency & { readonly at: Date };

export type Usage = {
  readonly totals: UsageTotals;
  /** Every bucket of the range, including empty ones, in order. */
  readonly series: readonly UsageBucket[];
  /** Buckets with completed requests only. */
  readonly latency: readonly LatencyBucket[];
  /** Most expensive first. */
  readonly breakdown: readonly (UsageBreakdownRow & Latency)[];
  /** How often each error happened, most frequent first. */
  readonly errors: readonly { readonly code: string; readonly count: number }[];
};

export async function queryUsage(
  db: Db,
  query: ZonedUsageQuery | Planned<ZonedUsageQuery>,
  group: UsageGroup,
): Promise<Usage> {
  const planned = await withPlan(db, query);
  const starts = await queryBucketStarts(db, planned);
  const cells = await queryCells(db, planned, groupColumns[group], starts);
  const parts = { group: groupColumns[group], starts };
  const { all, byBucket, byGroup } = await queryLatencies(db, planned, parts);
  const cellsByBucket = Map.groupBy(cells, ({ bucket }) => bucket);
  return {
    totals: { ...sumUp(cells), ...all },
    series: starts.map((at, index) => ({
      at: new Date(at),
      groups: breakDown(cellsByBucket.get(index + 1) ?? []).map(
        ({ errorRate: _, ...rest }) => rest,
      ),
    })),
    latency: [...byBucket].map(([bucket, latency]) => ({
      ...latency,
      at: new Date(starts[bucket - 1] ?? Number.NaN),
    })),
    breakdown: breakDown(cells).map((row) => ({ ...row, ...(byGroup.get(row.id) ?? noLatency) })),
    errors: countErrors(cells),
  };
}

export async function queryUsageTotals(db: Db, query: UsageQuery): Promise<UsageTotals> {
  const planned = await withPlan(db, query);
  const cells = await queryCells(db, planned, sql`''`, []);
  const { all } = await queryLatencies(db, planned);
  return { ...sumUp(cells), ...all };
}

/** Most expensive first. */
export async function queryUsageBreakdown(
  db: Db,
  query: UsageQuery,
  group: UsageGroup,
): Promise<readonly UsageBreakdownRow[]> {
  return breakDown(await queryCells(db, await withPlan(db, query), groupColumns[group], []));
}

/** A call without a key was made in the playground. */
export function nameOfKey(keyId: SQLWrapper): SQL<string> {
  return sql<string>`coalesce(${keyId}::text, 'playground')`;
}

export const groupColumns = {
  model: usage.model,
  key: nameOfKey(usage.keyId),
  project: usage.project,
  provider: usage.provider,
  member: usage.member,
  operation: usage.operation,
  status: usage.class,
} satisfies Record<UsageGroup, SQL<string>>;

/** What everything else is added up from. */
type Cell = UsageSums & {
  /** The first is 1. */
  readonly bucket: number;
  readonly id: string;
  readonly class: RequestClass;
  /** Empty without an error. */
  readonly errorCode: string;
};

async function queryCells(
  db: Db,
  planned: Planned<UsageQuery>,
  group: SQL<unknown>,
  starts: readonly number[],
): Promise<readonly Cell[]> {
  const rows = await db.execute<SumRow & Omit<Cell, keyof UsageSums>>(sql`
    select ${bucketOf(starts)} as bucket, ${group} as id, ${usage.class} as class,
           ${usage.errorCode} as "errorCode", ${sums} ${usageFrom(planned, starts)}
     group by 1, 2, 3, 4`);
  return rows.map((row) => {
    const { bucket, id, class: ended, errorCode } = row;
    return { ...parseSums(row), bucket, id, class: ended, errorCode };
  });
}

const isError = ({ class: ended }: Cell) => ended === "client_error" || ended === "server_error";

function sumUp(cells: readonly Cell[]): UsageSums & { readonly errorRate: number | null } {
  const total = sumUsage(cells);
  const failed = cells.filter(isError).reduce((count, cell) => count + cell.requests, 0);
  return { ...total, errorRate: total.requests === 0 ? null : failed / total.requests };
}

function breakDown(cells: readonly Cell[]): readonly UsageBreakdownRow[] {
  const byId = Map.groupBy(cells, ({ id }) => id);
  return [...byId].map(([id, own]) => ({ id, ...sumUp(own) })).sort(mostExpensiveFirst);
}

function mostExpensiveFirst(one: UsageBreakdownRow, other: UsageBreakdownRow): number {
  return (
    compare(other.costNanos, one.costNanos) ||
    other.requests - one.requests ||
    (one.id < other.id ? -1 : 1)
  );
}

function compare(one: Nanos, other: Nanos): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function countErrors(cells: readonly Cell[]): Usage["errors"] {
  const byCode = Map.groupBy(
    cells.filter(({ errorCode }) => errorCode !== ""),
    ({ errorCode }) => errorCode,
  );
  return [...byCode]
    .map(([code, own]) => ({ code, count: own.reduce((sum, { requests }) => sum + requests, 0) }))
    .sort((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1));
}

/** Whether a request was ever made, successful or not. */
export async function hasRequests(db: Db, scope: ReportScope, outcome?: "ok"): Promise<boolean> {
  const ever = { from: new Date(0), to: new Date("9999-01-01T00:00:00Z") };
  const planned = await planUsage(db, { ...scope, ...ever });
  const isWanted = outcome === undefined ? sql`true` : sql`${usage.class} = ${outcome}`;
  const [row] = await db.execute<{ found: boolean }>(
    sql`select exists (select 1 ${usageFrom(planned)} and ${isWanted}) as found`,
  );
  return row?.found === true;
}
