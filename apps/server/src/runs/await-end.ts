// Waits until a run has ended, wherever it runs, but not forever.
import { queryRun, queryRunState, type StoredRun } from "@turnpike/runs";
import type { MemoryAccess } from "../memory/memory-access.ts";
import type { LiveRuns } from "./live-runs.ts";

/** How long until it is looked at again without a message. */
const lookEveryMs = 500;

/** Resolves with the run as it is then; undefined if there is none. */
export async function awaitEnd(
  liveRuns: LiveRuns,
  { objects, owner, run }: Pick<MemoryAccess, "objects" | "owner" | "run">,
  id: StoredRun["id"],
  withinMs: number,
): Promise<StoredRun | undefined> {
  const untilMs = performance.now() + withinMs;
  let changed = Promise.withResolvers<void>();
  const unwatch = liveRuns.watch({ kind: "changed", id }, () => changed.resolve());
  try {
    for (;;) {
      changed = Promise.withResolvers<void>();
      const found = await run((db) => queryRunState(db, owner, id));
      if (found?.state !== "running" || performance.now() >= untilMs) {
        return await run((db) => queryRun(db, objects.sealer, owner, id));
      }
      const timer = setTimeout(changed.resolve, lookEveryMs);
      await changed.promise;
      clearTimeout(timer);
    }
  } finally {
    unwatch();
  }
}
