// Runs whose process died, or does not know them: they do not go on, so they have failed.
import {
  type AccountId,
  type GenerationId,
  type InstanceId,
  SealBroken,
  type Sealer,
} from "@turnpike/base";
import { type Db, runs } from "@turnpike/db";
import { and, asc, eq, isNull, lt, notInArray, or, sql } from "drizzle-orm";
import { type RunRow, runColumns, type StoredRun, toStoredRun } from "./stored-run.ts";

export type LostRun = StoredRun & {
  readonly accountId: AccountId;
  /** -1 if it has no event yet. */
  readonly lastNumber: number;
};

/** One that finds fewer has found all. */
export const lostAtOnce = 100;

export type LiveProcess = {
  readonly instanceId: InstanceId;
  /** The runs that it knows. */
  readonly ids: readonly GenerationId[];
  /** A process without a heartbeat for this long has died. */
  readonly silentMs: number;
};

/** Long after a run has begun its own process knows it, unless it could not remove the row of a call that was refused. */
const knownWithin = sql`interval '1 minute'`;

/** Those of processes that died, and what the asking process does not know of its own. What can no longer be opened has no response. */
export async function findLostRuns(
  db: Db,
  sealer: Sealer,
  { instanceId, ids, silentMs }: LiveProcess,
): Promise<readonly LostRun[]> {
  const isUnknown = and(
    eq(runs.instanceId, instanceId),
    lt(runs.createdAt, sql`now() - ${knownWithin}`),
    notInArray(runs.id, [...ids]),
  );
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
        or(
          isUnknown,
          sql`not exists (
            select from instances i
             where i.id = ${runs.instanceId} and i.ended_at is null
               and i.heartbeat_at > now() - ${silentMs}::bigint * interval '1 millisecond')`,
        ),
      ),
    )
    .orderBy(asc(runs.createdAt))
    .limit(lostAtOnce);
  return rows.map(({ accountId, lastNumber, ...row }) => ({
    ...openIfReadable(sealer, accountId, row),
    accountId,
    lastNumber,
  }));
}

/** One that cannot be opened must not keep the others from their ends. */
function openIfReadable(sealer: Sealer, accountId: AccountId, row: RunRow): StoredRun {
  try {
    return toStoredRun(sealer, accountId, row);
  } catch (thrown) {
    if (!(thrown instanceof SealBroken)) throw thrown;
    return { ...row, response: null };
  }
}
