// What an account used, grouped by several dimensions at once, page by page. Groups are in the order of their
// values, not of their costs: what is spent while pages are read moves none of them to another page.
import { arrayLiteral, type Db } from "@turnpike/db";
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type BucketSize, queryBucketStarts, startOf } from "./bucket-starts.ts";
import { type Planned, planCalls, planUsage, type UsageRange } from "./plan-usage.ts";
import { groupColumns, nameOfKey, usageGroups } from "./query-usage.ts";
import type { ZonedUsageQuery } from "./select-requests.ts";
import { usage, usageFrom } from "./usage-rows.ts";
import { errorRate, parseSums, type SumRow, sums, type UsageSums } from "./usage-sums.ts";

/** What is not added up: it has as many values as callers like. */
export const callDimensions = ["app", "user"] as const;
export const usageDimensions = [...usageGroups, ...callDimensions, "hour", "day"] as const;
export type UsageDimension = (typeof usageDimensions)[number];

export function areOfCalls(by: readonly UsageDimension[]): boolean {
  return callDimensions.some((dimension) => by.includes(dimension));
}

/** For every read of the same groups. */
export function planUsageGroups<Query extends UsageRange>(
  db: Db,
  query: Query,
  by: readonly UsageDimension[],
): Promise<Planned<Query>> {
  return areOfCalls(by) ? planCalls(db, query) : planUsage(db, query);
}

export type UsageGroupsQuery = ZonedUsageQuery & {
  readonly by: readonly UsageDimension[];
  readonly limit: number;
  /** The values of the last group of the page before. */
  readonly after?: readonly string[] | undefined;
};

export type UsageGroupRow = UsageSums & {
  /** In the order of `by`. */
  readonly values: readonly string[];
  readonly errorRate: number | null;
};

/** One group more than `limit` if there are further ones. */
export async function queryUsageGroups(
  db: Db,
  query: UsageGroupsQuery | Planned<UsageGroupsQuery>,
): Promise<UsageGroupRow[]> {
  const { by, limit, after } = query;
  const planned = "plan" in query ? query : await planUsageGroups(db, query, by);
  if (areOfCalls(by) && planned.plan.rolled) throw new Error("apps and users are not added up");
  const buckets = await queryTimeBuckets(db, planned, by);
  const keys = by.map((dimension, index) => {
    return sql`${keyOf(dimension, buckets)} as ${sql.identifier(`k${index}`)}`;
  });
  const names = by.map((dimension, index) => nameOf(dimension, sql.identifier(`k${index}`)));
  const places = sql.raw(by.map((_, index) => index + 1).join(", "));
  const rows = await db.execute<SumRow & { errorRate: number | null; written: string }>(sql`
    select g.*, to_json(g.names)::text as written from (
      select array[${sql.join(names, sql`, `)}]::text[] collate "C" as names, k.* from (
        select ${sql.join(keys, sql`, `)}, ${sums}, ${errorRate}
          ${usageFrom(planned, buckets.starts)} group by ${places}) k) g
     where ${after === undefined ? sql`true` : sql`g.names > ${arrayLiteral(after)}::text[] collate "C"`}
     order by g.names limit ${limit + 1}`);
  return rows.map((row) => ({
    ...parseSums(row),
    values: parseValues(row.written),
    errorRate: row.errorRate,
  }));
}

/** Where the buckets begin of each dimension of time among some dimensions. */
export type TimeBuckets = {
  readonly hour?: readonly number[];
  readonly day?: readonly number[];
  /** Of the shortest ones. */
  readonly starts: readonly number[];
};

export async function queryTimeBuckets(
  db: Db,
  query: Planned<ZonedUsageQuery>,
  by: readonly UsageDimension[],
): Promise<TimeBuckets> {
  const hour = by.includes("hour") ? await queryBucketStarts(db, query, "hour") : undefined;
  const day = by.includes("day") ? await queryBucketStarts(db, query, "day") : undefined;
  return { ...(hour && { hour }), ...(day && { day }), starts: hour ?? day ?? [] };
}

/**
 * What rows are grouped by: no text yet of times and ids, because writing it for each row takes as long as the sums.
 */
export function keyOf(dimension: UsageDimension, buckets: TimeBuckets): SQL {
  if (isTimeDimension(dimension)) return startOf(buckets[dimension] ?? []);
  if (dimension === "key") return usage.keyId;
  if (dimension === "app") return usage.app;
  return dimension === "user" ? usage.endUser : groupColumns[dimension];
}

/** The text of a value of `keyOf`. */
export function nameOf(dimension: UsageDimension, key: SQLWrapper): SQL {
  if (dimension === "key") return nameOfKey(key);
  return isTimeDimension(dimension)
    ? sql`to_char(${key} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
    : sql`${key}`;
}

export function isTimeDimension(dimension: UsageDimension): dimension is BucketSize {
  return dimension === "hour" || dimension === "day";
}

/** What `to_json` writes of an array of text. */
function parseValues(written: string): readonly string[] {
  const values: unknown = JSON.parse(written);
  return Array.isArray(values) ? values.map(String) : [];
}
