// How often something may be tried, counted in PostgreSQL so that all instances count together: one
// atomic statement per counter, before the work it protects is done.

import { Fault } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { sql } from "drizzle-orm";

/** At most `max` in a window that starts with the first. */
export type Limit = { readonly max: number; readonly windowMs: number };

/** Counts one attempt. Throws `throttled` with the time until the next one is allowed. */
export async function throttle(db: Db, limit: Limit, bucket: string): Promise<void> {
  const window = sql`make_interval(secs => ${limit.windowMs / 1000}::float8)`;
  const [row] = await db.execute<{ counted: boolean; wait_ms: number }>(sql`
    with counted as (
      insert into throttles as t (bucket, count, since) values (${bucket}, 1, now())
      on conflict (bucket) do update set
        count = case when t.since + ${window} <= now() then 1 else t.count + 1 end,
        since = case when t.since + ${window} <= now() then now() else t.since end
      where t.count < ${limit.max} or t.since + ${window} <= now()
      returning bucket
    )
    select exists (select from counted) as counted, coalesce((
      select extract(epoch from since + ${window} - now()) * 1000
        from throttles where bucket = ${bucket}), 0)::float8 as wait_ms`);
  if (row?.counted === true) return;
  throw tooMany(row?.wait_ms ?? 0);
}

/** Uncounts one attempt that turned out not to be a guess. */
export async function forgive(db: Db, bucket: string): Promise<void> {
  await db.execute(sql`
    update throttles set count = greatest(count - 1, 0) where bucket = ${bucket}`);
}

/** The refusal for too many attempts. */
export function tooMany(waitMs: number, hint = ""): Fault {
  const retryAfterMs = Math.max(Math.ceil(waitMs), 1_000);
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new Fault("throttled", `Too many attempts. Try again in ${seconds} s.${hint}`, {
    retryAfterMs,
  });
}

/** The name of a person's counter, without the address in plain text. */
export function hashBucket(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32);
}
