// Asks for a run of a job that instances share, besides those of its period. Whichever instance claims it first runs it,
// once.
import { Fault } from "@turnpike/base";
import { eq, sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { jobRuns } from "./schema/jobs.ts";

/** The channel on which the name of the job is announced. */
export const jobChannel = "jobs";

/** A run under way is not the one. Throws `not_found` for a job that never ran. */
export async function requestRun(tx: Db, name: string): Promise<void> {
  const known = await tx
    .update(jobRuns)
    .set({ requestedAt: sql`now()` })
    .where(eq(jobRuns.name, name))
    .returning({ name: jobRuns.name });
  if (known.length === 0) throw new Fault("not_found", `There is no job "${name}".`);
  await tx.execute(sql`select pg_notify(${jobChannel}, ${name})`);
}
