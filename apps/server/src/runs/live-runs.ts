// The runs of this process until their ends are stored, and what is said of runs anywhere: that one has changed, or is to be cancelled. A
// message may be lost, so every wait for one ends by itself after a while.
import type { GenerationId } from "@turnpike/base";
import type { Listener } from "@turnpike/db";
import { parseRunMessage, type RunMessage, runChannel } from "@turnpike/runs";
import type { Log } from "@turnpike/telemetry";

export type LiveRuns = {
  /** A run of this process, until the promise settles. */
  readonly track: (id: GenerationId, run: Promise<unknown>) => void;
  readonly ids: () => readonly GenerationId[];
  /** Resolves when no run is left. */
  readonly settled: () => Promise<void>;
  /** Calls `tell` at every message of this kind until the returned function is called. */
  readonly watch: (message: RunMessage, tell: () => void) => () => void;
};

export function openLiveRuns(listener: Listener, log: Log): LiveRuns {
  const watchers = new Map<string, Set<() => void>>();
  const tellAll = (key: string) => {
    for (const tell of watchers.get(key) ?? []) tell();
  };
  const subscribing = listener.subscribe(runChannel, {
    onMessage(payload) {
      const message = parseRunMessage(payload);
      if (message !== undefined) tellAll(keyOf(message));
    },
    onReconnect() {
      for (const key of watchers.keys()) if (key.startsWith("changed")) tellAll(key);
    },
  });
  subscribing.catch((error: unknown) => {
    log.warn({ err: error }, "changes of runs do not arrive; readers look every second");
  });
  const running = new Map<GenerationId, Promise<unknown>>();
  return {
    track(id, run) {
      running.set(id, run);
      void run.finally(() => running.delete(id));
    },
    ids: () => [...running.keys()],
    async settled() {
      while (running.size > 0) await Promise.allSettled(running.values());
    },
    watch(message, tell) {
      const key = keyOf(message);
      const known = watchers.get(key) ?? new Set();
      watchers.set(key, known.add(tell));
      return () => {
        known.delete(tell);
        if (known.size === 0 && watchers.get(key) === known) watchers.delete(key);
      };
    },
  };
}

function keyOf({ kind, id }: RunMessage): `${RunMessage["kind"]} ${GenerationId}` {
  return `${kind} ${id}`;
}

/** How long a wait for a change lasts at most. */
const lookEveryMs = 1_000;

export type RunChanges = {
  /** Resolves at the next change from now on, when `wake` is called, or after a second. */
  readonly next: () => Promise<void>;
  readonly wake: () => void;
  readonly stop: () => void;
};

export function watchChanges(liveRuns: LiveRuns, id: GenerationId): RunChanges {
  let resolveNext: () => void = () => undefined;
  const wake = () => resolveNext();
  return {
    next: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, lookEveryMs);
        resolveNext = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake,
    stop: liveRuns.watch({ kind: "changed", id }, wake),
  };
}
