// Adds calls up by quarter of an hour, in slices: what is new since the last run, what became visible late, and, after
// an upgrade, what is older, the newest first. A run may end anywhere: progress is written after what it says.
import type { AccountId } from "@turnpike/base";
import { arrayLiteral, type Db, usageBlockMinutes } from "@turnpike/db";
import { type SQL, sql } from "drizzle-orm";

export type RollUpOptions = {
  /** Stops after so long; the next run continues. */
  readonly budgetMs?: number;
  /** Accounts of one statement. */
  readonly accountsMax?: number;
};

const defaults = { budgetMs: 240_000, accountsMax: 500 };
const quarterHourMs = 900_000;
const hourMs = 3_600_000;
/** What one step adds up, of every account. */
const stepMs = { new: hourMs, old: 6 * hourMs };
const changesMax = 200;

export type RolledUp = {
  /** Everything until then is added up. */
  readonly through: Date;
  /** Since when; minus infinity if nothing older is left. */
  readonly since: number;
};

/** Runs at the same time wait for each other. */
export async function rollUpUsage(db: Db, options: RollUpOptions = {}): Promise<RolledUp> {
  const { budgetMs, accountsMax } = { ...defaults, ...options };
  const until = performance.now() + budgetMs;
  const hasTime = () => performance.now() < until;
  let { from, to } = await queryProgress(db);
  const target = await queryTarget(db);
  while (to < target && hasTime()) {
    const next = Math.min(to + stepMs.new, target);
    await rollUpAll(db, to, next, accountsMax);
    await writeProgress(db, "rolled_to", to, next);
    to = next;
  }
  while (hasTime() && (await rollUpChanges(db, from, to)) === changesMax);
  if (from === Number.NEGATIVE_INFINITY) return { through: new Date(to), since: from };
  const oldest = await queryOldest(db);
  while (from !== Number.NEGATIVE_INFINITY && hasTime()) {
    const next = from <= oldest ? Number.NEGATIVE_INFINITY : from - stepMs.old;
    if (from > oldest) await rollUpAll(db, next, from, accountsMax);
    await writeProgress(db, "rolled_from", from, next);
    from = next;
  }
  return { through: new Date(to), since: from };
}

const ms = (instant: SQL) => sql`(extract(epoch from ${instant}) * 1000)::float8`;
const instantOf = (at: number) =>
  at === Number.NEGATIVE_INFINITY
    ? sql`'-infinity'::timestamptz`
    : sql`${new Date(at).toISOString()}::timestamptz`;

async function queryProgress(db: Db): Promise<{ readonly from: number; readonly to: number }> {
  const [row] = await db.execute<{ from: number; to: number }>(
    sql`select ${ms(sql`rolled_from`)} as "from", ${ms(sql`rolled_to`)} as "to" from usage_progress`,
  );
  if (row === undefined) throw new Error("usage_progress has no row");
  return row;
}

async function writeProgress(
  db: Db,
  column: "rolled_from" | "rolled_to",
  from: number,
  to: number,
) {
  const name = sql.raw(column);
  await db.execute(sql`
    update usage_progress set ${name} = ${instantOf(to)} where ${name} = ${instantOf(from)}`);
}

/**
 * Whose quarter is over for a quarter of an hour is complete: a call that becomes visible more than ten minutes after it
 * was placed is noted (`note_usage_change`), and one that is not noted belongs to a transaction that has ended.
 */
async function queryTarget(db: Db): Promise<number> {
  const [row] = await db.execute<{ at: number }>(sql`
    select ${ms(sql`date_bin('15 minutes', least(now() - interval '15 minutes',
             (select min(xact_start) from pg_stat_activity
               where datname = current_database() and backend_xid is not null
                 and pid <> pg_backend_pid()) - interval '10 minutes',
             (select min(prepared) from pg_prepared_xacts
               where database = current_database()) - interval '15 minutes'),
             '2000-01-01 00:00:00+00')`)} as at`);
  return row?.at ?? 0;
}

/** Of every account, a slice of them at a time. */
async function rollUpAll(db: Db, from: number, to: number, accountsMax: number): Promise<void> {
  const since = startOfBlocks(from, to);
  let after: AccountId | undefined;
  for (;;) {
    const accounts = await db.execute<{ id: AccountId; isBusy: boolean }>(sql`
      select a.id, has_requests(a.id, uuid7_floor(${instantOf(since - hourMs)}),
                                uuid7_floor(${instantOf(to + hourMs)})) as "isBusy"
        from (select id from accounts where ${after === undefined ? sql`true` : sql`id > ${after}`}
               order by id limit ${accountsMax}) a order by a.id`);
    await rollUp(
      db,
      accounts.filter(({ isBusy }) => isBusy).map(({ id }) => id),
      from,
      to,
    );
    after = accounts.at(-1)?.id;
    if (accounts.length < accountsMax) return;
  }
}

/** Of the longest block that ends in this time: an account without calls since then may have had some in it. */
function startOfBlocks(from: number, to: number): number {
  const starts = usageBlockMinutes.map((minutes) => {
    const blockMs = minutes * 60_000;
    const end = Math.floor(to / blockMs) * blockMs;
    return end > from ? Math.floor(from / blockMs) * blockMs : from;
  });
  return Math.min(from, ...starts);
}

async function rollUp(db: Db, accounts: readonly AccountId[], from: number, to: number) {
  if (accounts.length === 0) return;
  await db.execute(sql`
    select roll_up_usage(${arrayLiteral(accounts)}::uuid[], ${instantOf(from)}, ${instantOf(to)})`);
}

/** Returns how many quarters it found. */
async function rollUpChanges(db: Db, from: number, to: number): Promise<number> {
  const changes = await db.execute<{ accountId: AccountId; at: number }>(sql`
    select distinct account_id as "accountId", ${ms(sql`quarter`)} as at from usage_changes
     where quarter >= ${instantOf(from)} and quarter < ${instantOf(to)} limit ${changesMax}`);
  for (const { accountId, at } of changes) await rollUp(db, [accountId], at, at + quarterHourMs);
  return changes.length;
}

/** No call was placed before then. */
async function queryOldest(db: Db): Promise<number> {
  const [row] = await db.execute<{ id: string | null }>(sql`
    select min(first_request(id)::text) as id from accounts`);
  if (!row?.id) return Number.POSITIVE_INFINITY;
  return Number.parseInt(row.id.replaceAll("-", "").slice(0, 12), 16) - hourMs;
}
