// Batches that are not over, of all accounts or of one, as operators see them: how far each is, and what it waits for. What callers
// sent is not read.
import type { AccountId, BatchId } from "@turnpike/base";
import type { BatchForm, BatchState, Db } from "@turnpike/db";
import { sql } from "drizzle-orm";

/** Times in ISO 8601. */
export type RunningBatch = {
  readonly accountId: AccountId;
  readonly account: string;
  readonly id: BatchId;
  readonly form: BatchForm;
  readonly endpoint: string;
  readonly state: BatchState;
  /** Lines, once its file was read. */
  readonly total: number;
  /** Those that have not ended, with those that run. */
  readonly waiting: number;
  readonly running: number;
  readonly completed: number;
  readonly failed: number;
  /** Since when the first of those that wait is due; null if none is. */
  readonly oldestAt: string | null;
  /** The code of the refusal that keeps its lines waiting. */
  readonly pausedBy: string | null;
  readonly pausedUntil: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Of its next step, which failed last for this reason. */
  readonly attempts: number;
  readonly error: string | null;
};

/** The oldest first. */
export async function queryRunning(
  db: Db,
  accountId?: AccountId,
): Promise<readonly RunningBatch[]> {
  const rows = await db.execute<RunningBatch>(
    sql`select b.account_id as "accountId", a.name as account, b.id, b.form, b.endpoint, b.state, b.total,
               l.waiting, l.running, l.completed, l.failed, l.oldest as "oldestAt",
               b.paused_by as "pausedBy", b.paused_until as "pausedUntil",
               b.created_at as "createdAt", b.expires_at as "expiresAt", b.attempts, b.error
          from batches b
          join accounts a on a.id = b.account_id
          cross join lateral (
            select count(*) filter (where state = 'waiting')::int as waiting,
                   count(*) filter (where state = 'waiting' and claimed_until > now())::int as running,
                   count(*) filter (where state = 'completed')::int as completed,
                   count(*) filter (where state in ('failed', 'expired'))::int as failed,
                   min(due_at) filter (where state = 'waiting' and due_at <= now()) as oldest
              from batch_lines
             where account_id = b.account_id and batch_id = b.id) l
         where b.ended_at is null
           and ${accountId === undefined ? sql`true` : sql`b.account_id = ${accountId}::uuid`}
         order by b.created_at, b.id`,
  );
  return rows.map((row) => ({
    ...row,
    oldestAt: timeOf(row.oldestAt),
    pausedUntil: timeOf(row.pausedUntil),
    createdAt: new Date(row.createdAt).toISOString(),
    expiresAt: new Date(row.expiresAt).toISOString(),
  }));
}

/** Of what the database answers. */
function timeOf(at: string | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
