// The refusal of a request beyond a limit of its key or its account.
import { Fault } from "@turnpike/base";

/** `x-ratelimit-*`. */
export type RateHeaders = Readonly<Record<string, string>>;
export const noHeaders: RateHeaders = {};

/** Asks the client for a new connection, which a load balancer may give to another instance. */
const leaveInstance: RateHeaders = { connection: "close" };

/**
 * `share` is what this instance may grant of the limit; if it has none, another instance may grant
 * it immediately.
 */
export function tooFast(
  who: "API key" | "account",
  limit: string,
  share: number,
  waitMs: number,
  rates: RateHeaders,
): Fault {
  const neededMs = share === 0 ? 0 : Math.ceil(waitMs);
  const retryAfterMs = Math.min(60_000, Math.max(1_000, neededMs));
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const source = who === "account" ? "account_limit" : "key_limit";
  return new Fault(
    "rate_limit_exceeded",
    `This ${who} is limited to ${limit}. Please try again in ${seconds}s.`,
    {
      retryAfterMs,
      headers: share === 0 ? { ...rates, ...leaveInstance } : rates,
      metadata: { limit_source: source, limit },
    },
  );
}
