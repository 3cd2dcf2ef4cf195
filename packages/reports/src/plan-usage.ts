// Where the usage of a range of time is read: what is added up already from `usage_quarter_hours`, the rest from
// `requests`. The parts do not overlap, so every sum is that of all calls of the range. A plan stays true while later
// calls arrive and are added up: what it reads from `requests` remains there.
import type { AccountId } from "@turnpike/base";
import { type Db, requests } from "@turnpike/db";
import { and, desc, eq, sql } from "drizzle-orm";
import { type Interval, within } from "./select-requests.ts";

export type UsagePlan = {
  /** Undefined where everything is read from `requests`, call by call. */
  readonly rolled: (Interval & { readonly except: readonly Date[] }) | undefined;
  readonly raw: readonly Interval[];
  /** Since when calls are added up, if that is less than what was asked for. */
  readonly coveredFrom: Date | null;
  /** Everything is read from `requests`, however many calls those are. */
  readonly isOfCalls?: true;
};

export type UsageRange = Interval & { readonly accountId: AccountId };
export type Planned<Query> = Query & { readonly plan: UsagePlan };

export type PlanLimits = {
  /** A range with at most so many calls is read call by call: its percentiles are exact. */
  readonly exactCalls: number;
  /** Of calls that are not added up yet after an upgrade, so many are read. */
  readonly unrolledCalls: number;
};

const defaultLimits: PlanLimits = { exactCalls: 10_000, unrolledCalls: 100_000 };
const quarterHourMs = 900_000;
const changedMax = 50;

type Progress = {
  readonly from: number;
  readonly to: number;
  readonly sealed: number;
  readonly calls: number;
  readonly changed: readonly number[];
};

/** The query with its plan, for as many reads as a page needs; its range shrinks to what is covered. */
export async function planUsage<Query extends UsageRange>(
  db: Db,
  query: Query,
  limits: Partial<PlanLimits> = {},
): Promise<Planned<Query>> {
  const { exactCalls, unrolledCalls } = { ...defaultLimits, ...limits };
  const progress = await queryProgress(db, query, exactCalls);
  const rolled = findRolled(query, progress, exactCalls);
  const unrolled = { ...query, to: rolled?.from ?? query.to };
  const isUnrolled = query.from.getTime() < progress.from;
  const beyond = isUnrolled ? await findBeyond(db, unrolled, unrolledCalls) : undefined;
  const from = beyond === undefined ? query.from : new Date(beyond.getTime() + 1);
  const raw = findRaw({ ...query, from }, rolled);
  return { ...query, from, plan: { rolled, raw, coveredFrom: beyond ?? null } };
}

/** For what only single calls say: they are read one by one, as far back as they are kept. */
export async function planCalls<Query extends UsageRange>(
  db: Db,
  query: Query,
): Promise<Planned<Query>> {
  const [row] = await db.execute<{ sealed: number }>(
    sql`select (extract(epoch from sealed_before) * 1000)::float8 as sealed from usage_progress`,
  );
  const isWhole = row === undefined || row.sealed <= query.from.getTime();
  const from = isWhole ? query.from : new Date(Math.min(row.sealed, query.to.getTime()));
  const raw = findRaw({ ...query, from }, undefined).filter((part) => part.from < part.to);
  const coveredFrom = isWhole ? null : from;
  return { ...query, from, plan: { rolled: undefined, raw, coveredFrom, isOfCalls: true } };
}

/** The query with its plan, unless it has one. */
export async function withPlan<Query extends UsageRange>(
  db: Db,
  query: Query | Planned<Query>,
): Promise<Planned<Query>> {
  return "plan" in query ? query : planUsage(db, query);
}

async function queryProgress(db: Db, range: UsageRange, exactCalls: number): Promise<Progress> {
  const ms = (instant: unknown) => sql`(extract(epoch from ${instant}) * 1000)::float8`;
  const within = sql`account_id = ${range.accountId} and quarter < ${range.to.toISOString()}::timestamptz
    and quarter > ${new Date(range.from.getTime() - quarterHourMs).toISOString()}::timestamptz`;
  const [row] = await db.execute<Progress>(sql`
    select ${ms(sql`rolled_from`)} as "from", ${ms(sql`rolled_to`)} as "to", ${ms(sql`sealed_before`)} as sealed,
           (select coalesce(sum(calls), 0)::float8 from (
              select calls from usage_quarter_hours where ${within} limit ${exactCalls + 1}) few) as calls,
           (select coalesce(json_agg(at order by at), '[]') from (
              select distinct ${ms(sql`quarter`)} as at from usage_changes where ${within}) c) as changed
      from usage_progress`);
  if (row === undefined) throw new Error("usage_progress has no row");
  return row;
}

function findRolled(
  range: UsageRange,
  progress: Progress,
  exactCalls: number,
): UsagePlan["rolled"] {
  const isSealed = range.from.getTime() < progress.sealed;
  if (progress.calls <= exactCalls && !isSealed) return undefined;
  const floor = (at: number) => Math.floor(at / quarterHourMs) * quarterHourMs;
  const ceil = (at: number) => Math.ceil(at / quarterHourMs) * quarterHourMs;
  const { from, to } = { from: range.from.getTime(), to: range.to.getTime() };
  // Of a quarter whose calls may be deleted there is the whole or nothing.
  const start = Math.max(isSealed ? floor(from) : ceil(from), progress.from);
  const end = Math.min(to < progress.sealed ? ceil(to) : floor(to), progress.to);
  if (start >= end) return undefined;
  const except = progress.changed.filter(
    (at) => at >= Math.max(start, progress.sealed) && at < end,
  );
  // Many such quarters are read as one range: everything from the first of them on.
  const isFew = except.length <= changedMax;
  const until = isFew ? end : (except[0] ?? end);
  if (start === until) return undefined;
  const skipped = isFew ? except.map((at) => new Date(at)) : [];
  return { from: new Date(start), to: new Date(until), except: skipped };
}

function findRaw({ from, to }: Interval, rolled: UsagePlan["rolled"]): Interval[] {
  if (rolled === undefined) return [{ from, to }];
  const changed = rolled.except.map((at) => ({
    from: at,
    to: new Date(at.getTime() + quarterHourMs),
  }));
  const intervals = [{ from, to: rolled.from }, ...changed, { from: rolled.to, to }];
  return intervals.filter((interval) => interval.from < interval.to);
}

/** When the newest call was placed that is not read any more. */
async function findBeyond(db: Db, range: UsageRange, rowsMax: number): Promise<Date | undefined> {
  const [beyond] = await db
    .select({ placedAt: requests.placedAt })
    .from(requests)
    .where(and(eq(requests.accountId, range.accountId), within(range, requests)))
    .orderBy(desc(requests.id))
    .offset(rowsMax)
    .limit(1);
  return beyond?.placedAt;
}
