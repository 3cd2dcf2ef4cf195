// The overview of an account: its balance, what was spent, and the latest requests.
import { type AccountId, type Nanos, parseNanos, zeroNanos } from "@turnpike/base";
import { apiKeys, type Db, entries, ledgerTransactions, requests } from "@turnpike/db";
import { and, eq, exists, gt, isNull, sql } from "drizzle-orm";
import type { ReportBound } from "./bound-report.ts";
import { inScope, keysIn, matching, type ReportScope } from "./select-requests.ts";

export type Steps = {
  readonly funded: boolean;
  readonly hasKey: boolean;
  readonly hasRequest: boolean;
};

/** Which onboarding steps a new account, or a new member of it, has completed. */
export async function readSteps(db: Db, scope: ReportScope): Promise<Steps> {
  const anyEntry = db
    .select({ one: sql`1` })
    .from(entries)
    .where(and(eq(entries.accountId, scope.accountId), eq(entries.book, "account")));
  const anyKey = db
    .select({ one: sql`1` })
    .from(apiKeys)
    .where(and(keysIn(scope), isNull(apiKeys.revokedAt)));
  const anyRequest = db
    .select({ one: sql`1` })
    .from(requests)
    .where(and(matching(scope), eq(requests.outcome, "completed")));
  const rows = await db.execute<Steps>(sql`
    select ${exists(anyEntry)} as funded, ${exists(anyKey)} as "hasKey",
           ${exists(anyRequest)} as "hasRequest"`);
  const [steps] = rows;
  if (steps === undefined) throw new Error("the select returned no row");
  return steps;
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
export async function readStartOfDay(db: Db, timeZone: string, daysAgo: number): Promise<Date> {
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
};

/** Days and months of the reader's time zone. */
export async function readSpend(
  db: Db,
  scope: ReportScope,
  timeZone: string,
  bound?: Pick<ReportBound, "afterId">,
): Promise<SpendByPeriod> {
  const start = (unit: string, back = "0 days") =>
    sql`((date_trunc(${unit}, now() at time zone ${timeZone}) - ${back}::interval) at time zone ${timeZone})`;
  const [row] = await db.execute<{ today: string; month: string; last: string; count: number }>(sql`
    select coalesce(sum(charged_nanos) filter (where placed_at >= ${start("day")}), 0)::text as today,
           coalesce(sum(charged_nanos) filter (where placed_at >= ${start("month")}), 0)::text as month,
           coalesce(sum(charged_nanos) filter (where placed_at < ${start("month")}), 0)::text as last,
           (count(*) filter (where placed_at >= ${start("day")}))::int as count
      from requests
     where account_id = ${scope.accountId} and ${inScope(scope) ?? sql`true`} and placed_at >= ${start("month", "1 month")}
       and id >= uuid7_floor(${start("month", "1 month")} - interval '1 hour')
       ${bound === undefined ? sql`` : sql`and id > ${bound.afterId}`}`);
  if (row === undefined) throw new Error("the aggregate returned no row");
  return {
    todayNanos: parseNanos(row.today),
    monthNanos: parseNanos(row.month),
    lastMonthNanos: parseNanos(row.last),
    requestsToday: row.count,
  };
}
