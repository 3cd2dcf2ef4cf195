// The limits of a key as they are written to its row, where a key is minted or changed.
import { Fault } from "@turnpike/base";
import type { KeyLimits, LimitColumns } from "./key-limits.ts";

/** The columns of these limits. Throws `invalid_value` for a limit that is negative. */
export function limitColumns(limits: KeyLimits): LimitColumns {
  const { day, week, month, total } = limits.spendLimitNanos;
  refuseNegative({
    day,
    week,
    month,
    total,
    requestsPerMinute: limits.requestsPerMinute,
    tokensPerMinute: limits.tokensPerMinute,
    concurrency: limits.concurrency,
  });
  return {
    dayLimitNanos: day ?? null,
    weekLimitNanos: week ?? null,
    monthLimitNanos: month ?? null,
    totalLimitNanos: total ?? null,
    requestsPerMinute: limits.requestsPerMinute ?? null,
    tokensPerMinute: limits.tokensPerMinute ?? null,
    concurrency: limits.concurrency ?? null,
    allowedModels: limits.allowedModels?.slice() ?? null,
    allowedAddresses: limits.allowedAddresses?.slice() ?? null,
    expiresAt: limits.expiresAt ?? null,
  };
}

function refuseNegative(limits: Readonly<Record<string, number | bigint | undefined>>): void {
  for (const [param, limit] of Object.entries(limits)) {
    if (limit !== undefined && limit < 0) {
      throw new Fault("invalid_value", `The limit ${param} must not be negative.`, { param });
    }
  }
}
