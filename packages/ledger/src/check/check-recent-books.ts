// The checker as the server runs it on a schedule: what changed since its last run that found nothing
// wrong, so that its cost follows the traffic and not the age of the books. A closed lease is compared
// with its requests and its entries once and marked; an account is read completely only if money moved in
// or out of it other than by calls; `check-books.ts` reads everything.
import type { AccountId } from "@turnpike/base";
import { arrayLiteral, type Db } from "@turnpike/db";
import { type SQL, sql } from "drizzle-orm";
import { atRest } from "./at-rest.ts";
import type { Violation } from "./check-books.ts";
import { movementChecks } from "./movement-checks.ts";
import { openLeaseChecks } from "./open-lease-checks.ts";
import { usageChecks } from "./usage-checks.ts";

export type RecentCheck = {
  readonly violations: readonly Violation[];
  /** Closed leases that were found right and are not read again. */
  readonly checkedLeases: number;
};

/** Represents the books as a whole, in `book_checks` as in `entries`. */
const nil = sql.raw("'00000000-0000-0000-0000-000000000000'::uuid");
/** How much older an id may be than the commit of its row, or than the lease it is charged to. */
const slack = sql.raw("interval '15 minutes'");
/** How far back the first run looks for money that moved without a lease. */
const firstSpan = sql.raw("interval '1 day'");

/**
 * While anything is wrong nothing is marked: every run reports it until it is fixed. Only the full
 * scan sees wrong rows older than the last clean run, and a key's total spending.
 */
export async function checkRecentBooks(db: Db): Promise<RecentCheck> {
  return db.transaction(
    async (transaction) => {
      await transaction.execute(sql`set local statement_timeout = '5min'`);
      // Every table is read by index, even if the planner expects many rows.
      await transaction.execute(sql`set local enable_seqscan = off`);
      const [mark] = await transaction.execute<{ since: string }>(sql`
        select (coalesce((select through from book_checks where account_id = ${nil}),
                         now() - ${firstSpan}) - ${slack})::text as since`);
      const recent = recentRows(mark?.since ?? "");
      const violations = [
        ...(await run(transaction, recent, checks)),
        ...(await checkUsage(transaction, recent, mark?.since ?? "")),
        ...(await checkMoved(transaction, recent)),
      ];
      if (violations.length > 0) return { violations, checkedLeases: 0 };
      await persistBalances(transaction, recent);
      const marked = await transaction.execute(sql`
        update leases set checked_at = now() where closed_at is not null and checked_at is null
        returning id`);
      return { violations: [], checkedLeases: marked.length };
    },
    // One snapshot: nothing is marked that was committed after the checks read.
    { isolationLevel: "repeatable read" },
  );
}

/** `offset 0` keeps the planner from reading the whole table for a join. */
function recentRows(since: string): SQL {
  return sql`with
    moves as materialized (
      select t.id, t.kind, t.idempotency_key, t.created_at from ledger_transactions t
       where t.id >= uuid7_floor(${since}::timestamptz)),
    move_entries as materialized (
      select m.id, m.kind, m.idempotency_key, m.created_at, e.account_id, e.book, e.amount_nanos
        from moves m cross join lateral (
          select x.account_id, x.book, x.amount_nanos from entries x
           where x.transaction_id = m.id offset 0) e),
    unchecked as materialized (
      select account_id, id, granted_nanos, spent_nanos, shortfall_nanos, calls, hour, opened_at,
             closed_at, transaction_id, instance_id
        from leases where closed_at is null
      union all
      select account_id, id, granted_nanos, spent_nanos, shortfall_nanos, calls, hour, opened_at,
             closed_at, transaction_id, instance_id
        from leases where closed_at is not null and checked_at is null),
    touched as materialized (
      select account_id as id from unchecked
      union select account_id from move_entries where book = 'account'),
    finished as materialized (
      select r.* from (
          select account_id, min(opened_at) - ${slack} as since,
                 max(coalesce(closed_at, now())) + ${slack} as until
            from unchecked group by account_id) s
        cross join lateral
          requests_of_account(s.account_id, uuid7_floor(s.since), uuid7_floor(s.until)) r),
    spent as materialized (
      select account_id, lease_id, sum(charged_nanos) as spent, sum(shortfall_nanos) as shortfall,
             count(*) as calls, max(ended_at) as last_at
        from finished where lease_id is not null group by account_id, lease_id),
    periods as (
      select date_trunc('day', now(), 'utc') as day, date_trunc('week', now(), 'utc') as week,
             date_trunc('month', now(), 'utc') as month),
    counted as materialized (
      select l.account_id, l.key_id, l.closed_at is null as held, l.hour,
             case when l.closed_at is null then l.granted_nanos else l.spent_nanos end as nanos
        from touched t cross join periods p cross join lateral (
          select x.account_id, x.key_id, x.hour, x.closed_at, x.granted_nanos, x.spent_nanos
            from leases x where x.account_id = t.id
             and x.hour >= least(p.week, p.month) - interval '1 day' offset 0) l
       where l.key_id is not null),
    counters as materialized (
      select c.key_id,
          sum(nanos) filter (where held) as total_held,
          sum(nanos) filter (where held and hour >= day) as day_held,
          sum(nanos) filter (where held and hour >= week) as week_held,
          sum(nanos) filter (where held and hour >= month) as month_held,
          sum(nanos) filter (where not held and hour >= day) as day_spent,
          sum(nanos) filter (where not held and hour >= week) as week_spent,
          sum(nanos) filter (where not held and hour >= month) as month_spent
        from counted c cross join periods group by c.key_id)`;
}

