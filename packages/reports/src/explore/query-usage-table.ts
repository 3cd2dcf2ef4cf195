// Usage by two dimensions as a table: the rows and columns that count most by a measure, and one more of each for what
// remains, so that the table always adds up to everything in the range.
import type { Db } from "@turnpike/db";
import { parseNanos, type Unit, unitNames } from "@turnpike/terms";
import { type SQL, sql } from "drizzle-orm";
import { parseSlots } from "../latency-counts.ts";
import type { Planned } from "../plan-usage.ts";
import {
  isTimeDimension,
  keyOf,
  nameOf,
  queryTimeBuckets,
  type UsageDimension,
} from "../query-usage-groups.ts";
import type { ZonedUsageQuery } from "../select-requests.ts";
import { usageFrom } from "../usage-rows.ts";
import { parseUnits, type UnitRow, unitSums } from "../usage-sums.ts";
import { type Amounts, isLatency, type Measure } from "./measure.ts";

export type UsageTableQuery = Planned<ZonedUsageQuery> & {
  readonly rows: UsageDimension;
  /** Undefined for a single column. */
  readonly columns: UsageDimension | undefined;
  readonly measure: Measure;
  readonly rowsMax: number;
  readonly columnsMax: number;
};

export type UsageCell = Amounts & {
  /** Null for what is in no row of its own. */
  readonly row: string | null;
  readonly column: string | null;
};

export type UsageTable = {
  /** The largest first, times newest first; null, if there is such a row, is the last. */
  readonly rows: readonly (string | null)[];
  readonly columns: readonly (string | null)[];
  readonly cells: readonly UsageCell[];
};

type CellRow = UnitRow & {
  readonly row: string | null;
  readonly column: string | null;
  readonly rowRank: number;
  readonly columnRank: number;
  readonly costNanos: string;
  readonly requests: number;
  readonly errors: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly counts: string | null;
  readonly durations: readonly (readonly number[])[] | null;
};

export async function queryUsageTable(db: Db, query: UsageTableQuery): Promise<UsageTable> {
  const { rows: by, columns: across, rowsMax, columnsMax } = query;
  const buckets = await queryTimeBuckets(db, query, across ? [by, across] : [by]);
  const [a, b] = [sql.identifier("a"), sql.identifier("b")];
  const found = await db.execute<CellRow>(sql`
    with cells as materialized (
      select ${nameOf(by, a)} as a, ${across ? nameOf(across, b) : b} as b, charged, calls, failed, prompt,
             completion, cached, ${unitColumns}, counts, durations
        from (select ${keyOf(by, buckets)} as a, ${across ? keyOf(across, buckets) : sql`''`} as b,
                     ${amounts}, ${unitSums}, ${durationsOf(query)}
                ${usageFrom(query, buckets.starts)} group by 1, 2) k),
    rows_by_rank as (${ranks("a", by, query.measure)}),
    columns_by_rank as (${ranks("b", across, query.measure)})
    select case when r.rank <= ${rowsMax} then a end as "row", least(r.rank, ${rowsMax + 1})::int as "rowRank",
           case when c.rank <= ${columnsMax} then b end as "column",
           least(c.rank, ${columnsMax + 1})::int as "columnRank",
           sum(charged)::text as "costNanos", sum(calls)::float8 as requests, sum(failed)::float8 as errors,
           sum(prompt)::float8 as "inputTokens", sum(completion)::float8 as "outputTokens",
           sum(cached)::float8 as "cachedTokens", ${sumsOfUnits}, sum(counts)::text as counts,
           json_agg(durations) filter (where durations is not null) as durations
      from cells join rows_by_rank r using (a) join columns_by_rank c using (b)
     group by 1, 2, 3, 4 order by 2, 4`);
  return {
    rows: inOrder(found, "row", "rowRank"),
    columns: inOrder(found, "column", "columnRank"),
    cells: found.map(parseCell),
  };
}

const unitColumns = sql.raw(unitNames.map((unit) => `"${unit}"`).join(", "));
const sumsOfUnits = sql.raw(unitNames.map((unit) => `sum("${unit}") as "${unit}"`).join(", "));

const amounts = sql.raw(`
  sum(u.charged_nanos) as charged, sum(u.calls) as calls,
  coalesce(sum(u.calls) filter (where u.class in ('client_error', 'server_error')), 0) as failed,
  sum(u.prompt_tokens) as prompt, sum(u.completion_tokens) as completion, sum(u.cached_tokens) as cached`);

function durationsOf({ measure, plan }: UsageTableQuery): SQL {
  if (!isLatency(measure)) return sql`null::numeric as counts, null::json as durations`;
  // Call by call over a month there are too many durations to carry one by one.
  if (plan.isOfCalls) {
    return sql`sum(pack_latency(u.total_ms)) filter (where u.class = 'ok') as counts, null::json as durations`;
  }
  return sql`sum(u.total_ms_counts) filter (where u.class = 'ok') as counts,
    json_agg(u.total_ms) filter (where u.class = 'ok' and u.total_ms is not null) as durations`;
}

/** The cast is safe because every unit gets a text. */
const byUnit = Object.fromEntries(
  unitNames.map((unit) => [unit, `coalesce("${unit}", 0)`]),
) as Record<Unit, string>;

const rankedBy = {
  ...byUnit,
  spend: "charged",
  requests: "calls",
  errors: "failed",
  inputTokens: "prompt",
  outputTokens: "completion",
  cachedTokens: "cached",
  // By what they are measured of: the slowest call of a month says little.
  errorRate: "calls",
  p50: "calls",
  p95: "calls",
} as const satisfies Record<Measure, string>;

function ranks(column: "a" | "b", dimension: UsageDimension | undefined, measure: Measure): SQL {
  const order =
    dimension && isTimeDimension(dimension)
      ? `${column} collate "C" desc`
      : `sum(${rankedBy[measure]}) desc, sum(calls) desc, ${column} collate "C"`;
  return sql.raw(
    `select ${column}, row_number() over (order by ${order}) as rank from cells group by 1`,
  );
}

function inOrder(
  found: readonly CellRow[],
  name: "row" | "column",
  rank: "rowRank" | "columnRank",
): readonly (string | null)[] {
  const byRank = new Map(found.map((cell) => [cell[rank], cell[name]]));
  return [...byRank].sort(([one], [other]) => one - other).map(([, id]) => id);
}

function parseCell(found: CellRow): UsageCell {
  const { row, column, requests, errors, inputTokens, outputTokens, cachedTokens } = found;
  return {
    row,
    column,
    costNanos: parseNanos(found.costNanos),
    requests,
    errors,
    inputTokens,
    outputTokens,
    cachedTokens,
    units: parseUnits(found),
    slots: parseSlots(found.counts),
    durationsMs: (found.durations ?? []).flat(),
  };
}
