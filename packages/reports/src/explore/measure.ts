// What can be measured of a group of calls. Groups are merged before anything is derived from them, so a share or a
// percentile of several groups is that of all their calls, never an average of averages.
import { type Nanos, toNanos, type Unit, unitNames, zeroNanos } from "@turnpike/terms";
import { addDurations, addSlots, percentileOf, type Slots } from "../latency-counts.ts";
import { addUnitSums, type UnitSums } from "../usage-sums.ts";

export const measures = [
  "spend",
  "requests",
  "errors",
  "inputTokens",
  "outputTokens",
  "cachedTokens",
  "errorRate",
  "p50",
  "p95",
  ...unitNames,
] as const;
export type Measure = (typeof measures)[number];

/** Whether the values of groups add up to that of all. */
export function isSum(measure: Measure): boolean {
  return measure !== "errorRate" && !isLatency(measure);
}

export function isLatency(measure: Measure): boolean {
  return measure === "p50" || measure === "p95";
}

export function isUnit(measure: Measure): measure is Unit {
  return unitNames.some((unit) => unit === measure);
}

/** What a group of calls adds up to. */
export type Amounts = {
  readonly costNanos: Nanos;
  readonly requests: number;
  /** Refused and failed. */
  readonly errors: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly units: UnitSums;
  /** Of completed calls that were added up. */
  readonly slots: Slots;
  /** Of completed calls that were not, each of them. */
  readonly durationsMs: readonly number[];
};

export const noAmounts: Amounts = {
  costNanos: zeroNanos,
  requests: 0,
  errors: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  units: {},
  slots: [],
  durationsMs: [],
};

export function addAmounts(all: readonly Amounts[]): Amounts {
  const sum = (of: (one: Amounts) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    costNanos: toNanos(all.reduce((total, one) => total + one.costNanos, 0n)),
    requests: sum((one) => one.requests),
    errors: sum((one) => one.errors),
    inputTokens: sum((one) => one.inputTokens),
    outputTokens: sum((one) => one.outputTokens),
    cachedTokens: sum((one) => one.cachedTokens),
    units: addUnitSums(all.map(({ units }) => units)),
    slots: all.map(({ slots }) => slots).reduce(addSlots, []),
    durationsMs: all.flatMap(({ durationsMs }) => durationsMs),
  };
}

/** Nano-dollars, a count, a share or milliseconds; null where there is nothing to measure. */
export function measureOf(amounts: Amounts, measure: Measure): bigint | number | null {
  if (isUnit(measure)) return amounts.units[measure] ?? 0;
  switch (measure) {
    case "spend":
      return amounts.costNanos;
    case "errorRate":
      return amounts.requests === 0 ? null : amounts.errors / amounts.requests;
    case "p50":
      return percentile(amounts, 0.5);
    case "p95":
      return percentile(amounts, 0.95);
    default:
      return amounts[measure];
  }
}

/** Exact where every call is known; else from histograms, which differ by less than a tenth. */
function percentile({ slots, durationsMs }: Amounts, share: number): number | null {
  if (slots.length > 0) return percentileOf(addDurations(slots, durationsMs), share);
  const sorted = durationsMs.toSorted((one, other) => one - other);
  const rank = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (rank - Math.floor(rank));
}
