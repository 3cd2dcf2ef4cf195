// Asks for the end of a run, and deletes one that has ended. The process that runs it ends it, or the job that ends what died.
import type { GenerationId } from "@turnpike/base";
import { type Db, runs } from "@turnpike/db";
import type { ObjectViewer } from "@turnpike/objects";
import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { isVisibleRun } from "./query-run.ts";
import { notifyRun } from "./run-channel.ts";

/** Without effect on a run that has ended. */
export async function cancelRun(db: Db, viewer: ObjectViewer, id: GenerationId): Promise<void> {
  await db.transaction(async (tx) => {
    const [asked] = await tx
      .update(runs)
      .set({ cancellingAt: sql`coalesce(${runs.cancellingAt}, now())` })
      .where(and(isVisibleRun(viewer, id), eq(runs.state, "running")))
      .returning({ id: runs.id });
    if (asked !== undefined) await tx.execute(sql`select ${notifyRun({ kind: "cancel", id })}`);
  });
}

/** With its events. False if the viewer sees no such run that has ended. */
export async function deleteRun(db: Db, viewer: ObjectViewer, id: GenerationId): Promise<boolean> {
  const deleted = await db.delete(runs).where(isEndedRun(viewer, id)).returning({ id: runs.id });
  return deleted.length > 0;
}

function isEndedRun(viewer: ObjectViewer, id: GenerationId): SQL | undefined {
  return and(isVisibleRun(viewer, id), ne(runs.state, "running"));
}

/** For a call that was refused before its id was given to the caller. */
export async function dropRun(db: Db, viewer: ObjectViewer, id: GenerationId): Promise<void> {
  await db.delete(runs).where(isVisibleRun(viewer, id));
}
