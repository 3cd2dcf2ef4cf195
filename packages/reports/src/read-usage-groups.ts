// What an account used, grouped by several dimensions at once, page by page. Groups are in the order of their
// values, not of their costs: what is spent while pages are read moves none of them to another page.
import { parseNanos } from "@turnpike/base";
import { arrayLiteral, type Db, requests } from "@turnpike/db";
import { type SQL, sql } from "drizzle-orm";
import { groupColumns, type UsageQuery, type UsageSums, usageGroups } from "./read-usage.ts";
import { matching, requestClass } from "./select-requests.ts";

export const usageDimensions = [...usageGroups, "hour", "day"] as const;
export type UsageDimension = (typeof usageDimensions)[number];

export type UsageGroupsQuery = UsageQuery & {
  /** IANA name: decides when an hour or a day begins. */
  readonly timeZone: string;
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
export async function readUsageGroups(db: Db, query: UsageGroupsQuery): Promise<UsageGroupRow[]> {
  const { by, limit, after } = query;
  const values = by.map((dimension) => columnOf(dimension, query));
  const grouped = db
    .select({
      values: sql<string>`array[${sql.join(values, sql`, `)}]::text[] collate "C"`.as("values"),
      costNanos: sql<string>`coalesce(sum(${requests.chargedNanos}), 0)::text`.as("cost_nanos"),
      requests: sql<number>`count(*)::int`.as("calls"),
      promptTokens: sql<string>`coalesce(sum(${requests.promptTokens}), 0)::text`.as("prompt"),
      completionTokens: sql<string>`coalesce(sum(${requests.completionTokens}), 0)::text`.as(
        "completion",
      ),
      cachedTokens: sql<string>`coalesce(sum(${requests.cachedTokens}), 0)::text`.as("cached"),
      errorRate: sql<number | null>`(count(*) filter (where ${requestClass} in
        ('client_error', 'server_error')))::float8 / nullif(count(*), 0)`.as("error_rate"),
    })
    .from(requests)
    .where(matching(query))
    .groupBy(sql`1`)
    .as("grouped");
  const rows = await db
    .select({
      costNanos: grouped.costNanos,
      requests: grouped.requests,
      promptTokens: grouped.promptTokens,
      completionTokens: grouped.completionTokens,
      cachedTokens: grouped.cachedTokens,
      errorRate: grouped.errorRate,
      written: sql<string>`to_json(${grouped.values})::text`,
    })
    .from(grouped)
    .where(
      after === undefined
        ? undefined
        : sql`${grouped.values} > ${arrayLiteral(after)}::text[] collate "C"`,
    )
    .orderBy(grouped.values)
    .limit(limit + 1);
  return rows.map((row) => ({
    values: readValues(row.written),
    errorRate: row.errorRate,
    costNanos: parseNanos(row.costNanos),
    requests: row.requests,
    promptTokens: Number(row.promptTokens),
    completionTokens: Number(row.completionTokens),
    cachedTokens: Number(row.cachedTokens),
  }));
}

function columnOf(dimension: UsageDimension, { timeZone }: UsageGroupsQuery): SQL<string> {
  if (dimension === "hour" || dimension === "day") {
    return sql<string>`to_char(date_trunc(${dimension}, ${requests.placedAt}, ${timeZone})
      at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  }
  return groupColumns[dimension];
}

/** What `to_json` writes of an array of text. */
function readValues(written: string): readonly string[] {
  const values: unknown = JSON.parse(written);
  return Array.isArray(values) ? values.map(String) : [];
}
