// What an account used, grouped by several dimensions at once, page by page. Groups are in the order of their
// values, not of their costs: what is spent while pages are read moves none of them to another page.
import { arrayLiteral, type Db } from "@turnpike/db";
import { type SQL, sql } from "drizzle-orm";
import { readBucketStarts } from "./bucket-starts.ts";
import { type Planned, planCalls, planUsage, type UsageRange } from "./plan-usage.ts";
import { groupColumns, usageGroups } from "./read-usage.ts";
import type { ZonedUsageQuery } from "./select-requests.ts";
import { usage, usageFrom } from "./usage-rows.ts";
import { errorRate, readSums, type SumRow, sums, type UsageSums } from "./usage-sums.ts";

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
export async function readUsageGroups(
  db: Db,
  query: UsageGroupsQuery | Planned<UsageGroupsQuery>,
): Promise<UsageGroupRow[]> {
  const { by, limit, after } = query;
  const values = by.map((dimension) => columnOf(dimension, query));
  const planned = "plan" in query ? query : await planUsageGroups(db, query, by);
  if (areOfCalls(by) && planned.plan.rolled) throw new Error("apps and users are not added up");
  const size = timeDimensions.find((each) => by.includes(each));
  const boundaries = size === undefined ? [] : await readBucketStarts(db, planned, size);
  const rows = await db.execute<SumRow & { errorRate: number | null; written: string }>(sql`
    select g.*, to_json(g.names)::text as written from (
      select array[${sql.join(values, sql`, `)}]::text[] collate "C" as names, ${sums}, ${errorRate}
        ${usageFrom(planned, boundaries)} group by 1) g
     where ${after === undefined ? sql`true` : sql`g.names > ${arrayLiteral(after)}::text[] collate "C"`}
     order by g.names limit ${limit + 1}`);
  return rows.map((row) => ({
    ...readSums(row),
    values: readValues(row.written),
    errorRate: row.errorRate,
  }));
}

/** The shorter one first: its boundaries are those of the other one too. */
export const timeDimensions = ["hour", "day"] as const;

export function columnOf(
  dimension: UsageDimension,
  { timeZone }: Pick<ZonedUsageQuery, "timeZone">,
): SQL<string> {
  if (dimension === "hour" || dimension === "day") {
    return sql<string>`to_char(date_trunc(${dimension}, ${usage.at}, ${timeZone})
      at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  }
  if (dimension === "app") return usage.app;
  return dimension === "user" ? usage.endUser : groupColumns[dimension];
}

/** What `to_json` writes of an array of text. */
function readValues(written: string): readonly string[] {
  const values: unknown = JSON.parse(written);
  return Array.isArray(values) ? values.map(String) : [];
}
