// How far back a page of Logs has to read: usage that is added up says how many calls a filter finds, and when.
import type { GenerationId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import type { StatusClass } from "@turnpike/terms";
import { and, type SQL, sql } from "drizzle-orm";
import type { LogQuery } from "./log-query.ts";
import { type PlanLimits, planUsage } from "./plan-usage.ts";
import { matchingDimensions } from "./select-requests.ts";
import { usage, usageFrom } from "./usage-rows.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const latest = Date.parse("9999-01-01T00:00:00Z");

/** Whether usage that is added up says how many calls a filter finds. */
export function isOfUsage({
  statusClass,
  app,
  endUser,
  without = [],
  minCostNanos,
  minLatencyMs,
  requestId,
}: LogQuery): boolean {
  return (
    (statusClass === undefined || statusClass === "canceled" || statusClass === "failed") &&
    app === undefined &&
    endUser === undefined &&
    without.length === 0 &&
    minCostNanos === undefined &&
    minLatencyMs === undefined &&
    requestId === undefined
  );
}

export function matchingUsage({ operation, statusClass, errorCode }: LogQuery): SQL {
  const conditions = and(
    operation === undefined ? undefined : sql`${usage.operation} = ${operation}`,
    statusClass === undefined ? undefined : matchingClass(statusClass),
    errorCode === undefined ? undefined : sql`${usage.errorCode} = ${errorCode}`,
  );
  return conditions ?? sql`true`;
}

function matchingClass(statusClass: StatusClass): SQL {
  if (statusClass === "failed") return sql`${usage.class} in ('client_error', 'server_error')`;
  return sql`${usage.class} = ${statusClass}`;
}

/**
 * From when on a page that is read backwards finds its rows: among very many calls a filter that finds few would read
 * them all. An id is made up to an hour before or after its call is placed.
 */
export async function findOldestNeeded(
  db: Db,
  query: LogQuery,
  limits?: Partial<PlanLimits>,
): Promise<Date | undefined | "none"> {
  const isFiltered = matchingDimensions(query, usage) !== undefined;
  const { cursor, operation, statusClass, errorCode } = query;
  const isNarrow = isFiltered || operation || statusClass || errorCode;
  if (!isNarrow || !isOfUsage(query)) return query.from;
  const until = cursor === undefined ? latest : timeOf(cursor).getTime() + hourMs;
  const to = new Date(Math.min(query.to?.getTime() ?? latest, until));
  const planned = await planUsage(db, { ...query, from: query.from ?? new Date(0), to }, limits);
  if (planned.plan.rolled === undefined) return query.from;
  const rows = await db.execute<{ at: number; calls: number }>(sql`
    select (extract(epoch from ${usage.at}) * 1000)::float8 as at, sum(u.calls)::float8 as calls
      ${usageFrom(planned)} and ${matchingUsage(query)} group by 1 order by 1 desc`);
  if (rows.length === 0) return "none";
  let found = 0;
  // With a cursor, calls of its last hours may be on the page before.
  for (const { at, calls } of rows) {
    if (cursor === undefined || at + dayMs < until) found += calls;
    if (found > query.limit) return new Date(Math.max(at - hourMs, query.from?.getTime() ?? 0));
  }
  return new Date(Math.max((rows.at(-1)?.at ?? 0) - hourMs, query.from?.getTime() ?? 0));
}

function timeOf(id: GenerationId): Date {
  return new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16));
}
