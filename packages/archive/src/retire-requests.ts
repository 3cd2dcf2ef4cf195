// Exports whole months of requests as CSV and drops them: usage, leases and the ledger remain. A month is detached in one
// transaction with what the checker needs instead of it, and only if all of it was added up, closed and found right. From
// then on nothing can change it: it is exported and dropped, by the next run if this one ends before.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { access, constants, rename } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { Fault } from "@turnpike/base";
import { type Connection, isLockTimeout, requests } from "@turnpike/db";
import { getTableColumns } from "drizzle-orm";

export type Retired = { readonly name: string; readonly calls: number; readonly file: string };

export type RetireOptions = {
  /** Whole months before this one that are kept. */
  readonly keepMonths: number;
  readonly folder: string;
  /** Rows of one statement. */
  readonly slice?: number;
  /** How long to wait for a running server to close what a process that ended left open; default 0. */
  readonly waitMs?: number;
};

const sliceRows = 20_000;
const lockTries = 40;
const lockPauseMs = 250;
const readyPauseMs = 2_000;

type Month = { readonly name: string; readonly end: string; readonly isDetached: boolean };

/** The oldest first. Throws what is not ready, after the months before it were retired. */
export async function retireRequests(
  owner: Connection,
  { keepMonths, folder, slice = sliceRows, waitMs = 0 }: RetireOptions,
): Promise<readonly Retired[]> {
  await requireFolder(folder);
  const retired: Retired[] = [];
  for (const month of await findMonths(owner, keepMonths)) {
    if (!month.isDetached) {
      await awaitReady(owner, month, waitMs);
      await detachMonth(owner, month);
    }
    const file = join(folder, `${month.name}.csv.gz`);
    const sha256 = await exportMonth(owner, month.name, { file, slice });
    const calls = await dropMonth(owner, month.name, { file, sha256 });
    retired.push({ name: month.name, calls, file });
  }
  return retired;
}

async function findMonths({ sql }: Connection, keepMonths: number): Promise<readonly Month[]> {
  return sql<Month[]>`
    select name, (first + interval '1 month')::text as "end", is_detached as "isDetached"
      from (select c.relname as name, to_date(right(c.relname, 7), 'YYYY_MM') as first, false as is_detached
              from pg_inherits i join pg_class c on c.oid = i.inhrelid
             where i.inhparent = 'requests'::regclass and c.relname ~ '^requests_[0-9]{4}_[0-9]{2}$'
            union all
            select name, to_date(right(name, 7), 'YYYY_MM'), true
              from retired_requests where dropped_at is null) m
     where first + interval '1 month'
           <= date_trunc('month', now() at time zone 'utc') - make_interval(months => ${keepMonths}::int)
     order by name`;
}

/** When the last call of the month may have been placed, and the last lease that paid for one may have begun. */
const placedUntil = "($1::timestamp at time zone 'utc' + interval '1 hour')";
const leasedUntil = `(${placedUntil} + interval '7 days')`;

async function requireFolder(folder: string): Promise<void> {
  const writable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (writable) return;
  const message = `${folder} is not a folder that can be written to.`;
  throw new Fault("invalid_value", message, { param: "folder" });
}

/** Only what is still open after a process has ended is worth waiting for: nothing else changes by itself. */
async function awaitReady(owner: Connection, month: Month, waitMs: number): Promise<void> {
  const untilMs = performance.now() + waitMs;
  for (;;) {
    const why = await findObstacle(owner, month);
    if (why === null) return;
    if (why !== openLeases || performance.now() >= untilMs) {
      throw new Fault("conflict", `${month.name} cannot be retired: ${why}.`);
    }
    await Bun.sleep(readyPauseMs);
  }
}

const openLeases =
  "a lease of its time is open or not checked (a running server closes and checks it within five minutes)";

