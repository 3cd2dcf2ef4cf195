// The full checker: every row it returns is a broken promise about money. Read-only, in one snapshot. It
// runs after every test that touches money and as the operator's command; `check-recent-books.ts` is
// what the server runs on a schedule.
import type { Db } from "@turnpike/db";
import { type SQL, sql } from "drizzle-orm";
import { atRest } from "./at-rest.ts";
import { movementChecks } from "./movement-checks.ts";
import { openLeaseChecks } from "./open-lease-checks.ts";
import { blockCheck, usageChecks } from "./usage-checks.ts";

export type Violation = { readonly check: string; readonly key: string };

/** Leases of earlier hours may have paid for calls whose rows were dropped. */
const leasesSince = sql`(select sealed_before + interval '7 days' from usage_progress)`;

const checks: readonly SQL[] = [
  sql`select 'a transaction does not sum to zero' as "check", transaction_id::text as key
        from entries group by transaction_id having sum(amount_nanos) <> 0`,
  sql`select 'a balance is not the sum of its entries', a.id::text from accounts a
       where a.balance_nanos <> coalesce((select sum(e.amount_nanos) from entries e
             where e.account_id = a.id and e.book = 'account'), 0)`,
  sql`select 'held is not the sum of the open leases', a.id::text from accounts a
       where a.held_nanos <> coalesce((select sum(l.granted_nanos) from leases l
             where l.account_id = a.id and l.closed_at is null), 0)`,
  sql`select 'an account is overdrawn and not frozen', id::text from accounts
       where balance_nanos + credit_limit_nanos - held_nanos < 0 and frozen_at is null`,
  sql`select 'entries of an account that does not exist', e.account_id::text from entries e
       where e.book = 'account' and not exists (select 1 from accounts a where a.id = e.account_id)`,
  sql`select 'a charge exceeds its hold', id::text from requests
       where charged_nanos > held_nanos
         and (state = 'late_settled' and ended_at < late_charges_capped_since()) is not true`,
  sql`select 'money on a request that moved none', id::text from requests
       where state in ('released', 'expired', 'refused') and cost_nanos <> 0`,
  sql`select 'a charge without its lease or its ledger transaction', id::text from requests
       where cost_nanos > 0 and lease_id is null and transaction_id is null`,
  sql`select 'a settled request without its lease', id::text from requests
       where state in ('settled', 'late_settled') and lease_id is null and transaction_id is null
         and ended_at >= leases_since()`,
  sql`select 'a lease is not the sum of its requests', coalesce(l.id, r.lease_id)::text
        from leases l
        full join (select account_id, lease_id, sum(charged_nanos) as spent,
                          sum(shortfall_nanos) as shortfall, count(*) as calls,
                          max(ended_at) as last_at
                     from requests where lease_id is not null group by account_id, lease_id) r
          on r.account_id = l.account_id and r.lease_id = l.id
       where ${atRest(sql`case when l.id is null then r.last_at else l.closed_at end`)}
         and (l.spent_nanos, l.shortfall_nanos, l.calls)
             is distinct from (coalesce(r.spent, 0), coalesce(r.shortfall, 0), coalesce(r.calls, 0))
         and (l.hour >= ${leasesSince}) is not false`,
  // Each of them was compared before requests of its time were dropped.
  sql`select 'leases of retired months are not the sum of their requests', 'all'
        from (select coalesce(sum(spent_nanos), 0) as spent, coalesce(sum(shortfall_nanos), 0) as shortfall,
                     coalesce(sum(calls), 0) as calls from leases where hour < ${leasesSince}) l
       cross join (select coalesce(sum(charged_nanos), 0) as spent, coalesce(sum(shortfall_nanos), 0) as shortfall,
                          coalesce(sum(leased_calls), 0) as calls from retired_requests) x
       cross join (select coalesce(sum(q.charged_nanos), 0) as spent,
                          coalesce(sum(q.shortfall_nanos), 0) as shortfall, count(*) as calls
                     from requests q join leases p on p.account_id = q.account_id and p.id = q.lease_id
                    where p.hour < ${leasesSince}) r
       where (l.spent, l.shortfall, l.calls)
             <> (x.spent + r.spent, x.shortfall + r.shortfall, x.calls + r.calls)`,
  sql`select 'a closed lease is not its ledger transaction', l.id::text
        from leases l
        left join entries c on c.transaction_id = l.transaction_id and c.account_id = l.account_id
         and c.book = 'account'
        left join entries s on s.transaction_id = l.transaction_id and s.book = 'shortfall'
       where l.closed_at is not null
         and (l.granted_nanos <> l.spent_nanos or coalesce(-c.amount_nanos, 0) <> l.spent_nanos
              or coalesce(-s.amount_nanos, 0) <> l.shortfall_nanos)`,
  sql`select 'an open lease was posted', id::text from leases
       where closed_at is null and transaction_id is not null`,
  sql`select 'a usage entry is not the sum of its leases or requests',
             coalesce(e.transaction_id, r.transaction_id)::text
        from (select x.account_id, x.transaction_id, -x.amount_nanos as charged from entries x
                join ledger_transactions t on t.id = x.transaction_id and t.kind = 'usage'
               where x.book = 'account') e
        full join (select account_id, transaction_id, sum(charged) as charged from (
               select account_id, transaction_id, charged_nanos as charged from requests
                where charged_nanos > 0 and lease_id is null
               union all
               select account_id, transaction_id, spent_nanos from leases
                where spent_nanos > 0 and closed_at is not null) u
               group by account_id, transaction_id) r
          on r.account_id = e.account_id and r.transaction_id = e.transaction_id
       where e.charged is distinct from r.charged`,
  sql`select 'shortfall entries are not the sum of leases and requests', 'all' where
        (select coalesce(-sum(amount_nanos), 0) from entries where book = 'shortfall')
        <> (select coalesce(sum(shortfall_nanos), 0) from requests where lease_id is null)
         + (select coalesce(sum(shortfall_nanos), 0) from leases where closed_at is not null)`,
  sql`select 'counters of a key are not its leases', k.id::text from api_keys k
        left join (select x.id,
            sum(spent) as total_spent,
            sum(held) as total_held,
            sum(spent) filter (where day = x.day_start) as day_spent,
            sum(held) filter (where day = x.day_start) as day_held,
            sum(spent) filter (where week = x.week_start) as week_spent,
            sum(held) filter (where week = x.week_start) as week_held,
            sum(spent) filter (where month = x.month_start) as month_spent,
            sum(held) filter (where month = x.month_start) as month_held
          from (select account_id, key_id, spent, held, at::date as day,
                       date_trunc('week', at)::date as week, date_trunc('month', at)::date as month
                  from (select account_id, key_id, charged_nanos as spent, 0 as held,
                               placed_at at time zone 'utc' as at
                          from requests where lease_id is null and charged_nanos > 0
                        union all
                        select account_id, key_id,
                               case when closed_at is null then 0 else spent_nanos end,
                               case when closed_at is null then granted_nanos else 0 end,
                               hour at time zone 'utc'
                          from leases) m) r
          join api_keys x on x.account_id = r.account_id and x.id = r.key_id
          group by x.id) r on r.id = k.id
       where (k.total_spent_nanos, k.total_held_nanos, k.day_spent_nanos, k.day_held_nanos,
              k.week_spent_nanos, k.week_held_nanos, k.month_spent_nanos, k.month_held_nanos)
          <> (coalesce(r.total_spent, 0), coalesce(r.total_held, 0), coalesce(r.day_spent, 0),
              coalesce(r.day_held, 0), coalesce(r.week_spent, 0), coalesce(r.week_held, 0),
              coalesce(r.month_spent, 0), coalesce(r.month_held, 0))`,
  sql`select 'counters of a budget are not its leases', b.id::text from budgets b
        join accounts a on a.id = b.account_id
        cross join lateral count_budget(b.account_id, b.kind, b.subject_id,
          budget_from(b.period, b.period_start, a.time_zone)) c
       where (b.spent_nanos, b.held_nanos) <> (c.spent, c.held)`,
  ...movementChecks(() => sql`true`),
  ...openLeaseChecks(sql`leases`),
  ...usageChecks({ usage: sql`true`, requests: sql`true` }),
  blockCheck,
];

/** Empty when the books are right. Reads every request: years of requests take minutes. */
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