/**
 * The complete comparison runs in a `case`, only if the first one differs, because it is
 * expensive.
 */
const checks: readonly SQL[] = [
  sql`select 'a transaction does not sum to zero' as "check", id::text as key
        from move_entries group by id having sum(amount_nanos) <> 0`,
  sql`select 'entries of an account that does not exist', e.account_id::text from move_entries e
       where e.book = 'account' and not exists (select 1 from accounts a where a.id = e.account_id)`,
  // An entry that became visible long after its id was created is missing in the balance that was kept.
  sql`select 'a balance is not the sum of its entries', a.id::text
        from touched t join accounts a on a.id = t.id
        left join book_checks c on c.account_id = a.id
        cross join lateral (
          select coalesce(sum(e.amount_nanos), 0) as nanos from entries e
           where e.account_id = a.id and e.book = 'account'
             and e.transaction_id >= coalesce(uuid7_floor(c.through), ${nil})) n
       where case when a.balance_nanos <> coalesce(c.balance_nanos, 0) + n.nanos
                  then a.balance_nanos <> coalesce((select sum(e.amount_nanos) from entries e
                         where e.account_id = a.id and e.book = 'account'), 0) end`,
  sql`select 'held is not the sum of the open leases', a.id::text
        from touched t join accounts a on a.id = t.id
       where a.held_nanos <> coalesce((select sum(l.granted_nanos) from leases l
               where l.account_id = a.id and l.closed_at is null), 0)`,
  sql`select 'an account is overdrawn and not frozen', a.id::text
        from touched t join accounts a on a.id = t.id
       where a.balance_nanos + a.credit_limit_nanos - a.held_nanos < 0 and a.frozen_at is null`,
  sql`select 'a charge exceeds its hold', id::text from finished
       where charged_nanos > held_nanos
         and (state = 'late_settled' and ended_at < late_charges_capped_since()) is not true`,
  sql`select 'money on a request that moved none', id::text from finished
       where state in ('released', 'expired', 'refused') and cost_nanos <> 0`,
  sql`select 'a charge without its lease or its ledger transaction', id::text from finished
       where cost_nanos > 0 and lease_id is null and transaction_id is null`,
  sql`select 'a settled request without its lease', id::text from finished
       where state in ('settled', 'late_settled') and lease_id is null and transaction_id is null
         and ended_at >= leases_since()`,
  // A request that was charged late has an id much older than its lease.
  sql`select 'a lease is not the sum of its requests', l.id::text
        from unchecked l left join spent r on r.account_id = l.account_id and r.lease_id = l.id
       where ${atRest(sql`l.closed_at`)} and case when (l.spent_nanos, l.shortfall_nanos, l.calls)
             is distinct from (coalesce(r.spent, 0), coalesce(r.shortfall, 0), coalesce(r.calls, 0))
         then not exists (select from lease_sum(l.account_id, l.id) x
                           where (l.spent_nanos, l.shortfall_nanos, l.calls)
                                 = (x.spent, x.shortfall, x.calls)) end`,
  sql`select 'a lease is not the sum of its requests', r.lease_id::text from spent r
       where ${atRest(sql`r.last_at`)}
         and not exists (select 1 from leases l
                          where l.account_id = r.account_id and l.id = r.lease_id offset 0)`,
  sql`select 'a closed lease is not its ledger transaction', l.id::text
        from unchecked l
        left join entries c on c.transaction_id = l.transaction_id and c.account_id = l.account_id
         and c.book = 'account'
        left join entries s on s.transaction_id = l.transaction_id and s.account_id = ${nil}
         and s.book = 'shortfall'
       where l.closed_at is not null
         and (l.granted_nanos <> l.spent_nanos or coalesce(-c.amount_nanos, 0) <> l.spent_nanos
              or coalesce(-s.amount_nanos, 0) <> l.shortfall_nanos)`,
  sql`select 'an open lease was posted', id::text from unchecked
       where closed_at is null and transaction_id is not null`,
  ...openLeaseChecks(sql`unchecked`),
  sql`select 'a usage entry is not the sum of its leases or requests', e.id::text
        from move_entries e
        left join leases l on l.account_id = e.account_id and l.transaction_id = e.id
         and l.id = case when e.idempotency_key ~ '^lease:' then substr(e.idempotency_key, 7)::uuid end
       where e.book = 'account' and e.kind = 'usage' and e.created_at >= leases_since()
         and l.spent_nanos is distinct from -e.amount_nanos`,
  // What was spent before leases existed is in no lease: such a period is left to the full scan.
  sql`select 'counters of a key are not its leases', k.id::text
        from touched t join api_keys k on k.account_id = t.id
        cross join (select day, week, month, (day at time zone 'utc')::date as today,
                           (week at time zone 'utc')::date as this_week,
                           (month at time zone 'utc')::date as this_month from periods) p
        left join counters m on m.key_id = k.id
       where k.total_held_nanos <> coalesce(m.total_held, 0)
          or (k.day_start = today and (k.day_held_nanos <> coalesce(m.day_held, 0)
              or (day >= leases_since() and k.day_spent_nanos <> coalesce(m.day_spent, 0))))
          or (k.week_start = this_week and (k.week_held_nanos <> coalesce(m.week_held, 0)
              or (week >= leases_since() and k.week_spent_nanos <> coalesce(m.week_spent, 0))))
          or (k.month_start = this_month and (k.month_held_nanos <> coalesce(m.month_held, 0)
              or (month >= leases_since() and k.month_spent_nanos <> coalesce(m.month_spent, 0))))`,
  // Of a budget in total only what is held: the rest needs every lease, and is left to the full scan.
  sql`select 'counters of a budget are not its leases', b.id::text
        from touched t join budgets b on b.account_id = t.id join accounts a on a.id = t.id
        cross join lateral (select budget_from(b.period, b.period_start, a.time_zone) as since) p
        cross join lateral count_budget(b.account_id, b.kind, b.subject_id, coalesce(p.since,
          (select min(l.hour) from leases l where l.account_id = t.id and l.closed_at is null), now())) c
       where b.held_nanos <> c.held or (p.since >= leases_since() and b.spent_nanos <> c.spent)`,
];