async function findObstacle({ sql }: Connection, { name, end }: Month): Promise<string | null> {
  const [row] = await sql.unsafe<{ why: string | null }[]>(
    `select case
       when not exists (select from usage_progress
                         where rolled_from = '-infinity' and rolled_to >= ${placedUntil})
         or exists (select from usage_changes where quarter < ${placedUntil})
       then 'its usage is not added up yet'
       when exists (select from leases where hour < ${leasedUntil} and (closed_at is null or checked_at is null))
       then '${openLeases}'
       when exists (select from ${name} where lease_id is null and cost_nanos <> 0)
       then 'it has charged calls from before leases existed'
       when exists (
         select from leases l
          left join (select account_id, lease_id, sum(charged_nanos) as spent, sum(shortfall_nanos) as shortfall,
                            count(*) as calls
                       from requests
                      where lease_id is not null and id < uuid7_floor(${leasedUntil} + interval '1 day')
                      group by account_id, lease_id) r
            on r.account_id = l.account_id and r.lease_id = l.id
          where l.hour < ${leasedUntil} and l.hour >= (select sealed_before + interval '7 days' from usage_progress)
            and (l.spent_nanos, l.shortfall_nanos, l.calls)
                is distinct from (coalesce(r.spent, 0), coalesce(r.shortfall, 0), coalesce(r.calls, 0)))
       then 'its leases are not the sum of their calls'
     end as why`,
    [end],
  );
  return row?.why ?? null;
}

/** Returns the SHA-256 of the file, which is complete or absent. */
async function exportMonth(
  owner: Connection,
  name: string,
  { file, slice }: { readonly file: string; readonly slice: number },
): Promise<string> {
  const unfinished = `${file}.unfinished`;
  await pipeline(querySlices(owner, name, slice), createGzip(), createWriteStream(unfinished));
  await rename(unfinished, file);
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}

const columns = Object.values(getTableColumns(requests))
  .map(({ name }) => name)
  .join(", ");

/** CSV with a header, in the order of the primary key. */
async function* querySlices({ sql }: Connection, name: string, slice: number) {
  const start =
    "('00000000-0000-0000-0000-000000000000'::uuid, '00000000-0000-0000-0000-000000000000'::uuid)";
  let after: string | undefined;
  for (;;) {
    const rest = `(account_id, id) ${after === undefined ? `>= ${start}` : `> ${after}`}`;
    const [last] = await sql.unsafe<{ account_id: string; id: string }[]>(
      `select account_id, id from ${name} where ${rest} order by account_id, id offset ${slice - 1} limit 1`,
    );
    const until = last && `('${last.account_id}'::uuid, '${last.id}'::uuid)`;
    const part = `${rest}${until === undefined ? "" : ` and (account_id, id) <= ${until}`}`;
    const header = after === undefined ? ", header" : "";
    yield* await sql
      .unsafe(
        `copy (select ${columns} from ${name} where ${part} order by account_id, id) to stdout (format csv${header})`,
      )
      .readable();
    if (until === undefined) return;
    after = until;
  }
}

const totals = `count(*) as calls, count(lease_id) as leased_calls,
  coalesce(sum(charged_nanos), 0) as charged_nanos, coalesce(sum(shortfall_nanos), 0) as shortfall_nanos`;

async function detachMonth({ sql }: Connection, { name, end }: Month): Promise<void> {
  const [before] = await sql.unsafe<Record<string, string>[]>(`select ${totals} from ${name}`);
  const values = Object.values(before ?? {});
  for (let tries = 1; ; tries += 1) {
    try {
      await sql.begin(async (transaction) => {
        // Nobody queues for long behind this while it waits for a long read of requests.
        await transaction`set local lock_timeout = '250ms'`;
        await transaction.unsafe(`alter table requests detach partition ${name}`);
        await transaction.unsafe(`update usage_progress set sealed_before = ${placedUntil}`, [end]);
        await transaction.unsafe(
          `insert into retired_requests (name, calls, leased_calls, charged_nanos, shortfall_nanos)
           values ($1, $2, $3, $4, $5)`,
          [name, ...values],
        );
      });
      return;
    } catch (error) {
      if (!isLockTimeout(error) || tries === lockTries) throw error;
      await Bun.sleep(lockPauseMs);
    }
  }
}

/** Counts once more: a call may have been written between the count and the end of the partition. */
async function dropMonth(
  { sql }: Connection,
  name: string,
  { file, sha256 }: { readonly file: string; readonly sha256: string },
): Promise<number> {
  return sql.begin(async (transaction) => {
    const [row] = await transaction.unsafe<{ calls: string }[]>(
      `update retired_requests r
          set calls = x.calls, leased_calls = x.leased_calls, charged_nanos = x.charged_nanos,
              shortfall_nanos = x.shortfall_nanos, file = $2, sha256 = $3, dropped_at = now()
         from (select ${totals} from ${name}) x
        where r.name = $1 returning r.calls::text as calls`,
      [name, file, sha256],
    );
    await transaction.unsafe(`drop table ${name}`);
    return Number(row?.calls);
  });
}
