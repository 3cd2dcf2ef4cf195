// What follows when the call of a line is refused or fails: the answer of the line is the error, or the line runs again later. What
// every other line would get too pauses the whole batch.
import type { Fault, FaultCode } from "@turnpike/base";
import type { LineEnding } from "@turnpike/batches";

/** There is no money, or the key may not spend now: until somebody changes that, or the batch expires. */
const unpaid: ReadonlySet<FaultCode> = new Set([
  "insufficient_quota",
  "key_limit_reached",
  "budget_reached",
  "account_frozen",
  "account_suspended",
  "key_disabled",
]);
const unpaidSeconds = 60;

/** Too fast, or this process cannot take calls now. */
const tooFast: ReadonlySet<FaultCode> = new Set([
  "rate_limit_exceeded",
  "throttled",
  "overloaded",
  "maintenance",
  "database_unavailable",
  "clock_wrong",
  "shutting_down",
]);
const tooFastSeconds = 5;

/** Refusals that pause the whole batch. */
export const pausingCodes: ReadonlySet<string> = new Set([...unpaid, ...tooFast]);

/** Another attempt may succeed. */
const passing: ReadonlySet<FaultCode> = new Set([
  "bad_gateway",
  "upstream_timeout",
  "upstream_rate_limited",
  "upstream_overloaded",
  "model_unavailable",
  "internal_error",
]);
/** The pauses after the first, second, … failure; after the last one the line has failed. */
const passingSeconds = [5, 30, 120, 600, 1_800];

/** Undefined: the error is the answer. */
export function endingOfFault({ code, details }: Fault, failures: number): LineEnding | undefined {
  const isCharged = details.isCharged === true;
  const waits = { kind: "waits", isCharged, isFailure: false } as const;
  if (unpaid.has(code)) return { ...waits, seconds: unpaidSeconds, pausedBy: code };
  if (tooFast.has(code)) {
    const seconds = Math.max(tooFastSeconds, Math.ceil((details.retryAfterMs ?? 0) / 1_000));
    return { ...waits, seconds, pausedBy: code };
  }
  const seconds = passingSeconds[failures - 1];
  if (!passing.has(code) || seconds === undefined) return undefined;
  return { ...waits, seconds, isFailure: true };
}
