// How long completed calls took, over a whole range and in each of its buckets: exact where every call is read, else from
// histograms, which differ by less than a tenth.
import type { Db } from "@turnpike/db";
import { type SQL, sql } from "drizzle-orm";
import { bucketOf } from "./bucket-starts.ts";
import { addDurations, addSlots, percentileOf, readSlots, type Slots } from "./latency-counts.ts";
import type { Planned } from "./plan-usage.ts";
import type { UsageQuery } from "./select-requests.ts";
import { usage, usageFrom } from "./usage-rows.ts";

export type Latency = {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly firstTokenP50Ms: number | null;
};

export type Latencies = {
  readonly all: Latency;
  /** By the number of the bucket, the first is 1; those without completed calls are absent. */
  readonly byBucket: ReadonlyMap<number, Latency>;
};

const none: Latency = { p50Ms: null, p95Ms: null, firstTokenP50Ms: null };

export function readLatencies(
  db: Db,
  query: Planned<UsageQuery>,
  starts: readonly number[],
): Promise<Latencies> {
  return query.plan.rolled === undefined
    ? readExact(db, query, starts)
    : readEstimated(db, query, starts);
}

const ofCompleted = (query: Planned<UsageQuery>, starts: readonly number[]): SQL =>
  sql`${usageFrom(query, starts)} and ${usage.class} = 'ok'`;

async function readExact(
  db: Db,
  query: Planned<UsageQuery>,
  starts: readonly number[],
): Promise<Latencies> {
  const at = (share: number, column: string) =>
    sql`percentile_cont(${share}::float8) within group (order by ${sql.raw(column)})`;
  const rows = await db.execute<Latency & { bucket: number | null }>(sql`
    select bucket, ${at(0.5, "total_ms")} as "p50Ms", ${at(0.95, "total_ms")} as "p95Ms",
           ${at(0.5, "first_byte_ms")} as "firstTokenP50Ms"
      from (select ${bucketOf(starts)} as bucket, u.total_ms, u.first_byte_ms ${ofCompleted(query, starts)}) x
     group by grouping sets ((bucket), ())`);
  const ofBuckets = rows.flatMap(({ bucket, ...latency }) =>
    bucket === null ? [] : ([[bucket, latency]] as const),
  );
  const { bucket: _, ...all } = rows.find(({ bucket }) => bucket === null) ?? {
    ...none,
    bucket: null,
  };
  return { all, byBucket: new Map(ofBuckets) };
}

type CountRow = {
  readonly bucket: number;
  readonly total: string | null;
  readonly first: string | null;
  readonly totalMs: readonly number[] | null;
  readonly firstMs: readonly number[] | null;
};

/** What is added up has histograms, the newest calls have their durations. */
async function readEstimated(
  db: Db,
  query: Planned<UsageQuery>,
  starts: readonly number[],
): Promise<Latencies> {
  const rows = await db.execute<CountRow>(sql`
    select ${bucketOf(starts)} as bucket, sum(u.total_ms_counts)::text as total,
           sum(u.first_byte_ms_counts)::text as first,
           json_agg(u.total_ms) filter (where u.total_ms is not null) as "totalMs",
           json_agg(u.first_byte_ms) filter (where u.first_byte_ms is not null) as "firstMs"
      ${ofCompleted(query, starts)} group by 1 order by 1`);
  const counted = rows.map(({ bucket, total, first, totalMs, firstMs }) => ({
    bucket,
    total: addDurations(readSlots(total), totalMs ?? []),
    first: addDurations(readSlots(first), firstMs ?? []),
  }));
  const sumOf = (slots: readonly Slots[]) => slots.reduce(addSlots, []);
  return {
    all: describe(
      sumOf(counted.map(({ total }) => total)),
      sumOf(counted.map(({ first }) => first)),
    ),
    byBucket: new Map(counted.map(({ bucket, total, first }) => [bucket, describe(total, first)])),
  };
}

function describe(total: Slots, first: Slots): Latency {
  return {
    p50Ms: percentileOf(total, 0.5),
    p95Ms: percentileOf(total, 0.95),
    firstTokenP50Ms: percentileOf(first, 0.5),
  };
}
