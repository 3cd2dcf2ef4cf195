// The buckets of a chart in words: where each begins and ends in the reader's time zone, and which
// one is still running.
import { dayOf, formatClock, formatDay, nextDay, startOfDay } from "../format.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A number is a width in milliseconds, for buckets that follow no calendar. */
export type BucketSize = "hour" | "day" | number;

function isDaily(size: BucketSize): boolean {
  return size === "day" || (typeof size === "number" && size >= dayMs);
}

/** On the axis: `12 Nov`, or `14:00`. */
export function shortBucket(at: string, size: BucketSize, timeZone: string): string {
  const date = new Date(at);
  return isDaily(size) ? formatDay(dayOf(date, timeZone)) : formatClock(date, timeZone);
}

/** Wherever it stands alone: `12 Nov`, or `12 Nov, 14:00`. */
export function fullBucket(at: string, size: BucketSize, timeZone: string): string {
  const date = new Date(at);
  const day = formatDay(dayOf(date, timeZone));
  return size === "day" ? day : `${day}, ${formatClock(date, timeZone)}`;
}

/** Where the bucket that begins at `at` ends, whatever the clocks do. */
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
