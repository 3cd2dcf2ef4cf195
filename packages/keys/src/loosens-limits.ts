// Whether new limits let a key do anything the old ones did not: that needs a recent proof of
// identity, while making them tighter never does. Limits that cannot be compared count as looser.

import { parseAddressRange } from "@turnpike/base";
import type { KeyLimits, SpendPeriod } from "./key-limits.ts";

const periods: readonly SpendPeriod[] = ["day", "week", "month", "total"];
const rates = ["requestsPerMinute", "tokensPerMinute", "concurrency"] as const;

export function loosensLimits(before: KeyLimits, after: KeyLimits): boolean {
  return (
    periods.some((period) =>
      isHigher(before.spendLimitNanos[period], after.spendLimitNanos[period]),
    ) ||
    rates.some((rate) => isHigher(before[rate], after[rate])) ||
    isHigher(before.expiresAt?.getTime(), after.expiresAt?.getTime()) ||
    isWider(before.allowedModels, after.allowedModels, (old, entry) => old === entry) ||
    isWider(before.allowedAddresses, after.allowedAddresses, contains)
  );
}

/** No limit counts as the highest. */
function isHigher(
  before: bigint | number | undefined,
  after: bigint | number | undefined,
): boolean {
  if (before === undefined) return false;
  return after === undefined || after > before;
}

/** A missing list allows everything, an empty one nothing. */
function isWider(
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
  covers: (old: string, entry: string) => boolean,
): boolean {
  if (before === undefined) return false;
  if (after === undefined) return true;
  return !after.every((entry) => before.some((old) => covers(old, entry)));
}

/** Whether every address of `inner` is in `outer`. */
function contains(outer: string, inner: string): boolean {
  const [old, entry] = [parseAddressRange(outer), parseAddressRange(inner)];
  if (old === undefined || entry === undefined) return outer === inner;
  return old.first <= entry.first && entry.last <= old.last;
}
