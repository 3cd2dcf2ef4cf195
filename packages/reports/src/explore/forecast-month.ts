// What the month will have cost at its end if the rest of it costs as much as the last seven days did.
import type { Db } from "@turnpike/db";
import { type Nanos, toNanos } from "@turnpike/terms";
import { sql } from "drizzle-orm";
import { planUsage } from "../plan-usage.ts";
import { queryUsageTotals } from "../query-usage.ts";
import { queryUsageGroups } from "../query-usage-groups.ts";
import type { ZonedUsageQuery } from "../select-requests.ts";

export type MonthForecast = {
  /** Midnights in the reader's time zone. */
  readonly from: Date;
  readonly to: Date;
  readonly spentNanos: Nanos;
  /** Null before anything was spent in the last seven days. */
  readonly expectedNanos: Nanos | null;
  /** How many days the forecast is based on; fewer than seven for a new account. */
  readonly basedOnDays: number;
};

const dayMs = 86_400_000;
const basisDays = 7;

/** `query` without a range. Filters apply to both parts. */
export async function forecastMonth(
  db: Db,
  query: Omit<ZonedUsageQuery, "from" | "to">,
  now: Date,
): Promise<MonthForecast> {
  const { from, to } = await queryMonth(db, query.timeZone, now);
  const month = await planUsage(db, { ...query, from, to: now });
  const { costNanos: spentNanos } = await queryUsageTotals(db, month);
  const since = new Date(now.getTime() - basisDays * dayMs);
  const basis = await planUsage(db, { ...query, from: since, to: now });
  const limit = basisDays + 1;
  const days = await queryUsageGroups(db, { ...basis, by: ["day"], limit });
  const first = days.find(({ costNanos }) => costNanos > 0n)?.values[0];
  if (first === undefined) {
    return { from, to, spentNanos, expectedNanos: null, basedOnDays: 0 };
  }
  const basisNanos = days.reduce((sum, { costNanos }) => sum + costNanos, 0n);
  const firstMs = Math.max(Date.parse(first), since.getTime());
  // A day at least: an hour of tries is not a month of them.
  const basisMs = BigInt(Math.max(now.getTime() - firstMs, dayMs));
  const remainingMs = BigInt(Math.max(to.getTime() - now.getTime(), 0));
  return {
    from,
    to,
    spentNanos,
    expectedNanos: toNanos(spentNanos + (basisNanos * remainingMs) / basisMs),
    basedOnDays: Math.min(basisDays, Math.ceil(Number(basisMs) / dayMs)),
  };
}

async function queryMonth(db: Db, timeZone: string, now: Date): Promise<{ from: Date; to: Date }> {
  const ms = (months: number) => sql`(extract(epoch from
    (date_trunc('month', ${now.toISOString()}::timestamptz at time zone ${timeZone})
      + ${`${months} months`}::interval) at time zone ${timeZone}) * 1000)::bigint::text`;
  const [row] = await db.execute<{ from: string; to: string }>(
    sql`select ${ms(0)} as "from", ${ms(1)} as "to"`,
  );
  if (row === undefined) throw new Error("the select returned no row");
  return { from: new Date(Number(row.from)), to: new Date(Number(row.to)) };
}
