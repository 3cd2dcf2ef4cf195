// What calls of all accounts brought in and cost, by day, model, provider, route or account: only for operators. Read from
// what is added up, whole days of it where they can be, and from `requests` what is not added up yet; how many calls there
// were does not matter.
import {
  type Db,
  usageBlocks,
  usageOfRequests,
  usageProgress,
  usageQuarterHours,
} from "@turnpike/db";
import { type Nanos, toNanos } from "@turnpike/terms";
import { type SQL, sql } from "drizzle-orm";
import { coverUsage, quarterHourMinutes } from "../cover-usage.ts";
import { parseSlots, percentileOf } from "../latency-counts.ts";
import { type Interval, within } from "../select-requests.ts";

export const moneyGroups = ["day", "model", "provider", "route", "account"] as const;
export type MoneyGroup = (typeof moneyGroups)[number];

/** By what the rows are ordered, the largest first; days are in order of time. */
export const moneyOrders = ["revenue", "cost", "shortfall", "calls", "free", "refused"] as const;
export type MoneyOrder = (typeof moneyOrders)[number];

export type MoneyRow = {
  /** A day in UTC, a model, a provider, both of a route, or the id of an account. */
  readonly name: string;
  readonly calls: number;
  readonly freeCalls: number;
  /** Refused by us, or the caller's mistake. */
  readonly refusedCalls: number;
  /** Failed at us or at a provider. */
  readonly failedCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly revenueNanos: Nanos;
  readonly shortfallNanos: Nanos;
  /** Calls with a price or a cost, and those of them whose cost is known: margin compares only these. */
  readonly costedCalls: number;
  readonly knownCalls: number;
  readonly knownRevenueNanos: Nanos;
  readonly costNanos: Nanos;
  /** Of completed calls; null for days and accounts, which have both slow models and quick ones. */
  readonly firstByteMs: { readonly p50: number | null; readonly p95: number | null } | null;
};

export type MoneyReport = {
  readonly rows: readonly MoneyRow[];
  /** Of everything in the range, whatever rows there are. */
  readonly total: MoneyRow;
  /** Since when calls are added up, if that is less than what was asked for. */
  readonly coveredFrom: Date | null;
};

export type MoneyQuery = Interval & {
  readonly by: MoneyGroup;
  readonly order: MoneyOrder;
  readonly limit: number;
};

const names: Readonly<Record<MoneyGroup, SQL>> = {
  day: sql`to_char(u.at at time zone 'utc', 'YYYY-MM-DD')`,
  model: sql`u.model`,
  provider: sql`u.provider`,
  route: sql`u.model || ' ' || u.provider`,
  account: sql`u.account_id::text`,
};

const orders: Readonly<Record<MoneyOrder, SQL>> = {
  revenue: sql`sum(u.charged_nanos) desc`,
  cost: sql`sum(u.operator_cost_nanos) desc`,
  shortfall: sql`sum(u.shortfall_nanos) desc`,
  calls: sql`sum(u.calls) desc`,
  free: sql`sum(u.free_calls) desc`,
  refused: sql`sum(u.calls) filter (where u.class = 'client_error') desc nulls last`,
};

const columns = sql.raw(
  `account_id, model, provider, class, calls, free_calls, charged_nanos, shortfall_nanos, prompt_tokens,
   completion_tokens, costed_calls, known_calls, known_charged_nanos, operator_cost_nanos, first_byte_ms_counts`,
);

const sums = sql`
  coalesce(sum(u.calls), 0)::float8 as calls, coalesce(sum(u.free_calls), 0)::float8 as "freeCalls",
  coalesce(sum(u.calls) filter (where u.class = 'client_error'), 0)::float8 as "refusedCalls",
  coalesce(sum(u.calls) filter (where u.class = 'server_error'), 0)::float8 as "failedCalls",
  coalesce(sum(u.prompt_tokens), 0)::float8 as "promptTokens",
  coalesce(sum(u.completion_tokens), 0)::float8 as "completionTokens",
  coalesce(sum(u.charged_nanos), 0)::text as revenue, coalesce(sum(u.shortfall_nanos), 0)::text as shortfall,
  coalesce(sum(u.costed_calls), 0)::float8 as "costedCalls",
  coalesce(sum(u.known_calls), 0)::float8 as "knownCalls",
  coalesce(sum(u.known_charged_nanos), 0)::text as "knownRevenue",
  coalesce(sum(u.operator_cost_nanos), 0)::text as cost`;

