// What was paid in and used in one calendar month (UTC), from the books alone: what was left before, plus every line,
// is what is left after it. Only a month in which nothing can be posted any more has a statement, so that it stays the same.
import { type AccountId, type ApiKeyId, Fault } from "@turnpike/base";
import { accounts, type Db } from "@turnpike/db";
import { type LedgerType, type Nanos, parseNanos, toNanos } from "@turnpike/terms";
import { eq, sql } from "drizzle-orm";
import { queryUsageBreakdown } from "./query-usage.ts";

/** A top-up, refund, dispute or adjustment. */
export type StatementPayment = {
  readonly at: Date;
  readonly type: Exclude<LedgerType, "usage">;
  readonly reason: string;
  /** Below zero for what was taken back. */
  readonly amountNanos: Nanos;
};

/** What the requests of one key cost in the month, and how many Usage shows. */
export type StatementUsage = {
  /** `earlier`: from before usage was posted by key. */
  readonly source: "key" | "playground" | "earlier";
  readonly keyId: ApiKeyId | null;
  readonly keyName: string | null;
  readonly calls: number;
  readonly costNanos: Nanos;
};

export type Statement = {
  /** `2026-10`. */
  readonly month: string;
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly openingNanos: Nanos;
  readonly payments: readonly StatementPayment[];
  readonly paidNanos: Nanos;
  readonly usage: readonly StatementUsage[];
  readonly usedNanos: Nanos;
  readonly closingNanos: Nanos;
};

/** A movement is dated by the beginning of its transaction, and a call by that of its lease: both end by then. */
const settledAfterMs = 3_600_000;

type Line = {
  part: "opening" | "payment" | "usage" | "earlier";
  at: string | null;
  type: Exclude<LedgerType, "usage"> | null;
  reason: string | null;
  key_id: ApiKeyId | null;
  key_name: string | null;
  calls: number;
  amount: string;
  running: boolean;
};

/** The months that have a statement, the newest first. */
export async function listStatementMonths(
  db: Db,
  accountId: AccountId,
  now = new Date(),
): Promise<string[]> {
  const [account] = await db
    .select({ createdAt: accounts.createdAt })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (account === undefined) return [];
  const months: string[] = [];
  let from = startOfMonth(account.createdAt);
  while (endOfMonth(from).getTime() + settledAfterMs <= now.getTime()) {
    months.unshift(monthOf(from));
    from = endOfMonth(from);
  }
  return months;
}

/** Throws `invalid_value` for a month that is not over, and `conflict` while calls of it are being settled. */
export async function queryStatement(
  db: Db,
  { accountId, month }: { readonly accountId: AccountId; readonly month: string },
  now = new Date(),
): Promise<Statement> {
  const from = new Date(`${month}-01T00:00:00Z`);
  const to = endOfMonth(from);
  if (to.getTime() + settledAfterMs > now.getTime()) {
    throw new Fault("invalid_value", "This month has no statement yet.", { param: "month" });
  }
  const lines = await queryLines(db, accountId, from, to);
  if (lines.some((line) => line.running)) {
    throw new Fault("conflict", "Calls of this month are still being settled. Try again soon.");
  }
  const openingNanos = sumOf(lines.filter(({ part }) => part === "opening"));
  const payments = lines.flatMap(parsePayment);
  const usage = await countUsage(db, { accountId, from, to }, lines.flatMap(parseUsage));
  const paidNanos = toNanos(payments.reduce((sum, line) => sum + line.amountNanos, 0n));
  const usedNanos = toNanos(usage.reduce((sum, line) => sum + line.costNanos, 0n));
  const closingNanos = toNanos(openingNanos + paidNanos - usedNanos);
  return { month, from, to, openingNanos, payments, paidNanos, usage, usedNanos, closingNanos };
}

/** One statement, and so one snapshot. */
function queryLines(db: Db, accountId: AccountId, from: Date, to: Date): Promise<Line[]> {
  const [start, end] = [from.toISOString(), to.toISOString()];
  return db.execute<Line>(sql`
    with movements as (
      select t.kind as type, t.created_at as at, t.id, t.reason, e.amount_nanos as amount
        from entries e join ledger_transactions t on t.id = e.transaction_id
       where e.account_id = ${accountId} and e.book = 'account' and t.created_at < ${end}::timestamptz
         and not (t.kind = 'usage' and starts_with(t.idempotency_key, 'lease:'))
    ), hours as (
      select key_id, hour, spent_nanos, calls, closed_at is null as running
        from leases where account_id = ${accountId} and hour < ${end}::timestamptz
    ), used as (
      select 'usage' as part, key_id, sum(spent_nanos) as amount, sum(calls)::int as calls, bool_or(running) as running
        from hours where hour >= ${start}::timestamptz group by key_id
      union all
      select 'earlier', null, -sum(amount), count(*)::int, false
        from movements where type = 'usage' and at >= ${start}::timestamptz having count(*) > 0
    ), lines as (
      select 1 as position, 'opening' as part, null::timestamptz as at, null::uuid as id, null as type,
             null as reason, null::uuid as key_id, 0 as calls,
             coalesce((select sum(amount) from movements where at < ${start}::timestamptz), 0)
               - coalesce((select sum(spent_nanos) from hours where hour < ${start}::timestamptz), 0) as amount,
             coalesce((select bool_or(running) from hours where hour < ${start}::timestamptz), false) as running
      union all
      select 2, 'payment', at, id, type, reason, null, 0, amount, false
        from movements where type <> 'usage' and at >= ${start}::timestamptz
      union all
      select 3, part, null, null, null, null, key_id, calls, amount, running
        from used where amount > 0 or running
    )
    select part, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, type, reason,
           lines.key_id, api_key.name as key_name, calls, amount::text as amount, running
      from lines
      left join api_keys api_key on api_key.id = lines.key_id and api_key.account_id = ${accountId}
     order by position, lines.at, lines.id, amount desc, lines.key_id`);
}

function parsePayment({ part, at, type, reason, amount }: Line): StatementPayment[] {
  if (part !== "payment" || at === null || type === null) return [];
  return [{ at: new Date(at), type, reason: reason ?? "", amountNanos: parseNanos(amount) }];
}

function parseUsage({ part, key_id, key_name, calls, amount }: Line): StatementUsage[] {
  if (part !== "usage" && part !== "earlier") return [];
  const source = sourceOf(part, key_id);
  return [{ source, keyId: key_id, keyName: key_name, calls, costNanos: parseNanos(amount) }];
}

/** Usage from before it was posted by key has no lines of its own to count. */
async function countUsage(
  db: Db,
  range: { readonly accountId: AccountId; readonly from: Date; readonly to: Date },
  lines: readonly StatementUsage[],
): Promise<readonly StatementUsage[]> {
  if (lines.length === 0 || lines.some(({ source }) => source === "earlier")) return lines;
  const keys = await queryUsageBreakdown(db, range, "key");
  const counts = new Map(keys.map(({ id, requests }) => [id, requests]));
  return lines.map((line) => ({
    ...line,
    calls: counts.get(line.keyId ?? "playground") ?? line.calls,
  }));
}

function sumOf(lines: readonly Line[]): Nanos {
  return toNanos(lines.reduce((sum, { amount }) => sum + parseNanos(amount), 0n));
}

function startOfMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));
}

function endOfMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1));
}

function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}

function sourceOf(part: "usage" | "earlier", keyId: ApiKeyId | null): StatementUsage["source"] {
  if (part === "earlier") return part;
  return keyId === null ? "playground" : "key";
}
