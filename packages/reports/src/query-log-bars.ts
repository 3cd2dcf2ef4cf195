// The calls of Logs over time, as bars: added up where usage says how many a filter finds, else counted one by one.
import { arrayLiteral, type Db, requests } from "@turnpike/db";
import { sql } from "drizzle-orm";
import { type LogQuery, matchingLogs } from "./log-query.ts";
import { isOfUsage, matchingUsage } from "./narrow-logs.ts";
import { type PlanLimits, planUsage } from "./plan-usage.ts";
import { requestClass } from "./select-requests.ts";
import { usage, usageFrom } from "./usage-rows.ts";

export type LogBar = { readonly at: Date; readonly ok: number; readonly failed: number };

const barsMax = 48;
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const quarterHourMs = 15 * minuteMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** So that bars begin at round times. */
const barWidthsMs = [
  ...[1, 5, 15, 30].map((seconds) => seconds * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 4, 6, 12, 24].map((hours) => hours * hourMs),
];

/** The narrowest of the nice widths that fits; beyond 48 days whole days. */
function barWidthOf(rangeMs: number): number {
  const least = rangeMs / barsMax;
  return barWidthsMs.find((width) => width >= least) ?? Math.ceil(least / dayMs) * dayMs;
}

/** The requests of the range in at most 48 bars of equal width, including empty ones. */
export async function queryLogHistogram(
  db: Db,
  query: LogQuery & { readonly from: Date; readonly to: Date },
  limits?: Partial<PlanLimits>,
): Promise<LogBar[]> {
  const rangeMs = query.to.getTime() - query.from.getTime();
  const width = barWidthOf(rangeMs);
  const bars =
    width % quarterHourMs === 0 ? await queryRolledBars(db, query, width, limits) : undefined;
  if (bars !== undefined) return bars;
  const start = query.from.getTime();
  const bar = sql<number>`floor((extract(epoch from ${requests.placedAt}) * 1000 - ${start}) / ${width})::int`;
  const rows = await db
    .select({
      bar,
      ok: sql<number>`(count(*) filter (where ${requestClass} = 'ok'))::int`,
      all: sql<number>`count(*)::int`,
    })
    .from(requests)
    .where(matchingLogs(query))
    .groupBy(sql`1`);
  const found = new Map(rows.map((row) => [row.bar, row]));
  return Array.from({ length: Math.ceil(rangeMs / width) }, (_, index) => {
    const { ok = 0, all = 0 } = found.get(index) ?? {};
    return { at: new Date(start + index * width), ok, failed: all - ok };
  });
}

/** Undefined where calls have to be read one by one. The bars begin at a quarter of an hour. */
async function queryRolledBars(
  db: Db,
  query: LogQuery & { readonly from: Date; readonly to: Date },
  width: number,
  limits?: Partial<PlanLimits>,
): Promise<LogBar[] | undefined> {
  if (!isOfUsage(query)) return undefined;
  const planned = await planUsage(db, query, limits);
  if (planned.plan.rolled === undefined) return undefined;
  const first = Math.floor(query.from.getTime() / quarterHourMs) * quarterHourMs;
  const count = Math.ceil((query.to.getTime() - first) / width);
  const starts = Array.from({ length: count }, (_, index) => first + index * width);
  const instants = arrayLiteral(starts.map((at) => new Date(at).toISOString()));
  const rows = await db.execute<{ bar: number; ok: number; all: number }>(sql`
    select width_bucket(${usage.at}, ${instants}::timestamptz[]) as bar, sum(u.calls)::float8 as all,
           coalesce(sum(u.calls) filter (where ${usage.class} = 'ok'), 0)::float8 as ok
      ${usageFrom(planned, starts)} and ${matchingUsage(query)} group by 1`);
  const found = new Map(rows.map((row) => [row.bar, row]));
  return starts.map((at, index) => {
    const { ok = 0, all = 0 } = found.get(index + 1) ?? {};
    return { at: new Date(at), ok, failed: all - ok };
  });
}
