// Limits the rate of one caller: a session's calls of the console's procedures, an address's calls
// with wrong keys. Kept in memory per process: it protects the process and grants nothing.

export type CallLimit = { readonly perSecond: number; readonly burst: number };

export type CallLimiter = {
  /** Takes `calls` from the caller's share and returns 0, or takes nothing and returns the wait. */
  readonly take: (caller: string, calls: number) => number;
};

/** Console calls from one session. */
export const callLimit: CallLimit = { perSecond: 20, burst: 60 };

/** Calls with an invalid key from one network: 60 a minute. */
export const unknownKeyLimit: CallLimit = { perSecond: 1, burst: 60 };

export function scaleLimit({ perSecond, burst }: CallLimit, factor: number): CallLimit {
  return { perSecond: perSecond * factor, burst: Math.max(1, burst * factor) };
}

const callersMax = 10_000;

type Share = { left: number; at: number };

/**
 * `now` in milliseconds, of a clock that is never set back; tests pass their own. `instances` is how many processes
 * divide the limit among them; each allows at least one call.
 */
export function createCallLimiter(
  whole: CallLimit,
  now: () => number = () => performance.now(),
  instances: () => number = () => 1,
): CallLimiter {
  const shares = new Map<string, Share>();
  return {
    take(caller, calls) {
      const at = now();
      const limit = scaleLimit(whole, 1 / instances());
      const known = shares.get(caller);
      const regained = known === undefined ? 0 : ((at - known.at) / 1000) * limit.perSecond;
      const left = known === undefined ? limit.burst : Math.min(limit.burst, known.left + regained);
      const enough = left >= calls;
      // Moved to the end of the map, so that it begins with the least recently seen.
      shares.delete(caller);
      shares.set(caller, { left: enough ? left - calls : left, at });
      if (shares.size > callersMax) shares.delete(shares.keys().next().value ?? caller);
      return enough ? 0 : Math.ceil(((calls - left) / limit.perSecond) * 1000);
    },
  };
}
