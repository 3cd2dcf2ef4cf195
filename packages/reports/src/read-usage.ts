// What an account used in a range of time: totals, a series, latency, errors and a breakdown, all
// of the same requests, so that every view of them adds up to the same sums.
import { type Nanos, parseNanos } from "@turnpike/base";
import { arrayLiteral, type Db } from "@turnpike/db";
import { type SQL, sql } from "drizzle-orm";
import { percentileOf } from "./latency-counts.ts";
import { type Planned, planUsage, withPlan } from "./plan-usage.ts";
import type { ReportScope, RequestFilter } from "./select-requests.ts";
import { usage, usageFrom } from "./usage-rows.ts";

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

export type UsageSums = {
  readonly costNanos: Nanos;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
};

export type UsageTotals = UsageSums & {
  /** The share of refused and failed requests; null without requests. */
  readonly errorRate: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly firstTokenP50Ms: number | null;
};

export type UsageQuery = RequestFilter & { readonly from: Date; readonly to: Date };
export type BucketSize = "hour" | "day";

const hourMs = 3_600_000;

/** Hours up to two days, days beyond. */
export function bucketSizeOf(from: Date, to: Date): BucketSize {
  return to.getTime() - from.getTime() <= 48 * hourMs ? "hour" : "day";
}

export const sums = sql.raw(`
  coalesce(sum(u.charged_nanos), 0)::text as "costNanos", coalesce(sum(u.calls), 0)::float8 as requests,
  coalesce(sum(u.prompt_tokens), 0)::float8 as "promptTokens",
  coalesce(sum(u.completion_tokens), 0)::float8 as "completionTokens",
  coalesce(sum(u.cached_tokens), 0)::float8 as "cachedTokens"`);

export const errorRate = sql.raw(`
  coalesce(sum(u.calls) filter (where u.class in ('client_error', 'server_error')), 0)::float8
    / nullif(sum(u.calls), 0)::float8 as "errorRate"`);

export type SumRow = Omit<UsageSums, "costNanos"> & { readonly costNanos: string };
type RateRow = { readonly errorRate: number | null };

export function readSums(row: SumRow): UsageSums {
  const { requests, promptTokens, completionTokens, cachedTokens } = row;
  const costNanos = parseNanos(row.costNanos);
  return { costNanos, requests, promptTokens, completionTokens, cachedTokens };
}

export async function readUsageTotals(db: Db, query: UsageQuery): Promise<UsageTotals> {
  const planned = await withPlan(db, query);
  const [row] = await db.execute<SumRow & RateRow>(
    sql`select ${sums}, ${errorRate} ${usageFrom(planned)}`,
  );
  if (row === undefined) throw new Error("the aggregate returned no row");
  const [latency] = await readLatencies(db, planned, []);
  const { p50Ms = null, p95Ms = null, firstTokenP50Ms = null } = latency ?? {};
  return { ...readSums(row), errorRate: row.errorRate, p50Ms, p95Ms, firstTokenP50Ms };
}

export const groupColumns = {
  model: usage.model,
  key: sql<string>`coalesce(u.key_id::text, 'playground')`,
  project: usage.project,
  provider: usage.provider,
  member: usage.member,
  operation: usage.operation,
  status: usage.class,
} satisfies Record<UsageGroup, SQL<string>>;

export type UsageBreakdownRow = UsageSums & {
  readonly id: string;
  readonly errorRate: number | null;
};

/** Most expensive first. */
export async function readUsageBreakdown(
  db: Db,
  query: UsageQuery,
  group: UsageGroup,
): Promise<UsageBreakdownRow[]> {
  const rows = await db.execute<SumRow & RateRow & { id: string }>(sql`
    select ${groupColumns[group]} as id, ${sums}, ${errorRate} ${usageFrom(await withPlan(db, query))}
     group by 1 order by sum(u.charged_nanos) desc, sum(u.calls) desc, 1`);
  return rows.map((row) => ({ ...readSums(row), id: row.id, errorRate: row.errorRate }));
}

export type UsageBucket = {
  /** Where the bucket begins. */
  readonly at: Date;
  readonly groups: readonly (UsageSums & { readonly id: string })[];
};

/** Every bucket of the range, including empty ones, in order; in each, what cost most comes first. */
export async function readUsageSeries(
  db: Db,
  query: UsageQuery & { readonly timeZone: string },
  group: UsageGroup,
): Promise<UsageBucket[]> {
  const planned = await withPlan(db, query);
  const starts = await readBucketStarts(db, planned);
  const rows = await db.execute<SumRow & { bucket: number; id: string }>(sql`
    select ${bucketOf(starts)} as bucket, ${groupColumns[group]} as id, ${sums} ${usageFrom(planned, starts)}
     group by 1, 2 order by 1, sum(u.charged_nanos) desc, sum(u.calls) desc, 2`);
  const byBucket = Map.groupBy(rows, (row) => row.bucket);
  return starts.map((at, index) => ({
    at: new Date(at),
    groups: (byBucket.get(index + 1) ?? []).map((row) => ({ ...readSums(row), id: row.id })),
  }));
}

