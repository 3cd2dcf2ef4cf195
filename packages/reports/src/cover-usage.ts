// Covers a range of time with as few rows as its sums need: days, quarters of a day, hours and quarters of an hour, none
// of which lies on both sides of a boundary, such as the midnight of a time zone.
import { usageBlockMinutes } from "@turnpike/db";
import type { UsagePlan } from "./plan-usage.ts";

/** Milliseconds since the epoch. */
export type Span = { readonly from: number; readonly to: number };

const minuteMs = 60_000;
export const quarterHourMinutes = 15;
const sizes = [...usageBlockMinutes.toReversed(), quarterHourMinutes] as const;

/** By the minutes of their blocks; each span is a whole number of them. `boundaries` ascend. */
export function coverUsage(
  { from, to, except }: NonNullable<UsagePlan["rolled"]>,
  boundaries: readonly number[],
): ReadonlyMap<number, readonly Span[]> {
  const covered = new Map<number, Span[]>();
  let at = from.getTime();
  for (const skipped of [...except.map((quarterHour) => quarterHour.getTime()), to.getTime()]) {
    const inside = boundaries.filter((boundary) => boundary > at && boundary < skipped);
    for (const end of [...inside, skipped]) {
      coverPart({ from: at, to: end }, covered);
      at = end;
    }
    at = skipped + quarterHourMinutes * minuteMs;
  }
  return covered;
}

function coverPart({ from, to }: Span, covered: Map<number, Span[]>): void {
  let at = from;
  while (at < to) {
    const fits = (minutes: number) =>
      at % (minutes * minuteMs) === 0 && at + minutes * minuteMs <= to;
    const minutes = sizes.find(fits) ?? quarterHourMinutes;
    const end = at + minutes * minuteMs;
    const spans = covered.get(minutes) ?? [];
    covered.set(minutes, spans);
    const last = spans.at(-1);
    if (last?.to === at) spans[spans.length - 1] = { from: last.from, to: end };
    else spans.push({ from: at, to: end });
    at = end;
  }
}