async function run(db: Db, recent: SQL, queries: readonly SQL[]): Promise<Violation[]> {
  const rows = await db.execute<Violation>(
    sql`${recent} ${sql.join([...queries], sql` union all `)}`,
  );
  return rows.map(({ check, key }) => ({ check, key }));
}

/** What was added up since the last clean run. */
async function checkUsage(db: Db, recent: SQL, since: string): Promise<Violation[]> {
  // A quarter is added up within half an hour after its end.
  const from = sql`(${since}::timestamptz - interval '1 hour')`;
  const touched = await db.execute<{ id: AccountId }>(sql`${recent} select id from touched`);
  if (touched.length === 0) return [];
  const ofTouched = sql`account_id = any(${arrayLiteral(touched.map(({ id }) => id))}::uuid[])`;
  const ids = sql`id >= uuid7_floor(${from} - interval '1 hour')`;
  return run(
    db,
    sql``,
    usageChecks({
      usage: sql`${ofTouched} and quarter >= date_bin('15 minutes', ${from}, '2000-01-01 00:00:00+00')`,
      requests: sql`${ofTouched} and ${ids} and quarter >= date_bin('15 minutes', ${from}, '2000-01-01 00:00:00+00')`,
    }),
  );
}

/** Named one by one, so that the planner looks them up instead of joining whole tables. */
async function checkMoved(db: Db, recent: SQL): Promise<Violation[]> {
  const moved = await db.execute<{ id: AccountId }>(sql`${recent}
    select distinct account_id as id from move_entries where book = 'account' and kind <> 'usage'`);
  if (moved.length === 0) return [];
  const ids = sql`${arrayLiteral(moved.map((row) => row.id))}::uuid[]`;
  return run(
    db,
    sql``,
    movementChecks((accountId) => sql`${accountId} = any(${ids})`),
  );
}

/** The next run adds only the entries since then to what is kept here. */
async function persistBalances(db: Db, recent: SQL): Promise<void> {
  await db.execute(sql`${recent}
    insert into book_checks as c (account_id, through, balance_nanos)
    select t.id, now() - ${slack}, (
        select coalesce(sum(e.amount_nanos), 0) from entries e
         where e.account_id = t.id and e.book = 'account'
           and e.transaction_id >= coalesce(uuid7_floor(k.through), ${nil})
           and e.transaction_id < uuid7_floor(now() - ${slack})) + coalesce(k.balance_nanos, 0)
      from touched t left join book_checks k on k.account_id = t.id
    union all select ${nil}, now(), 0
    on conflict (account_id) do update
      set through = excluded.through, balance_nanos = excluded.balance_nanos
    where c.through < excluded.through`);
}
