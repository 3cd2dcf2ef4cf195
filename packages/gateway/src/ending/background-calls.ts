// Calls whose client disconnected and whose upstream continues, because their cost cannot be seen from
// outside. Their number is bounded per account and per process, and so are the prompts they keep.

import type { AccountId } from "@turnpike/base";
import type { BackgroundUsage, Metrics } from "@turnpike/telemetry";

export type BackgroundBounds = {
  readonly perAccount: number;
  readonly perProcess: number;
  /** Characters of all their request bodies together: a call keeps its own until it is billed. */
  readonly promptChars: number;
};

export const defaultBackgroundBounds: BackgroundBounds = {
  perAccount: 50,
  perProcess: 1_000,
  promptChars: 256 * 1024 * 1024,
};

/** Removes the call and records what its bill is based on; only the first invocation counts. */
export type LeaveBackground = (usage: BackgroundUsage) => void;

type BackgroundMeters = Pick<
  Metrics,
  "backgroundCallStarted" | "backgroundCallEnded" | "backgroundCallRefused"
>;

export class BackgroundCalls {
  readonly #bounds: BackgroundBounds;
  readonly #metrics: BackgroundMeters;
  readonly #perAccount = new Map<AccountId, number>();
  #running = 0;
  #promptChars = 0;

  constructor(metrics: BackgroundMeters, bounds: Partial<BackgroundBounds> = {}) {
    this.#metrics = metrics;
    this.#bounds = { ...defaultBackgroundBounds, ...bounds };
  }

  get running(): number {
    return this.#running;
  }

  /** Undefined if a bound is reached: then the call has to be cut. */
  enter(accountId: AccountId, promptChars: number): LeaveBackground | undefined {
    const ofAccount = this.#perAccount.get(accountId) ?? 0;
    const bound = this.#boundReached(ofAccount, promptChars);
    if (bound !== undefined) {
      this.#metrics.backgroundCallRefused(bound);
      return undefined;
    }
    this.#running += 1;
    this.#promptChars += promptChars;
    this.#perAccount.set(accountId, ofAccount + 1);
    this.#metrics.backgroundCallStarted();
    let left = false;
    return (usage) => {
      if (left) return;
      left = true;
      this.#metrics.backgroundCallEnded(usage);
      this.#leave(accountId, promptChars);
    };
  }

  #boundReached(ofAccount: number, promptChars: number) {
    if (ofAccount >= this.#bounds.perAccount) return "account";
    if (this.#running >= this.#bounds.perProcess) return "process";
    return this.#promptChars + promptChars > this.#bounds.promptChars ? "memory" : undefined;
  }

  #leave(accountId: AccountId, promptChars: number): void {
    this.#running -= 1;
    this.#promptChars -= promptChars;
    const left = (this.#perAccount.get(accountId) ?? 0) - 1;
    if (left > 0) this.#perAccount.set(accountId, left);
    else this.#perAccount.delete(accountId);
  }
}