const withLatency: readonly MoneyGroup[] = ["model", "provider", "route"];

export async function queryMoney(db: Db, query: MoneyQuery): Promise<MoneyReport> {
  const { by, order, limit } = query;
  const { source, coveredFrom } = await planSource(db, query);
  const latency = withLatency.includes(by) ? sql`sum(u.first_byte_ms_counts)::text` : sql`null`;
  // The sum of everything comes first, in the same pass.
  const [total, ...rows] = await db.execute<SummedRow>(sql`
    select coalesce(${names[by]}, '') as name, grouping(${names[by]}) as "isTotal", ${sums}, ${latency} as latency
      from ${source} u group by grouping sets ((${names[by]}), ())
     order by 2 desc, ${by === "day" ? sql`1` : sql`${orders[order]}, 1`} limit ${limit + 1}`);
  if (total === undefined) throw new Error("a sum returned no row");
  const sum = parseRow({ ...total, latency: null });
  return { rows: rows.map(parseRow), total: sum, coveredFrom };
}

/** What is added up until then, and the calls since: a plan stays true while more is added up. */
async function planSource(db: Db, { from, to }: Interval) {
  const [progress] = await db
    .select({
      rolledTo: usageProgress.rolledTo,
      // Minus infinity is no date.
      rolledFrom: sql<Date | null>`nullif(${usageProgress.rolledFrom}, '-infinity')`.mapWith(
        usageProgress.rolledFrom,
      ),
    })
    .from(usageProgress);
  if (progress === undefined) throw new Error("usage_progress has no row");
  const { rolledFrom, rolledTo } = progress;
  const rolled = {
    from: new Date(Math.max(from.getTime(), rolledFrom?.getTime() ?? 0)),
    to: new Date(Math.min(to.getTime(), rolledTo.getTime())),
    except: [],
  };
  const tail = { from: new Date(Math.max(from.getTime(), rolledTo.getTime())), to };
  const parts = [...coverUsage(rolled, [])].flatMap(([minutes, spans]) => {
    const isQuarterHour = minutes === quarterHourMinutes;
    // A value in the text, for which the planner uses the index of whole days.
    const ofSize = isQuarterHour ? sql`true` : sql`minutes = ${sql.raw(String(minutes))}`;
    return spans.map(
      (
        span,
      ) => sql`select quarter as at, ${columns} from ${isQuarterHour ? usageQuarterHours : usageBlocks}
        where ${ofSize} and quarter >= ${new Date(span.from).toISOString()}::timestamptz
          and quarter < ${new Date(span.to).toISOString()}::timestamptz`,
    );
  });
  const raw = sql`select placed_at, ${columns} from ${usageOfRequests} where ${within(tail, usageOfRequests)}`;
  const source = sql`(${sql.join([...parts, raw], sql` union all `)})`;
  const isPartial = rolledFrom !== null && rolledFrom > from;
  return { source, coveredFrom: isPartial ? rolledFrom : null };
}

type SummedRow = Pick<
  MoneyRow,
  | "name"
  | "calls"
  | "freeCalls"
  | "refusedCalls"
  | "failedCalls"
  | "promptTokens"
  | "completionTokens"
  | "costedCalls"
  | "knownCalls"
> & {
  readonly revenue: string;
  readonly shortfall: string;
  readonly knownRevenue: string;
  readonly cost: string;
  readonly latency: string | null;
};

function parseRow({
  revenue,
  shortfall,
  knownRevenue,
  cost,
  latency,
  ...row
}: SummedRow): MoneyRow {
  const nanos = (text: string) => toNanos(BigInt(text));
  return {
    ...row,
    revenueNanos: nanos(revenue),
    shortfallNanos: nanos(shortfall),
    knownRevenueNanos: nanos(knownRevenue),
    costNanos: nanos(cost),
    firstByteMs:
      latency === null
        ? null
        : {
            p50: percentileOf(parseSlots(latency), 0.5),
            p95: percentileOf(parseSlots(latency), 0.95),
          },
  };
}
