// For tests: a limiter without a database grants its share of every limit, and nobody waits.
import type { Admission, RateLimiter } from "./rates/limit-rates.ts";
import type { LimitedCaller } from "./rates/slice-book.ts";

export function admitNow(
  limiter: RateLimiter,
  caller: LimitedCaller,
  expectedTokens: number,
  nowMs?: number,
): Admission {
  const admission = limiter.admit(caller, expectedTokens, nowMs);
  if (admission instanceof Promise) throw new Error("the call waits for the database");
  return admission;
}
