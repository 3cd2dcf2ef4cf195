// How long completed calls took, over a whole range and, if asked, in each of its buckets and of each group: exact where
// every call is read, else from histograms, which differ by less than a tenth.
import type { Db } from "@turnpike/db";
import { type SQL, sql } from "drizzle-orm";
import { bucketOf } from "./bucket-starts.ts";
import { addDurations, parseSlots, percentileOf, type Slots } from "./latency-counts.ts";
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
  /** By the id of the group, likewise. */
  readonly byGroup: ReadonlyMap<string, Latency>;
};

export const noLatency: Latency = { p50Ms: null, p95Ms: null, firstTokenP50Ms: null };

/** Buckets and groups are measured too; without, only the whole. */
type Parts = { readonly group: SQL<unknown>; readonly starts: readonly number[] };

/** Of one bucket, of one group, or of everything, in which case both are null. */
type PartRow = { readonly bucket: number | null; readonly id: string | null };

export async function queryLatencies(
  db: Db,
  query: Planned<UsageQuery>,
  parts?: Parts,
): Promise<Latencies> {
  const rows =
    query.plan.rolled === undefined
      ? await queryExact(db, query, parts)
      : await queryEstimated(db, query, parts);
  const all = rows.find(({ bucket, id }) => bucket === null && id === null);
  return {
    all: all?.latency ?? noLatency,
    byBucket: new Map(
      rows.flatMap(({ bucket, latency }) => (bucket === null ? [] : [[bucket, latency]])),
    ),
    byGroup: new Map(rows.flatMap(({ id, latency }) => (id === null ? [] : [[id, latency]]))),
  };
}

type Read = Promise<readonly (PartRow & { readonly latency: Latency })[]>;

/** `values` of the completed calls of each part. */
function ofParts(query: Planned<UsageQuery>, parts: Parts | undefined, values: SQL): SQL {
  // Each set sorts or gathers all durations once more.
  if (parts === undefined) {
    return sql`select null::int as bucket, null as id, ${values} ${usageFrom(query, [])} and ${usage.class} = 'ok'`;
  }
  const { group, starts } = parts;
  return sql`
    select bucket, id, ${values}
      from (select ${bucketOf(starts)} as bucket, coalesce(${group}, '') as id, u.total_ms, u.first_byte_ms,
                   u.total_ms_counts, u.first_byte_ms_counts
              ${usageFrom(query, starts)} and ${usage.class} = 'ok') x
     group by grouping sets ((bucket), (id), ())`;
}

async function queryExact(db: Db, query: Planned<UsageQuery>, parts?: Parts): Read {
  const at = (share: number, column: string) =>
    sql`percentile_cont(${share}::float8) within group (order by ${sql.raw(column)})`;
  const values = sql`${at(0.5, "total_ms")} as "p50Ms", ${at(0.95, "total_ms")} as "p95Ms",
    ${at(0.5, "first_byte_ms")} as "firstTokenP50Ms"`;
  const rows = await db.execute<Latency & PartRow>(ofParts(query, parts, values));
  return rows.map(({ bucket, id, ...latency }) => ({ bucket, id, latency }));
}

type CountRow = PartRow & {
  readonly total: string | null;
  readonly first: string | null;
  readonly totalMs: readonly number[] | null;
  readonly firstMs: readonly number[] | null;
};

/** What is added up has histograms, the newest calls have their durations. */
async function queryEstimated(db: Db, query: Planned<UsageQuery>, parts?: Parts): Read {
  const values = sql`sum(total_ms_counts)::text as total, sum(first_byte_ms_counts)::text as first,
    json_agg(total_ms) filter (where total_ms is not null) as "totalMs",
    json_agg(first_byte_ms) filter (where first_byte_ms is not null) as "firstMs"`;
  const rows = await db.execute<CountRow>(ofParts(query, parts, values));
  return rows.map(({ bucket, id, total, first, totalMs, firstMs }) => ({
    bucket,
    id,
    latency: describe(
      addDurations(parseSlots(total), totalMs ?? []),
      addDurations(parseSlots(first), firstMs ?? []),
    ),
  }));
}

function describe(total: Slots, first: Slots): Latency {
  return {
    p50Ms: percentileOf(total, 0.5),
    p95Ms: percentileOf(total, 0.95),
    firstTokenP50Ms: percentileOf(first, 0.5),
  };
}
