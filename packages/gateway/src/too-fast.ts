// The refusal of a request beyond a limit of its key or its account.
import { Fault } from "@turnpike/base";

/** `x-ratelimit-*`. */
export type RateHeaders = Readonly<Record<string, string>>;
export const noHeaders: RateHeaders = {};

/** Asks the client for a new connection, which a load balancer may give to another instance. */
const leaveInstance: RateHeaders = { connection: "close" };

/** How long until this instance may grant the request, at the earliest. */
export type Wait = {
  readonly ms: number;
  readonly isShorterElsewhere: boolean;
  /** Follows the limit in the message. */
  readonly note?: string;
};

export function tooFast(
  who: "API key" | "account",
  limit: string,
  wait: Wait,
  rates: RateHeaders,
): Fault {
  const retryAfterMs = Math.max(1_000, Math.ceil(wait.ms));
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const source = who === "account" ? "account_limit" : "key_limit";
  return new Fault(
    "rate_limit_exceeded",
    `This ${who} is limited to ${limit}${wait.note ?? ""}. Please try again in ${seconds}s.`,
    {
      retryAfterMs,
      headers: wait.isShorterElsewhere ? { ...rates, ...leaveInstance } : rates,
      metadata: { limit_source: source, limit },
    },
  );
}
