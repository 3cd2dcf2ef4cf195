// The refusal of a request beyond a limit of its key, its project or its account.
import { Fault } from "@turnpike/base";
import type { RateSubjectKind } from "@turnpike/ledger";

/** `x-ratelimit-*`. */
export type RateHeaders = Readonly<Record<string, string>>;
export const noHeaders: RateHeaders = {};

const subjects: Readonly<Record<RateSubjectKind, string>> = {
  key: "API key",
  project: "project",
  account: "account",
};

/** `waitMs` is how long until the request may be granted, at the earliest. */
export function rateLimitFault(
  kind: RateSubjectKind,
  limit: string,
  waitMs: number,
  headers: RateHeaders,
): Fault {
  const retryAfterMs = Math.max(1_000, Math.ceil(waitMs));
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return new Fault(
    "rate_limit_exceeded",
    `This ${subjects[kind]} is limited to ${limit}. Please try again in ${seconds}s.`,
    { retryAfterMs, headers, metadata: { limit_source: `${kind}_limit`, limit } },
  );
}
