// Decides which instance runs a periodic job next. A run is claimed in the database, so that it
// happens once per period, or once an operator asks for it, in all instances; one that failed is due again immediately, and so is one
// whose process ended, as soon as its heartbeat shows it. No run blocks the next one for longer
// than its limit.
import type { InstanceId } from "@turnpike/base";
import type { Sql } from "@turnpike/db";

export type FinishedRun = { readonly finishedAt: Date; readonly result: unknown };

export type RunClaim = {
  readonly name: string;
  readonly instanceId: InstanceId;
  readonly everyMs: number;
  /** A process without a heartbeat for this long is considered dead. */
  readonly silentMs: number;
  /** A run that takes longer is abandoned by its process, and others may claim it; see `runLimitMs`. */
  readonly limitMs: number;
  /** Claims before the period is over. */
  readonly force?: boolean;
};

const limitPeriods = 10;
const limitMinMs = 600_000;

/** How long a run of a job may take: far more than any run that still makes progress. */
export function runLimitMs(everyMs: number): number {
  return Math.max(limitPeriods * everyMs, limitMinMs);
}

/** True if the caller must run the job now. */
export async function claimRun(
  sql: Sql,
  { name, instanceId, everyMs, silentMs, limitMs, force = false }: RunClaim,
): Promise<boolean> {
  const claimed = await sql`
    insert into job_runs as r (name, instance_id, every_ms)
    values (${name}, ${instanceId}, ${everyMs}::bigint)
    on conflict (name) do update
       set started_at = now(), finished_at = null, instance_id = excluded.instance_id,
           every_ms = excluded.every_ms
     where not exists (
             select 1 from instances i
              where r.finished_at is null and i.id = r.instance_id and i.id <> excluded.instance_id
                and i.ended_at is null
                and r.started_at > now() - ${limitMs}::bigint * interval '1 millisecond'
                and i.heartbeat_at > now() - ${silentMs}::bigint * interval '1 millisecond')
       and (${force} or r.finished_at is null or r.requested_at >= r.started_at
            or r.started_at <= now() - ${everyMs}::bigint * interval '1 millisecond')
    returning name`;
  return claimed.length > 0;
}

type Owned = Pick<RunClaim, "name" | "instanceId">;

/** Ends a claimed run; `result` is kept for the other instances. */
export async function finishRun(
  sql: Sql,
  { name, instanceId }: Owned,
  result: unknown,
): Promise<void> {
  await sql`
    update job_runs set finished_at = now(), failed_at = null, error = null, result = ${JSON.stringify(result ?? null)}::text::jsonb
     where name = ${name} and instance_id = ${instanceId}`;
}

const errorCharsMax = 500;

/** For a run that failed: any instance may try again. */
export async function releaseRun(
  sql: Sql,
  { name, instanceId }: Owned,
  error: unknown,
): Promise<void> {
  await sql`update job_runs set instance_id = null, failed_at = now(),
                   error = ${String(error).slice(0, errorCharsMax)}
             where name = ${name} and instance_id = ${instanceId} and finished_at is null`;
}

/** The last run, when it has finished. */
export async function queryFinishedRun(sql: Sql, name: string): Promise<FinishedRun | undefined> {
  const [row] = await sql<{ finished_at: string; result: unknown }[]>`
    select finished_at, result from job_runs where name = ${name} and finished_at is not null`;
  return row && { finishedAt: new Date(row.finished_at), result: row.result };
}
