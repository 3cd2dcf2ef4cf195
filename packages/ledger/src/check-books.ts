// The checker: every row it returns is a broken promise about money. Read-only, in one snapshot;
// it runs after every test that touches money and on a schedule in production.
import type { Db } from "@turnpike/db";
import { type SQL, sql } from "drizzle-orm";

export type Violation = { readonly check: string; readonly key: string };

const checks: readonly SQL[] = [
  sql`select 'a transaction does not sum to zero' as "check", transaction_id::text as key
        from entries group by transaction_id having sum(amount_nanos) <> 0`,
  sql`select 'a balance is not the sum of its entries', a.id::text from accounts a
       where a.balance_nanos <> coalesce((select sum(e.amount_nanos) from entries e
             where e.account_id = a.id and e.book = 'account'), 0)`,
  sql`select 'what was put in is not the sum of its entries', a.id::text from accounts a
       where a.credited_nanos <> coalesce((select sum(e.amount_nanos) from entries e
             join ledger_transactions t on t.id = e.transaction_id and t.kind <> 'usage'
             where e.account_id = a.id and e.book = 'account'), 0)`,
  sql`select 'held is not the sum of the open holds', a.id::text from accounts a
       where a.held_nanos <> coalesce((select sum(r.held_nanos) from requests r
             where r.account_id = a.id and r.state = 'open'), 0)`,
  sql`select 'an account is overdrawn and not frozen', id::text from accounts
       where balance_nanos - held_nanos < 0 and frozen_at is null`,
  sql`select 'entries of an account that does not exist', e.account_id::text from entries e
       where e.book = 'account' and not exists (select 1 from accounts a where a.id = e.account_id)`,
  sql`select 'a charge exceeds its hold', id::text from requests
       where charged_nanos > held_nanos
         and (state = 'late_settled' and ended_at < late_charges_capped_since()) is not true`,
  sql`select 'money on a request that moved none', id::text from requests
       where state in ('open', 'released', 'expired', 'refused') and cost_nanos <> 0`,
  sql`select 'a charge without its ledger transaction', id::text from requests
       where cost_nanos > 0 and transaction_id is null`,
  sql`select 'a usage entry is not the sum of its requests', coalesce(e.transaction_id, r.transaction_id)::text
        from (select x.account_id, x.transaction_id, -x.amount_nanos as charged from entries x
                join ledger_transactions t on t.id = x.transaction_id and t.kind = 'usage'
               where x.book = 'account') e
        full join (select account_id, transaction_id, sum(charged_nanos) as charged from requests
               where charged_nanos > 0 group by account_id, transaction_id) r
          on r.account_id = e.account_id and r.transaction_id = e.transaction_id
       where e.charged is distinct from r.charged`,
  sql`select 'shortfall entries are not the sum of the requests', 'all' where
        (select coalesce(-sum(amount_nanos), 0) from entries where book = 'shortfall')
        <> (select coalesce(sum(shortfall_nanos), 0) from requests)`,
  sql`select 'counters of a key are not its requests', k.id::text from api_keys k
        left join (select x.id,
            sum(charged_nanos) as total_spent,
            sum(held) as total_held,
            sum(charged_nanos) filter (where day = x.day_start) as day_spent,
            sum(held) filter (where day = x.day_start) as day_held,
            sum(charged_nanos) filter (where week = x.week_start) as week_spent,
            sum(held) filter (where week = x.week_start) as week_held,
            sum(charged_nanos) filter (where month = x.month_start) as month_spent,
            sum(held) filter (where month = x.month_start) as month_held
          from (select account_id, key_id, charged_nanos,
                  case when state = 'open' then held_nanos else 0 end as held,
                  (placed_at at time zone 'utc')::date as day,
                  date_trunc('week', placed_at at time zone 'utc')::date as week,
                  date_trunc('month', placed_at at time zone 'utc')::date as month
                from requests where state <> 'refused') r
          join api_keys x on x.account_id = r.account_id and x.id = r.key_id
          group by x.id) r on r.id = k.id
       where (k.total_spent_nanos, k.total_held_nanos, k.day_spent_nanos, k.day_held_nanos,
              k.week_spent_nanos, k.week_held_nanos, k.month_spent_nanos, k.month_held_nanos)
          <> (coalesce(r.total_spent, 0), coalesce(r.total_held, 0), coalesce(r.day_spent, 0),
              coalesce(r.day_held, 0), coalesce(r.week_spent, 0), coalesce(r.week_held, 0),
              coalesce(r.month_spent, 0), coalesce(r.month_held, 0))`,
  sql`select 'a top-up credits something else than its order', id::text from top_ups
       where credited_nanos not in (0, amount_nanos) or (state = 'paid') <> (credited_nanos > 0)`,
  sql`select 'a top-up is not its credit', coalesce(t.id::text, l.key) from
        (select id, account_id, credited_nanos, case processor
            when 'sandbox' then 'sandbox:' || id else 'stripe:' || payment_intent_id end as key
          from top_ups where credited_nanos <> 0) t
        full join (select x.idempotency_key as key, e.account_id, e.amount_nanos
          from ledger_transactions x
          join entries e on e.transaction_id = x.id and e.book = 'account'
         where x.kind = 'top_up' and x.idempotency_key ~ '^(stripe|sandbox):') l
          on l.key = t.key and l.account_id = t.account_id
       where t.credited_nanos is distinct from l.amount_nanos`,
  sql`select 'what is reversed of a top-up is not its entries', coalesce(t.id, l.id) from
        (select id::text, reversed_nanos - disputed_nanos as refunded, disputed_nanos as disputed
          from top_ups where credited_nanos <> 0) t
        full join (select split_part(x.idempotency_key, ':', 2) as id,
            -coalesce(sum(e.amount_nanos) filter (where x.kind = 'refund'), 0) as refunded,
            -coalesce(sum(e.amount_nanos) filter (where x.kind = 'dispute'), 0) as disputed
          from ledger_transactions x
          join entries e on e.transaction_id = x.id and e.book = 'account'
         where x.idempotency_key ~ '^(refund|dispute):[0-9a-f-]{36}:[0-9]+$'
         group by 1) l on l.id = t.id
       where (coalesce(t.refunded, 0), coalesce(t.disputed, 0))
          <> (coalesce(l.refunded, 0), coalesce(l.disputed, 0))`,
  sql`select 'a hold is open past its bound', id::text from requests
       where state = 'open' and expires_at < now() - interval '60 seconds'`,
];

/** Empty when the books are right. Reads every request: minutes of work on years of them. */
export async function checkBooks(db: Db): Promise<Violation[]> {
  return db.transaction(
    async (transaction) => {
      await transaction.execute(sql`set local statement_timeout = '10min'`);
      const rows = await transaction.execute<Violation>(sql.join([...checks], sql` union all `));
      return rows.map((row) => ({ check: row.check, key: row.key }));
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}
