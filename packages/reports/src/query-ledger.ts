// The ledger of an account as its owner reads it: every movement of money with the balance after it,
// usage with one line per key and hour, including the running hour. The amounts of all rows add up to
// the balance, to the nano-dollar and without delay.
import type { AccountId, ApiKeyId, TopUpId } from "@turnpike/base";
import { type Db, topUps } from "@turnpike/db";
import { type LedgerType, type Nanos, parseNanos } from "@turnpike/terms";
import { and, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import { type CountOf, countRequests } from "./count-requests.ts";

export type LedgerRow = {
  readonly id: string;
  /** When the movement happened; for a usage line, the end of its hour, which may be in the future. */
  readonly at: Date;
  /** The day in the reader's time zone; for usage from before leases, which has one line per day. */
  readonly day: string | null;
  /** Null for everything but the usage of one hour. */
  readonly usage: UsageLine | null;
  readonly type: LedgerType;
  readonly reason: string;
  readonly amountNanos: Nanos;
  readonly balanceAfterNanos: Nanos;
  /** Set for a top-up. */
  readonly topUpId: TopUpId | null;
  /** Set for a paid top-up whose processor issued a receipt. */
  readonly receiptUrl: string | null;
};

/** One key's requests of one hour. */
export type UsageLine = {
  /** Null for the playground. */
  readonly keyId: ApiKeyId | null;
  readonly keyName: string | null;
  /** When the hour begins. */
  readonly hour: Date;
  /** Every request of the hour that Logs shows: also free, refused and failed ones. */
  readonly calls: number;
  /** The hour is not over, or some of its calls are still running: the line may grow. */
  readonly open: boolean;
};

export type LedgerQuery = {
  readonly accountId: AccountId;
  readonly type?: LedgerType | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** IANA name: decides when a day begins. */
  readonly timeZone: string;
  readonly limit: number;
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
};

export type LedgerPage = { readonly rows: LedgerRow[]; readonly nextCursor: string | null };

const pendingMax = 20;

type Row = {
  id: string;
  at: string;
  day: string | null;
  type: LedgerType;
  reason: string;
  amount: string;
  balance_after: string;
  top_up_id: TopUpId | null;
  receipt_url: string | null;
  key_id: ApiKeyId | null;
  key_name: string | null;
  hour: string | null;
  calls: number;
  open: boolean;
};

/** Newest first. A cursor that this function did not return starts at the first page. */
export async function queryLedger(db: Db, query: LedgerQuery): Promise<LedgerPage> {
  const after = parseCursor(query.cursor);
  const rows = await db.execute<Row>(sql`
    with movements as (
      select t.kind as type, t.created_at as at, t.id, t.reason, t.idempotency_key,
             e.amount_nanos as amount,
             case when t.kind = 'usage'
                  then (t.created_at at time zone ${query.timeZone})::date end as day
        from entries e join ledger_transactions t on t.id = e.transaction_id
       where e.account_id = ${query.accountId} and e.book = 'account'
         and not (t.kind = 'usage' and starts_with(t.idempotency_key, 'lease:'))
    ), lines as (
      select id::text as id, at, at as started, day, type, reason, idempotency_key, amount,
             null::uuid as key_id, null::timestamptz as hour, 0 as calls, false as open
        from movements where type <> 'usage'
      union all
      select 'usage-' || day, max(at), min(at), day, 'usage', '', null, sum(amount)::bigint,
             null, null, 0, false
        from movements where type = 'usage' group by day
      union all
      select 'usage-' || coalesce(key_id::text, 'playground') || '-' || extract(epoch from hour)::bigint,
             hour + interval '1 hour', hour, null, 'usage', '', null, -sum(spent_nanos)::bigint,
             key_id, hour, sum(calls)::int,
             bool_or(closed_at is null) or hour + interval '1 hour' > now()
        from leases where account_id = ${query.accountId}
       group by key_id, hour having sum(spent_nanos) > 0
    ), balanced as (
      select lines.*, sum(amount) over (order by at, id) as balance_after from lines
    )
    select balanced.id, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
           day::text as day, type, reason, amount::text as amount,
           balance_after::text as balance_after,
           top_up.id as top_up_id, top_up.receipt_url as receipt_url,
           key_id, api_key.name as key_name, calls, open,
           to_char(hour at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as hour
      from balanced
      left join api_keys api_key on api_key.id = balanced.key_id
       and api_key.account_id = ${query.accountId}
      left join top_ups top_up on balanced.type = 'top_up'
       and top_up.account_id = ${query.accountId}
       and balanced.idempotency_key in
           ('sandbox:' || top_up.id, 'stripe:' || top_up.payment_intent_id)
     where (${query.type ?? null}::text is null or type = ${query.type ?? null})
       and (${iso(query.from)}::timestamptz is null or at > ${iso(query.from)}::timestamptz
            or (hour is null and at = ${iso(query.from)}::timestamptz))
       and (${iso(query.to)}::timestamptz is null or started < ${iso(query.to)}::timestamptz)
       and (${after?.at ?? null}::timestamptz is null
            or (at, balanced.id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::text))
     order by balanced.at desc, balanced.id desc
     limit ${query.limit + 1}`);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const countOf = await countRequests(db, query.accountId, page.flatMap(hourOf));
  return {
    rows: page.map((row) => parseRow(row, countOf)),
    nextCursor: rows.length > query.limit && last ? `${last.at}|${last.id}` : null,
  };
}

export type PendingTopUp = {
  readonly id: TopUpId;
  readonly amountNanos: Nanos;
  readonly createdAt: Date;
};

/** Top-ups that were started and may still be paid; not part of the ledger or the balance. Newest first. */
export async function queryPendingTopUps(
  db: Db,
  { accountId, type, from, to }: Pick<LedgerQuery, "accountId" | "type" | "from" | "to">,
): Promise<PendingTopUp[]> {
  if (type !== undefined && type !== "top_up") return [];
  return db
    .select({ id: topUps.id, amountNanos: topUps.amountNanos, createdAt: topUps.createdAt })
    .from(topUps)
    .where(
      and(
        eq(topUps.accountId, accountId),
        inArray(topUps.state, ["pending", "processing", "quarantined"]),
        from === undefined ? undefined : gte(topUps.createdAt, from),
        to === undefined ? undefined : lt(topUps.createdAt, to),
      ),
    )
    .orderBy(desc(topUps.createdAt))
    .limit(pendingMax);
}

function hourOf({ key_id: keyId, hour }: Row) {
  return hour === null ? [] : [{ keyId, hour: new Date(hour) }];
}

function parseRow(row: Row, countOf: CountOf): LedgerRow {
  return {
    id: row.id,
    at: new Date(row.at),
    day: row.day,
    usage: row.hour === null ? null : toUsageLine(row, new Date(row.hour), countOf),
    type: row.type,
    reason: row.reason,
    amountNanos: parseNanos(row.amount),
    balanceAfterNanos: parseNanos(row.balance_after),
    topUpId: row.top_up_id,
    receiptUrl: row.receipt_url,
  };
}

function toUsageLine(row: Row, hour: Date, countOf: CountOf): UsageLine {
  const { key_id: keyId, key_name: keyName, open } = row;
  return { keyId, keyName, hour, calls: countOf({ keyId, hour }) ?? row.calls, open };
}

function iso(at: Date | undefined): string | null {
  return at?.toISOString() ?? null;
}

function parseCursor(cursor: string | undefined): { at: string; id: string } | undefined {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)\|([a-z0-9-]+)$/.exec(cursor ?? "") ?? [];
  return at !== undefined && id !== undefined ? { at, id } : undefined;
}
