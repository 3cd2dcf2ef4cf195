// Slows down password guessing: a few attempts are free, then each must wait twice as long as the one
// before, up to a maximum. Nothing is ever locked permanently.

import { tooMany } from "@turnpike/accounts";
import type { Db } from "@turnpike/db";
import { sql } from "drizzle-orm";

export type Guessing = {
  /** Attempts in a row without delay. */
  readonly free: number;
  readonly delayMinMs: number;
  readonly delayMaxMs: number;
  /** Time without attempts after which the count starts again. */
  readonly forgetMs: number;
};

/**
 * Counts one attempt before it is checked, so that a burst cannot outrun the count. Throws
 * `throttled`; an attempt that is refused does not lengthen the wait.
 */
export async function countGuess(db: Db, rule: Guessing, bucket: string): Promise<void> {
  const forgotten = sql`t.since + ${milliseconds(rule.forgetMs)} <= now()`;
  const delay = sql`least(
    ${rule.delayMinMs / 1000}::float8 * power(2, least(t.count + 1 - ${rule.free}::int, 30)),
    ${rule.delayMaxMs / 1000}::float8)`;
  const [row] = await db.execute<{ counted: boolean; wait_ms: number }>(sql`
    with counted as (
      insert into throttles as t (bucket, count, since) values (${bucket}, 1, now())
      on conflict (bucket) do update set
        count = case when ${forgotten} then 1 else t.count + 1 end,
        since = now(),
        blocked_until = case
          when ${forgotten} or t.count + 1 < ${rule.free}::int then null
          else now() + make_interval(secs => ${delay}) end
      where ${forgotten} or t.blocked_until is null or t.blocked_until <= now()
      returning bucket
    )
    select exists (select from counted) as counted,
           coalesce(extract(epoch from max(blocked_until) - now()) * 1000, 0)::float8 as wait_ms
      from throttles where bucket = ${bucket}`);
  if (row?.counted === true) return;
  throw tooMany(row?.wait_ms ?? 0);
}

/** After the right password, or a reset. */
export async function forgetGuesses(db: Db, bucket: string): Promise<void> {
  await db.execute(sql`delete from throttles where bucket = ${bucket}`);
}

function milliseconds(duration: number) {
  return sql`make_interval(secs => ${duration / 1000}::float8)`;
}
