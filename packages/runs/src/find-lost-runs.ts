// Runs whose process died: nobody goes on with them, so they have failed.
import type { AccountId, Sealer } from "@turnpike/base";
import { type Db, runs } from "@turnpike/db";
import { and, isNull, sql } from "drizzle-orm";
import { runColumns, type StoredRun, toStoredRun } from "./stored-run.ts";

export type LostRun = StoredRun & {
  readonly accountId: AccountId;
  /** -1 if it has no event yet. */
  readonly lastNumber: number;
};

const atOnce = 100;

/** A process without a heartbeat for `silentMs` has died. Throws SealBroken. */
export async function findLostRuns(
  db: Db,
  sealer: Sealer,
  { silentMs }: { readonly silentMs: number },
): Promise<readonly LostRun[]> {
  const rows = await db
    .select({
      ...runColumns,
      accountId: runs.accountId,
      lastNumber: sql<number>`coalesce((
        select max(e.last_number) from run_events e
         where e.account_id = ${runs.accountId} and e.run_id = ${runs.id}), -1)::int`,
    })
    .from(runs)
    .where(
      and(
        isNull(runs.endedAt),
        sql`not exists (
          select from instances i
           where i.id = ${runs.instanceId} and i.ended_at is null
             and i.heartbeat_at > now() - ${silentMs}::bigint * interval '1 millisecond')`,
      ),
    )
    .limit(atOnce);
  return rows.map(({ accountId, lastNumber, ...row }) => ({
    ...toStoredRun(sealer, accountId, row),
    accountId,
    lastNumber,
  }));
}
