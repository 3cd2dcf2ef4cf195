// Waits until a run has ended, in whichever process it runs, but not forever.
import { queryRun, queryRunState, type StoredRun } from "@turnpike/runs";
import type { MemoryAccess } from "../memory/memory-access.ts";
import { type LiveRuns, watchChanges } from "./live-runs.ts";

/** Resolves with the run as it is then, or undefined if it does not exist. */
export async function awaitEnd(
  liveRuns: LiveRuns,
  { objects, owner, run }: Pick<MemoryAccess, "objects" | "owner" | "run">,
  id: StoredRun["id"],
  withinMs: number,
): Promise<StoredRun | undefined> {
  const untilMs = performance.now() + withinMs;
  const changes = watchChanges(liveRuns, id);
  try {
    for (;;) {
      const changed = changes.next();
      const found = await run((db) => queryRunState(db, owner, id));
      if (found?.state !== "running" || performance.now() >= untilMs) {
        return await run((db) => queryRun(db, objects.sealer, owner, id));
      }
      await changed;
    }
  } finally {
    changes.stop();
  }
}
