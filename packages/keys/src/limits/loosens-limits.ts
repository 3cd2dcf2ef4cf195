// Whether new limits or guardrails allow anything the old ones did not: that needs a recent proof of
// identity, while making them tighter never does. Limits that cannot be compared count as looser.

import { parseAddressRange } from "@turnpike/base";
import { budgetPeriods } from "@turnpike/terms";
import {
  type AllowedHours,
  type GuardrailRules,
  matchesName,
} from "../guardrails/guardrail-rules.ts";
import type { KeyLimits } from "./key-limits.ts";

const rates = ["requestsPerMinute", "tokensPerMinute", "concurrency"] as const;

export function loosensLimits(before: KeyLimits, after: KeyLimits): boolean {
  return (
    budgetPeriods.some((period) =>
      isHigher(before.spendLimitNanos[period], after.spendLimitNanos[period]),
    ) ||
    rates.some((rate) => isHigher(before[rate], after[rate])) ||
    isHigher(before.expiresAt?.getTime(), after.expiresAt?.getTime()) ||
    loosensGuardrail(before, after)
  );
}

const prices = ["maxInputNanos", "maxOutputNanos", "maxCallNanos"] as const;
const denials = ["denyTraining", "denyRetention"] as const;

export function loosensGuardrail(before: GuardrailRules, after: GuardrailRules): boolean {
  return (
    prices.some((most) => isHigher(before[most], after[most])) ||
    denials.some((denial) => before[denial] === true && after[denial] !== true) ||
    isWider(before.allowedModels, after.allowedModels, coversNames) ||
    isWider(before.allowedProviders, after.allowedProviders, coversNames) ||
    isWider(before.allowedAddresses, after.allowedAddresses, contains) ||
    areLonger(before.allowedHours, after.allowedHours)
  );
}

/** A window that passes midnight is only compared with itself. */
function areLonger(before: AllowedHours | undefined, after: AllowedHours | undefined): boolean {
  if (before === undefined) return false;
  if (after === undefined || after.days.some((day) => !before.days.includes(day))) return true;
  if (before.fromMinute === after.fromMinute && before.untilMinute === after.untilMinute) {
    return false;
  }
  const isOneDay = before.fromMinute < before.untilMinute && after.fromMinute < after.untilMinute;
  const isInside = before.fromMinute <= after.fromMinute && after.untilMinute <= before.untilMinute;
  return !isOneDay || !isInside;
}

/** Whether every name that `inner` stands for is one that `outer` stands for. */
function coversNames(outer: string, inner: string): boolean {
  return inner.endsWith("*")
    ? outer.endsWith("*") && matchesName(outer, inner.slice(0, -1))
    : matchesName(outer, inner);
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
