// The checks of money that moves by top-ups, refunds, disputes and adjustments, for all accounts or for
// some of them.
import { type SQL, sql } from "drizzle-orm";

/** `among` turns a column with an account id into the condition that the account is checked. */
export function movementChecks(among: (accountId: SQL) => SQL): readonly SQL[] {
  return [
    sql`select 'what was put in is not the sum of its entries' as "check", a.id::text as key
        from accounts a
       where ${among(sql`a.id`)}
         and a.credited_nanos <> coalesce((select sum(e.amount_nanos) from entries e
               join ledger_transactions t on t.id = e.transaction_id and t.kind <> 'usage'
              where e.account_id = a.id and e.book = 'account'), 0)`,
    sql`select 'a movement names no order', x.idempotency_key
        from ledger_transactions x
        join entries e on e.transaction_id = x.id and e.book = 'account'
       where ${among(sql`e.account_id`)} and case x.kind
           when 'top_up' then x.idempotency_key !~ '^(stripe|sandbox):' or e.amount_nanos <= 0
           when 'refund' then x.idempotency_key !~ '^refund:[0-9a-f-]{36}:[0-9]+$'
           when 'dispute' then x.idempotency_key !~ '^dispute:[0-9a-f-]{36}:[0-9]+$' end`,
    sql`select 'a movement is in the wrong book', x.id::text
        from ledger_transactions x
        join entries e on e.transaction_id = x.id and e.book = 'account'
        join entries h on h.transaction_id = x.id and h.book <> 'account'
       where ${among(sql`e.account_id`)} and (x.kind, h.book) not in (
           ('top_up', 'stripe_clearing'), ('refund', 'refunds'), ('dispute', 'disputes'),
           ('adjustment', 'adjustments'), ('usage', 'usage_revenue'), ('usage', 'shortfall'))`,
    sql`select 'a top-up credits something else than its order', id::text from top_ups
       where ${among(sql`account_id`)}
         and (credited_nanos not in (0, amount_nanos) or (state = 'paid') <> (credited_nanos > 0))`,
    sql`select 'a credited top-up names no payment', id::text from top_ups
       where ${among(sql`account_id`)} and credited_nanos <> 0 and processor = 'stripe'
         and (checkout_session_id is null or payment_intent_id is null)`,
    sql`select 'a sandbox payment where these are refused', x.idempotency_key
        from ledger_transactions x
        join entries e on e.transaction_id = x.id and e.book = 'account'
       where ${among(sql`e.account_id`)} and x.kind = 'top_up' and x.idempotency_key ~ '^sandbox:'
         and x.created_at >= (select sandbox_refused_since from schema_state)`,
    sql`select 'a top-up is not its credit', coalesce(t.id::text, l.key) from
        (select id, account_id, credited_nanos, case processor
            when 'sandbox' then 'sandbox:' || id else 'stripe:' || payment_intent_id end as key
          from top_ups where credited_nanos <> 0 and ${among(sql`account_id`)}) t
        full join (select x.idempotency_key as key, e.account_id, e.amount_nanos
          from ledger_transactions x
          join entries e on e.transaction_id = x.id and e.book = 'account'
         where x.kind = 'top_up' and x.idempotency_key ~ '^(stripe|sandbox):'
           and ${among(sql`e.account_id`)}) l
          on l.key = t.key and l.account_id = t.account_id
       where t.credited_nanos is distinct from l.amount_nanos`,
    sql`select 'what is reversed of a top-up is not its entries', coalesce(t.id, l.id) from
        (select id::text, reversed_nanos - disputed_nanos as refunded, disputed_nanos as disputed
          from top_ups where credited_nanos <> 0 and ${among(sql`account_id`)}) t
        full join (select split_part(x.idempotency_key, ':', 2) as id,
            -coalesce(sum(e.amount_nanos) filter (where x.kind = 'refund'), 0) as refunded,
            -coalesce(sum(e.amount_nanos) filter (where x.kind = 'dispute'), 0) as disputed
          from ledger_transactions x
          join entries e on e.transaction_id = x.id and e.book = 'account'
         where x.idempotency_key ~ '^(refund|dispute):[0-9a-f-]{36}:[0-9]+$'
           and ${among(sql`e.account_id`)}
         group by 1) l on l.id = t.id
       where (coalesce(t.refunded, 0), coalesce(t.disputed, 0))
          <> (coalesce(l.refunded, 0), coalesce(l.disputed, 0))`,
  ];
}
