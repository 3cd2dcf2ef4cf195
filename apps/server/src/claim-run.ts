// Decides which instance runs a periodic job next. A run is claimed in the database, so that it happens
// once per period over all instances; a run that failed, or whose process died, is due again at once.
import type { Sql } from "@turnpike/db";

export type FinishedRun = { readonly finishedAt: Date; readonly result: unknown };

/**
 * True when the caller must run `name` now. Call it under the job's advisory lock: a run that is
 * neither finished nor locked has ended without a result. `force` claims before the period is over.
 */
export async function claimRun(
  sql: Sql,
  name: string,
  everyMs: number,
  force = false,
): Promise<boolean> {
  const claimed = await sql`
    insert into job_runs as r (name) values (${name})
    on conflict (name) do update set started_at = now(), finished_at = null
     where ${force} or r.finished_at is null
        or r.started_at <= now() - ${everyMs}::bigint * interval '1 millisecond'
    returning name`;
  return claimed.length > 0;
}

/** Ends a claimed run; `result` is kept for the other instances. */
export async function finishRun(sql: Sql, name: string, result: unknown): Promise<void> {
  await sql`update job_runs set finished_at = now(), result = ${JSON.stringify(result ?? null)}::text::jsonb
             where name = ${name}`;
}

/** The last run, when it has finished. */
export async function readFinishedRun(sql: Sql, name: string): Promise<FinishedRun | undefined> {
  const [row] = await sql<{ finished_at: string; result: unknown }[]>`
    select finished_at, result from job_runs where name = ${name} and finished_at is not null`;
  return row && { finishedAt: new Date(row.finished_at), result: row.result };
}
