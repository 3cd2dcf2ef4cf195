// When items are not stored for a while, because the database did not respond in time: otherwise the end of every
// answer would wait for it. An account whose calls wait for each other pauses only itself.
import type { AccountId } from "@turnpike/base";

const pauseMs = 10_000;

/** An account, or all of this process. */
type Paused = AccountId | "all";

export type StorePauses = {
  readonly has: (accountId: AccountId) => boolean;
  readonly begin: (paused: Paused) => void;
};

export function createPauses(nowMs: () => number): StorePauses {
  /** The first to end comes first. */
  const endsAtMs = new Map<Paused, number>();
  const isPaused = (paused: Paused) => nowMs() < (endsAtMs.get(paused) ?? 0);

  function forgetEnded(): void {
    for (const paused of endsAtMs.keys()) {
      if (isPaused(paused)) return;
      endsAtMs.delete(paused);
    }
  }

  return {
    has: (accountId) => isPaused("all") || isPaused(accountId),
    begin(paused) {
      forgetEnded();
      endsAtMs.delete(paused);
      endsAtMs.set(paused, nowMs() + pauseMs);
    },
  };
}
