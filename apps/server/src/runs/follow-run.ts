// The events of a run as a body: those that are stored, and then each as it comes, until the run has ended. Every instance reads them from
// the database, so it is the same body everywhere, at any time.
import { queryRunState, type RunPlace, readEvents } from "@turnpike/runs";
import { sseKeepAlive } from "@turnpike/wire";
import type { MemoryAccess } from "../memory/memory-access.ts";
import { type LiveRuns, watchChanges } from "./live-runs.ts";

const keepAliveMs = 15_000;
/** How often in a row a database that fails is asked again, about a second apart, before its reader is cut off. */
const failuresMax = 30;

export type FollowedRun = {
  readonly body: ReadableStream<Uint8Array>;
  /** Resolves when the reader has everything it will get, or has disconnected. */
  readonly sent: Promise<void>;
};

type Reader = {
  readonly access: Pick<MemoryAccess, "objects" | "owner" | "run">;
  readonly liveRuns: LiveRuns;
  readonly id: RunPlace["id"];
  /** The events behind the one with this number; -1: all. */
  readonly after: number;
};

/** Errors where its events cannot be read, or end without an end: its reader must not take them for all. */
export function followRun(reader: Reader): FollowedRun {
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  const left = new AbortController();
  const events = readOn(reader, left.signal);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await events.next();
        if (!done) return controller.enqueue(encoder.encode(value));
        controller.close();
      } catch (thrown) {
        controller.error(thrown);
      }
      resolve();
    },
    cancel() {
      left.abort();
      // It may be waiting for a reader, and would watch the run for ever.
      void events.return(undefined).catch(() => undefined);
      resolve();
    },
  });
  return { body, sent };
}

async function* readOn(
  { access, liveRuns, id, after }: Reader,
  left: AbortSignal,
): AsyncGenerator<string> {
  const { owner, run } = access;
  const { sealer } = access.objects;
  const place = { accountId: owner.accountId, id };
  // The state first: what was written before the end is there when the end is.
  const look = (last: number) =>
    run(async (db) => {
      const found = await queryRunState(db, owner, id);
      return { found, ...(await readEvents(db, sealer, place, last)) };
    });
  let last = after;
  let failures = 0;
  let toldAtMs = performance.now();
  const changes = watchChanges(liveRuns, id);
  left.addEventListener("abort", changes.wake, { once: true });
  try {
    while (!left.aborted) {
      const changed = changes.next();
      const seen = await look(last).catch((thrown: unknown) => {
        failures += 1;
        if (failures > failuresMax) throw thrown;
      });
      if (seen === undefined) {
        await changed;
        continue;
      }
      failures = 0;
      const { found, events, lastNumber } = seen;
      if (events.length > 0) {
        last = lastNumber;
        toldAtMs = performance.now();
        yield events.join("");
      } else if (found?.state === "running") {
        await changed;
        if (performance.now() - toldAtMs < keepAliveMs) continue;
        toldAtMs = performance.now();
        yield sseKeepAlive;
      } else if (found === undefined || found.isCut) {
        throw new Error("the events of a run have no end");
      } else return;
    }
  } finally {
    changes.stop();
  }
}
