// The ledger of an account as its owner reads it: every movement of money with the balance after
// it, usage summed per day. The amounts of all rows add up to the balance.
import { type AccountId, type Nanos, parseNanos, type TopUpId } from "@turnpike/base";
import { type Db, topUps } from "@turnpike/db";
import { and, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";

export const ledgerTypes = ["top_up", "usage", "refund", "dispute", "adjustment"] as const;
export type LedgerType = (typeof ledgerTypes)[number];

export type LedgerRow = {
  readonly id: string;
  /** Of the movement; for a day of usage, of its last one. */
  readonly at: Date;
  /** The day in the reader's time zone, for usage. */
  readonly day: string | null;
  readonly type: LedgerType;
  readonly reason: string;
  readonly amountNanos: Nanos;
  readonly balanceAfterNanos: Nanos;
  /** Of a top-up. */
  readonly topUpId: TopUpId | null;
  /** Of a paid top-up whose processor made one. */
  readonly receiptUrl: string | null;
};

export type LedgerQuery = {
  readonly accountId: AccountId;
  readonly type?: LedgerType | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** IANA name: where a day begins. */
  readonly timeZone: string;
  readonly limit: number;
  /** `nextCursor` of the page before. */
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
};

/** Newest first. A cursor it did not make is as none. */
export async function readLedger(db: Db, query: LedgerQuery): Promise<LedgerPage> {
  const after = parseCursor(query.cursor);
  const rows = await db.execute<Row>(sql`
    with movements as (
      select t.kind as type, t.created_at as at, t.id, t.reason, t.idempotency_key,
             e.amount_nanos as amount,
             case when t.kind = 'usage'
                  then (t.created_at at time zone ${query.timeZone})::date end as day
        from entries e join ledger_transactions t on t.id = e.transaction_id
       where e.account_id = ${query.accountId} and e.book = 'account'
    ), lines as (
      select id::text as id, at, day, type, reason, idempotency_key, amount from movements where type <> 'usage'
      union all
      select 'usage-' || day, max(at), day, 'usage', '', null, sum(amount)::bigint
        from movements where type = 'usage' group by day
    ), balanced as (
      select id, at, day, type, reason, idempotency_key, amount,
             sum(amount) over (order by at, id) as balance_after from lines
    )
    select balanced.id, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
           day::text as day, type, reason, amount::text as amount,
           balance_after::text as balance_after,
           top_up.id as top_up_id, top_up.receipt_url as receipt_url
      from balanced
      left join top_ups top_up on balanced.type = 'top_up'
       and top_up.account_id = ${query.accountId}
       and balanced.idempotency_key in
           ('sandbox:' || top_up.id, 'stripe:' || top_up.payment_intent_id)
     where (${query.type ?? null}::text is null or type = ${query.type ?? null})
       and (${iso(query.from)}::timestamptz is null or at >= ${iso(query.from)}::timestamptz)
       and (${iso(query.to)}::timestamptz is null or at < ${iso(query.to)}::timestamptz)
       and (${after?.at ?? null}::timestamptz is null
            or (at, balanced.id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::text))
     order by balanced.at desc, balanced.id desc
     limit ${query.limit + 1}`);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    rows: page.map(readRow),
    nextCursor: rows.length > query.limit && last ? `${last.at}|${last.id}` : null,
  };
}

export type PendingTopUp = {
  readonly id: TopUpId;
  readonly amountNanos: Nanos;
  readonly createdAt: Date;
};

/** What was begun and may yet become money; no ledger and no balance knows it. Newest first. */
export async function readPendingTopUps(
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

function readRow(row: Row): LedgerRow {
  return {
    id: row.id,
    at: new Date(row.at),
    day: row.day,
    type: row.type,
    reason: row.reason,
    amountNanos: parseNanos(row.amount),
    balanceAfterNanos: parseNanos(row.balance_after),
    topUpId: row.top_up_id,
    receiptUrl: row.receipt_url,
  };
}

function iso(at: Date | undefined): string | null {
  return at?.toISOString() ?? null;
}

function parseCursor(cursor: string | undefined): { at: string; id: string } | undefined {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)\|([a-z0-9-]+)$/.exec(cursor ?? "") ?? [];
  return at !== undefined && id !== undefined ? { at, id } : undefined;
}