type Latency = {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly firstTokenP50Ms: number | null;
};

export type LatencyBucket = Latency & { readonly at: Date };

/** Buckets with completed requests only. */
export async function readLatencySeries(
  db: Db,
  query: UsageQuery & { readonly timeZone: string },
): Promise<LatencyBucket[]> {
  const planned = await withPlan(db, query);
  const starts = await readBucketStarts(db, planned);
  const rows = await readLatencies(db, planned, starts);
  return rows.map(({ bucket, ...latency }) => ({
    ...latency,
    at: new Date(starts[bucket - 1] ?? Number.NaN),
  }));
}

/** Exact where every call is read, else from histograms; of completed calls. */
async function readLatencies(
  db: Db,
  query: Planned<UsageQuery>,
  starts: readonly number[],
): Promise<(Latency & { readonly bucket: number })[]> {
  const isRolled = query.plan.rolled !== undefined;
  const exact = (share: number, column: string) =>
    sql`percentile_cont(${share}::float8) within group (order by ${sql.raw(column)})`;
  const columns = isRolled
    ? sql`sum(u.total_ms_counts)::text as total, sum(u.first_byte_ms_counts)::text as first`
    : sql`${exact(0.5, "u.total_ms")} as "p50Ms", ${exact(0.95, "u.total_ms")} as "p95Ms",
          ${exact(0.5, "u.first_byte_ms")} as "firstTokenP50Ms"`;
  const rows = await db.execute<LatencyRow>(sql`
    select ${bucketOf(starts)} as bucket, ${columns} ${usageFrom(query, starts)} and ${usage.class} = 'ok'
     group by 1 order by 1`);
  return rows.map(({ bucket, total = null, first = null, ...given }) =>
    isRolled
      ? {
          bucket,
          p50Ms: percentileOf(total, 0.5),
          p95Ms: percentileOf(total, 0.95),
          firstTokenP50Ms: percentileOf(first, 0.5),
        }
      : { bucket, ...given },
  );
}

type LatencyRow = Latency & {
  readonly bucket: number;
  readonly total?: string | null;
  readonly first?: string | null;
};

/** How often each error happened, most frequent first. */
export async function readUsageErrors(
  db: Db,
  query: UsageQuery,
): Promise<{ readonly code: string; readonly count: number }[]> {
  return db.execute<{ code: string; count: number }>(sql`
    select ${usage.errorCode} as code, sum(u.calls)::float8 as count
      ${usageFrom(await withPlan(db, query))} and ${usage.errorCode} <> ''
     group by 1 order by 2 desc, 1`);
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

/** Which of the buckets a row belongs to; the first one is 1. */
function bucketOf(starts: readonly number[]): SQL {
  const instants = starts.map((at) => new Date(at).toISOString());
  return sql`width_bucket(${usage.at}, ${arrayLiteral(instants)}::timestamptz[])`;
}

/**
 * The previous period: shifted back by as many buckets as the range touches, so that buckets line up
 * and an unfinished day is compared with the same part of a day.
 */
export async function readPreviousRange(
  db: Db,
  query: UsageQuery & { readonly timeZone: string },
): Promise<{ readonly from: Date; readonly to: Date }> {
  const size = bucketSizeOf(query.from, query.to);
  const { length } = await readBucketStarts(db, query);
  if (size === "hour") {
    const back = (at: Date) => new Date(at.getTime() - length * hourMs);
    return { from: back(query.from), to: back(query.to) };
  }
  const back = (at: Date) => sql`(extract(epoch from
    (${at.toISOString()}::timestamptz at time zone ${query.timeZone} - ${`${length} days`}::interval)
      at time zone ${query.timeZone}) * 1000)::bigint::text`;
  const [row] = await db.execute<{ from: string; to: string }>(
    sql`select ${back(query.from)} as "from", ${back(query.to)} as "to"`,
  );
  if (row === undefined) throw new Error("the select returned no row");
  return { from: new Date(Number(row.from)), to: new Date(Number(row.to)) };
}

export async function readBucketStarts(
  db: Db,
  query: UsageQuery & { readonly timeZone: string },
  size = bucketSizeOf(query.from, query.to),
): Promise<number[]> {
  // Local midnights are not evenly spaced where clocks change, so the steps are made in local time.
  const rows = await db.execute<{ at: string }>(sql`
    select distinct (extract(epoch from
             case when ${size} = 'day' then local at time zone ${query.timeZone}
                  else local at time zone 'utc' end) * 1000)::bigint::text as at
      from generate_series(
        case when ${size} = 'day'
             then date_trunc('day', ${query.from.toISOString()}::timestamptz at time zone ${query.timeZone})
             else date_trunc('hour', ${query.from.toISOString()}::timestamptz, ${query.timeZone}) at time zone 'utc' end,
        case when ${size} = 'day'
             then (${query.to.toISOString()}::timestamptz - interval '1 microsecond') at time zone ${query.timeZone}
             else (${query.to.toISOString()}::timestamptz - interval '1 microsecond') at time zone 'utc' end,
        ('1 ' || ${size})::interval) as local`);
  return rows.map((row) => Number(row.at)).sort((a, b) => a - b);
}
