// How fast one session, or one address without a session, may call the console's procedures. Kept in
// memory per process: it protects the process, and nothing is granted by it.
import { Fault } from "@turnpike/base";

export type CallLimit = { readonly perSecond: number; readonly burst: number };

export type CallLimiter = {
  /** Takes `calls` from the caller's share. Throws `throttled`. */
  readonly take: (caller: string, calls: number) => void;
};

/** Reliability §5.5: 20 per second, 60 at once. */
export const callLimit: CallLimit = { perSecond: 20, burst: 60 };

const callersMax = 10_000;

type Share = { left: number; at: number };

/** `now` in milliseconds; tests bring their own clock. */
export function openCallLimiter(limit: CallLimit, now: () => number = Date.now): CallLimiter {
  const shares = new Map<string, Share>();
  return {
    take(caller, calls) {
      const at = now();
      const known = shares.get(caller);
      const regained = known === undefined ? 0 : ((at - known.at) / 1000) * limit.perSecond;
      const left = known === undefined ? limit.burst : Math.min(limit.burst, known.left + regained);
      const enough = left >= calls;
      // Set anew to the end of the map, so that its beginning is whoever was away longest.
      shares.delete(caller);
      shares.set(caller, { left: enough ? left - calls : left, at });
      if (shares.size > callersMax) shares.delete(shares.keys().next().value ?? caller);
      if (enough) return;
      const retryAfterMs = Math.ceil(((calls - left) / limit.perSecond) * 1000);
      throw new Fault("throttled", "Too many requests at once. Try again in a moment.", {
        retryAfterMs,
      });
    },
  };
}
