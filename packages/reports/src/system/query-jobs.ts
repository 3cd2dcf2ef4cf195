// The jobs that instances share, for operators: when each ran last, with which result, and whether it is late.
import type { InstanceId } from "@turnpike/base";
import { type Db, jobRuns } from "@turnpike/db";
import { asc } from "drizzle-orm";

export type JobState = "running" | "finished" | "failed";

export type JobRow = {
  readonly name: string;
  readonly state: JobState;
  readonly everyMs: number | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly failedAt: Date | null;
  readonly error: string | null;
  readonly result: unknown;
  /** An operator asked for a run that has not begun. */
  readonly isRequested: boolean;
  readonly instanceId: InstanceId | null;
};

export async function queryJobs(db: Db): Promise<JobRow[]> {
  const rows = await db
    .select({
      name: jobRuns.name,
      everyMs: jobRuns.everyMs,
      startedAt: jobRuns.startedAt,
      finishedAt: jobRuns.finishedAt,
      failedAt: jobRuns.failedAt,
      error: jobRuns.error,
      result: jobRuns.result,
      requestedAt: jobRuns.requestedAt,
      instanceId: jobRuns.instanceId,
    })
    .from(jobRuns)
    .orderBy(asc(jobRuns.name));
  return rows.map(({ requestedAt, ...row }) => ({
    ...row,
    state: stateOf(row),
    isRequested: requestedAt !== null && requestedAt >= row.startedAt,
  }));
}

/** A run that failed has no owner until it is tried again. */
function stateOf(row: Pick<JobRow, "instanceId" | "finishedAt">): JobState {
  if (row.finishedAt !== null) return "finished";
  return row.instanceId === null ? "failed" : "running";
}
