// Notifies callers that wait for a call of another instance when it has ended. All callers of a process
// share one query at a time, and none of them holds a connection while it waits.
import type { InstanceId } from "@turnpike/base";
import type { SharedConnections } from "./share-connections.ts";
import { findRunning } from "./stored-answers.ts";

/** A caller checks for itself now and then: the row may have changed in another way. */
const trustMs = 60_000;
/** After this many failed queries in a row, its callers are notified. */
const failuresMax = 5;

export type WatchOptions = {
  readonly database: Pick<SharedConnections, "runQuery">;
  readonly instanceId: InstanceId;
  readonly silentMs: number;
  /** Between two queries; default 300. */
  readonly everyMs?: number;
};

/** One waiting caller; `unwatch` must be called at the end. */
export type Watch = {
  /** Resolves when the call has ended or may have; rejects if the database does not respond. */
  readonly changed: Promise<void>;
  readonly unwatch: () => void;
};

type Watched = PromiseWithResolvers<void> & { readonly sinceMs: number; watchers: number };

/** The returned function watches the call whose row has this id, in hex. */
export function createRunningWatch(options: WatchOptions): (name: string) => Watch {
  const { database, instanceId, silentMs, everyMs = 300 } = options;
  const watched = new Map<string, Watched>();
  let polling = false;
  let failures = 0;

  function settle(name: string, settled: (item: Watched) => void): void {
    const item = watched.get(name);
    watched.delete(name);
    if (item !== undefined) settled(item);
  }

  async function poll(): Promise<void> {
    const names = [...watched.keys()];
    try {
      const running = await database.runQuery(instanceId, (sql) =>
        findRunning(sql, names, { instanceId, silentMs }),
      );
      failures = 0;
      const trustedSinceMs = performance.now() - trustMs;
      for (const name of names) {
        const sinceMs = watched.get(name)?.sinceMs ?? trustedSinceMs;
        if (running.has(name) && sinceMs > trustedSinceMs) continue;
        settle(name, ({ resolve }) => resolve());
      }
    } catch (error) {
      failures += 1;
      if (failures < failuresMax) return;
      failures = 0;
      for (const name of names) settle(name, ({ reject }) => reject(error));
    }
  }

  async function pollWhileWatched(): Promise<void> {
    polling = true;
    while (watched.size > 0) {
      await Bun.sleep(everyMs);
      if (watched.size > 0) await poll();
    }
    polling = false;
  }

  return (name) => {
    let item = watched.get(name);
    if (item === undefined) {
      item = { ...Promise.withResolvers<void>(), sinceMs: performance.now(), watchers: 0 };
      // Its watchers may all be gone by then.
      item.promise.catch(() => undefined);
      watched.set(name, item);
    }
    const known = item;
    known.watchers += 1;
    if (!polling) void pollWhileWatched();
    return {
      changed: known.promise,
      unwatch() {
        known.watchers -= 1;
        if (known.watchers === 0 && watched.get(name) === known) watched.delete(name);
      },
    };
  };
}
