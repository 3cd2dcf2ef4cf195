// The buckets of a chart as text: when each begins and ends in the reader's time zone, and which
// one is still running.
import { dayOf, formatClock, formatDay, nextDay, startOfDay } from "../../lib/format.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A number is a width in milliseconds, for buckets without calendar boundaries. */
export type BucketSize = "hour" | "day" | number;

function isDaily(size: BucketSize): boolean {
  return size === "day" || (typeof size === "number" && size >= dayMs);
}

export type AxisName = { readonly index: number; readonly name: string };

/**
 * The buckets that could have a name on the axis: each of them, or if there are several days of
 * hours, the first of each day.
 */
export function axisNames(
  starts: readonly string[],
  size: BucketSize,
  timeZone: string,
): readonly AxisName[] {
  const days = starts.map((at) => dayOf(new Date(at), timeZone));
  const byDay = isDaily(size) || new Set(days).size > 3;
  return starts.flatMap((at, index) => {
    if (byDay && index > 0 && days[index] === days[index - 1]) return [];
    const name = byDay ? formatDay(days[index] ?? "") : formatClock(new Date(at), timeZone);
    return [{ index, name }];
  });
}

/** As shown on its own: `Nov 12`, or `Nov 12, 14:00`. */
export function fullBucket(at: string, size: BucketSize, timeZone: string): string {
  const date = new Date(at);
  const day = formatDay(dayOf(date, timeZone));
  return size === "day" ? day : `${day}, ${formatClock(date, timeZone)}`;
}

/** Where the bucket that begins at `at` ends, also across clock changes. */
export function bucketEnd(at: string, size: BucketSize, timeZone: string): Date {
  const start = new Date(at);
  if (size === "day") {
    const next = startOfDay(nextDay(dayOf(start, timeZone)), timeZone);
    if (next) return next;
  }
  const lengthMs = typeof size === "number" ? size : size === "hour" ? hourMs : dayMs;
  return new Date(start.getTime() + lengthMs);
}

export function isRunning(at: string, size: BucketSize, timeZone: string, now: Date): boolean {
  return new Date(at) <= now && now < bucketEnd(at, size, timeZone);
}
