// The hours or days of a range of time in a time zone, in which series are shown.
import { arrayLiteral, type Db } from "@turnpike/db";
import { type SQL, sql } from "drizzle-orm";
import type { ZonedUsageQuery } from "./select-requests.ts";
import { usage } from "./usage-rows.ts";

export type BucketSize = "hour" | "day";

const hourMs = 3_600_000;

/** Hours up to two days, days beyond. */
export function bucketSizeOf(from: Date, to: Date): BucketSize {
  return to.getTime() - from.getTime() <= 48 * hourMs ? "hour" : "day";
}

/** Which of the buckets a row belongs to; the first one is 1. */
export function bucketOf(starts: readonly number[]): SQL {
  return sql`width_bucket(${usage.at}, ${instantsOf(starts)})`;
}

/** Where the bucket of a row begins. */
export function startOf(starts: readonly number[]): SQL {
  return sql`(${instantsOf(starts)})[${bucketOf(starts)}]`;
}

function instantsOf(starts: readonly number[]): SQL {
  return sql`${arrayLiteral(starts.map((at) => new Date(at).toISOString()))}::timestamptz[]`;
}

/**
 * The previous period: shifted back by as many buckets as the range touches, so that buckets line up
 * and an unfinished day is compared with the same part of a day.
 */
export async function queryPreviousRange(
  db: Db,
  query: Pick<ZonedUsageQuery, "from" | "to" | "timeZone">,
): Promise<{ readonly from: Date; readonly to: Date }> {
  const size = bucketSizeOf(query.from, query.to);
  const { length } = await queryBucketStarts(db, query);
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

/** The first instant of each, in order; the first one is not after `from`. */
export async function queryBucketStarts(
  db: Db,
  query: Pick<ZonedUsageQuery, "from" | "to" | "timeZone">,
  size = bucketSizeOf(query.from, query.to),
): Promise<number[]> {
  const from = sql`${query.from.toISOString()}::timestamptz`;
  const last = sql`${query.to.toISOString()}::timestamptz - interval '1 microsecond'`;
  const rows = await db.execute<{ at: string }>(
    size === "hour"
      ? hourStarts(from, last, query.timeZone)
      : dayStarts(from, last, query.timeZone),
  );
  return rows.map((row) => Number(row.at)).sort((a, b) => a - b);
}

const firstInstant = sql`(extract(epoch from min(moment)) * 1000)::bigint::text as at`;

/** Zones change by half an hour too, so the steps are half hours. */
function hourStarts(from: SQL, last: SQL, timeZone: string): SQL {
  return sql`
    select ${firstInstant}
      from generate_series(date_trunc('hour', ${from}, ${timeZone}), ${last}, interval '30 minutes') as moment
     group by date_trunc('hour', moment, ${timeZone})`;
}

/**
 * A day may have two midnights, of which PostgreSQL takes the second, or none: what counts is the first instant of the
 * date.
 */
function dayStarts(from: SQL, last: SQL, timeZone: string): SQL {
  return sql`
    select ${firstInstant}
      from generate_series(date_trunc('day', ${from} at time zone ${timeZone}), (${last}) at time zone ${timeZone},
                           interval '1 day') as day,
           generate_series((day at time zone ${timeZone}) - interval '3 hours', day at time zone ${timeZone},
                           interval '30 minutes') as moment
     where (moment at time zone ${timeZone})::date = day::date
     group by day`;
}
