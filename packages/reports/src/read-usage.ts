// What an account used in a range of time: totals, a series, latency, errors and a breakdown, all
// of the same requests, so that every view of them adds up to the same sums.
import { type Nanos, parseNanos } from "@turnpike/base";
import { type Db, requests } from "@turnpike/db";
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { matching, type RequestFilter, requestClass } from "./select-requests.ts";

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

const sums = {
  costNanos: sql<string>`coalesce(sum(${requests.chargedNanos}), 0)`,
  requests: sql<number>`count(*)::int`,
  promptTokens: sql<string>`coalesce(sum(${requests.promptTokens}), 0)`,
  completionTokens: sql<string>`coalesce(sum(${requests.completionTokens}), 0)`,
  cachedTokens: sql<string>`coalesce(sum(${requests.cachedTokens}), 0)`,
};

const completed = sql`${requests.outcome} = 'completed'`;
const percentile = (share: number, column: SQLWrapper) =>
  sql<
    number | null
  >`percentile_cont(${share}) within group (order by ${column}) filter (where ${completed})`;
const errorRate = sql<number | null>`
  (count(*) filter (where ${requestClass} in ('client_error', 'server_error')))::float8
  / nullif(count(*), 0)`;
const latencies = {
  p50Ms: percentile(0.5, requests.totalMs),
  p95Ms: percentile(0.95, requests.totalMs),
  firstTokenP50Ms: percentile(0.5, requests.firstByteMs),
};

type SumRow = { [Name in keyof typeof sums]: string | number };

function readSums(row: SumRow): UsageSums {
  return {
    costNanos: parseNanos(String(row.costNanos)),
    requests: Number(row.requests),
    promptTokens: Number(row.promptTokens),
    completionTokens: Number(row.completionTokens),
    cachedTokens: Number(row.cachedTokens),
  };
}

export async function readUsageTotals(db: Db, query: UsageQuery): Promise<UsageTotals> {
  const [row] = await db
    .select({ ...sums, ...latencies, errorRate })
    .from(requests)
    .where(matching(query));
  if (row === undefined) throw new Error("the aggregate returned no row");
  const { p50Ms, p95Ms, firstTokenP50Ms } = row;
  return { ...readSums(row), errorRate: row.errorRate, p50Ms, p95Ms, firstTokenP50Ms };
}

// Qualified: `api_keys` has such a column too.
const accountColumn = sql`${requests}.account_id`;
// A call without a key belongs to the default project, which has the account's id.
const projectColumn = sql<string>`coalesce((
    select coalesce(k.project_id, k.account_id) from api_keys k
     where k.account_id = ${accountColumn} and k.id = ${requests.keyId}), ${accountColumn})::text`;

export const groupColumns = {
  model: sql<string>`${requests.model}`,
  key: sql<string>`coalesce(${requests.keyId}::text, 'playground')`,
  project: projectColumn,
  provider: sql<string>`${requests.provider}`,
  member: sql<string>`coalesce((
    select p.email from api_keys k join persons p on p.id = k.created_by
     where k.id = ${requests.keyId}), '')`,
  operation: sql<string>`${requests.operation}`,
  status: requestClass,
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
  const id = groupColumns[group];
  const rows = await db
    .select({ id, ...sums, errorRate })
    .from(requests)
    .where(matching(query))
    .groupBy(sql`1`)
    .orderBy(sql`2 desc, 3 desc, 1`);
  return rows.map((row) => ({ ...readSums(row), id: row.id, errorRate: row.errorRate }));
}

export type UsageBucket = {
  /** Where the bucket begins. */
  readonly at: Date;
  readonly groups: readonly (UsageSums & { readonly id: string })[];
};

/** Every bucket of the range, including empty ones, in order. */
export async function readUsageSeries(
  db: Db,
  query: UsageQuery & { readonly timeZone: string },
  group: UsageGroup,
): Promise<UsageBucket[]> {
  const size = bucketSizeOf(query.from, query.to);
  const starts = await readBucketStarts(db, query);
  const rows = await db
    .select({ at: bucketOf(size, query.timeZone), id: groupColumns[group], ...sums })
    .from(requests)
    .where(matching(query))
    .groupBy(sql`1, 2`);
  const byStart = Map.groupBy(rows, (row) => Number(row.at));
  return starts.map((at) => ({
    at: new Date(at),
    groups: (byStart.get(at) ?? []).map((row) => ({ ...readSums(row), id: row.id })),
  }));
}

export type LatencyBucket = {
  readonly at: Date;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly firstTokenP50Ms: number | null;
};

/** Buckets with completed requests only. */
export async function readLatencySeries(
  db: Db,
  query: UsageQuery & { readonly timeZone: string },
): Promise<LatencyBucket[]> {
  const size = bucketSizeOf(query.from, query.to);
  const rows = await db
    .select({ at: bucketOf(size, query.timeZone), ...latencies })
    .from(requests)
    .where(sql`${matching(query)} and ${completed}`)
    .groupBy(sql`1`)
    .orderBy(sql`1`);
  return rows.map((row) => ({ ...row, at: new Date(Number(row.at)) }));
}

/** How often each error happened, most frequent first. */
export async function readUsageErrors(
  db: Db,
  query: UsageQuery,
): Promise<{ readonly code: string; readonly count: number }[]> {
  return db
    .select({ code: sql<string>`${requests.errorCode}`, count: sql<number>`count(*)::int` })
    .from(requests)
    .where(sql`${matching(query)} and ${requests.errorCode} is not null`)
    .groupBy(sql`1`)
    .orderBy(sql`2 desc, 1`);
}

/** Milliseconds since the epoch at which the bucket of a request begins in the time zone. */
function bucketOf(size: BucketSize, timeZone: string): SQL<string> {
  return sql<string>`(extract(epoch from date_trunc(${size}, ${requests.placedAt}, ${timeZone})) * 1000)::bigint`;
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

async function readBucketStarts(
  db: Db,
  query: UsageQuery & { readonly timeZone: string },
): Promise<number[]> {
  const size = bucketSizeOf(query.from, query.to);
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
