// The overview of an account: its balance, what was spent, and the latest requests.
import type { AccountId } from "@turnpike/base";
import { apiKeys, type Db, entries, ledgerTransactions } from "@turnpike/db";
import { type Nanos, parseNanos, zeroNanos } from "@turnpike/terms";
import { and, eq, exists, gt, isNull, sql } from "drizzle-orm";
import { planUsage } from "./plan-usage.ts";
import { hasRequests } from "./query-usage.ts";
import { keysIn, type ReportScope } from "./select-requests.ts";
import { usage, usageFrom } from "./usage-rows.ts";

const hourMs = 3_600_000;

export type Steps = {
  readonly funded: boolean;
  readonly hasKey: boolean;
  readonly hasRequest: boolean;
};

/** Which onboarding steps a new account, or a new member of it, has completed. */
export async function querySteps(db: Db, scope: ReportScope): Promise<Steps> {
  const anyEntry = db
    .select({ one: sql`1` })
    .from(entries)
    .where(and(eq(entries.accountId, scope.accountId), eq(entries.book, "account")));
  const anyKey = db
    .select({ one: sql`1` })
    .from(apiKeys)
    .where(and(keysIn(scope), isNull(apiKeys.revokedAt)));
  const [steps] = await db.execute<Omit<Steps, "hasRequest">>(sql`
    select ${exists(anyEntry)} as funded, ${exists(anyKey)} as "hasKey"`);
  if (steps === undefined) throw new Error("the select returned no row");
  return { ...steps, hasRequest: await hasRequests(db, scope, "ok") };
}

/** Whether money came in since then: a refusal for want of it is out of date. */
export async function hasCreditSince(db: Db, accountId: AccountId, since: Date): Promise<boolean> {
  const [credit] = await db
    .select({ id: entries.transactionId })
    .from(entries)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, entries.transactionId))
    .where(
      and(
        eq(entries.accountId, accountId),
        eq(entries.book, "account"),
        gt(entries.amountNanos, zeroNanos),
        gt(ledgerTransactions.createdAt, since),
      ),
    )
    .limit(1);
  return credit !== undefined;
}

/** When the reader's day began that many days ago; 0 is today. */
export async function queryStartOfDay(db: Db, timeZone: string, daysAgo: number): Promise<Date> {
  const [row] = await db.execute<{ at: string }>(sql`
    select to_char(((date_trunc('day', now() at time zone ${timeZone}) - make_interval(days => ${daysAgo}))
                     at time zone ${timeZone}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`);
  if (row === undefined) throw new Error("the select returned no row");
  return new Date(row.at);
}

export type SpendByPeriod = {
  readonly todayNanos: Nanos;
  readonly monthNanos: Nanos;
  readonly lastMonthNanos: Nanos;
  readonly requestsToday: number;
  /** Since when calls are added up, if that is less than both months. */
  readonly coveredFrom: Date | null;
};

/** Days and months of the reader's time zone. */
export async function querySpend(
  db: Db,
  scope: ReportScope,
  timeZone: string,
): Promise<SpendByPeriod> {
  const { day, month, lastMonth, to } = await queryPeriodStarts(db, timeZone);
  const planned = await planUsage(db, { ...scope, from: lastMonth, to });
  const since = (at: Date) => sql`${usage.at} >= ${at.toISOString()}::timestamptz`;
  const [row] = await db.execute<{ today: string; month: string; last: string; count: number }>(sql`
    select coalesce(sum(u.charged_nanos) filter (where ${since(day)}), 0)::text as today,
           coalesce(sum(u.charged_nanos) filter (where ${since(month)}), 0)::text as month,
           coalesce(sum(u.charged_nanos) filter (where not ${since(month)}), 0)::text as last,
           coalesce(sum(u.calls) filter (where ${since(day)}), 0)::float8 as count
      ${usageFrom(planned, [month.getTime(), day.getTime()])}`);
  if (row === undefined) throw new Error("the aggregate returned no row");
  return {
    todayNanos: parseNanos(row.today),
    monthNanos: parseNanos(row.month),
    lastMonthNanos: parseNanos(row.last),
    requestsToday: row.count,
    coveredFrom: planned.plan.coveredFrom,
  };
}

/** By the database's clock; until an hour from now. */
async function queryPeriodStarts(db: Db, timeZone: string) {
  const start = (unit: string, back = "0 days") =>
    sql`(extract(epoch from ((date_trunc(${unit}, now() at time zone ${timeZone}) - ${back}::interval)
          at time zone ${timeZone})) * 1000)::float8`;
  const [row] = await db.execute<{ day: number; month: number; last: number; now: number }>(sql`
    select ${start("day")} as day, ${start("month")} as month, ${start("month", "1 month")} as last,
           (extract(epoch from now()) * 1000)::float8 as now`);
  if (row === undefined) throw new Error("the select returned no row");
  return {
    day: new Date(row.day),
    month: new Date(row.month),
    lastMonth: new Date(row.last),
    to: new Date(row.now + hourMs),
  };
}
