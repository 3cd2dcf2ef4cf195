// Formats times: relative for a week, then as a date; with the zone wherever the exact time is shown.
import { language } from "./locale.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
export const relativeForMs = 7 * dayMs;

/** Used unless Settings names another; every chart prints it. */
export function browserTimeZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return isKnownZone(zone) ? zone : "UTC";
}

/**
 * A browser without a name for the zone of its system may report an offset, which reports cannot use, or `Etc/Unknown`,
 * which it does not know itself.
 */
export function isKnownZone(zone: string): boolean {
  if (!/^[A-Z]/i.test(zone) || zone === "Etc/Unknown") return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

export type RelativeWords = {
  readonly now: string;
  readonly ago: (amount: string) => string;
  readonly ahead: (amount: string) => string;
};

const english: RelativeWords = {
  now: "just now",
  ago: (amount) => `${amount} ago`,
  ahead: (amount) => `in ${amount}`,
};

/** `3 min ago`, `in 6 h`, `2 days ago`; undefined beyond seven days. */
export function formatRelative(at: Date, now: Date, words = english): string | undefined {
  const distanceMs = at.getTime() - now.getTime();
  const absoluteMs = Math.abs(distanceMs);
  if (absoluteMs > relativeForMs) return undefined;
  if (absoluteMs < minuteMs) return words.now;
  return distanceMs < 0
    ? words.ago(formatAmountOfTime(absoluteMs))
    : words.ahead(formatTimeAhead(absoluteMs));
}

/** One unit, rounded down: `3 min`, `6 h`, `2 days`. */
function formatAmountOfTime(durationMs: number): string {
  if (durationMs < hourMs) return `${Math.max(1, Math.floor(durationMs / minuteMs))} min`;
  if (durationMs < dayMs) return `${Math.floor(durationMs / hourMs)} h`;
  return formatDays(Math.floor(durationMs / dayMs));
}

/** One unit, rounded to the nearest: what ends in 23 h 59 min was just set to end in a day. */
function formatTimeAhead(durationMs: number): string {
  const minutes = Math.max(1, Math.round(durationMs / minuteMs));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(durationMs / hourMs);
  return hours < 24 ? `${hours} h` : formatDays(Math.round(durationMs / dayMs));
}

function formatDays(days: number): string {
  const format = { style: "unit", unit: "day", unitDisplay: "long" } as const;
  return new Intl.NumberFormat("en", format).format(days);
}

/** `Nov 12, 2026, 14:03`. */
export function formatDateTime(at: Date, timeZone: string): string {
  return `${formatDate(at, timeZone)}, ${formatClock(at, timeZone)}`;
}

/** `Nov 12, 2026, 14:03 UTC`: in sentences for readers who may be anywhere. */
export function formatUtc(at: Date): string {
  return `${formatDateTime(at, "UTC")} UTC`;
}

/**
 * One instant among many of the same minute: `Nov 12, 14:03:27` or `Nov 12, 2026, 14:03:27.045`. To the
 * second the current year is omitted.
 */
export function formatInstant(
  at: Date,
  now: Date,
  timeZone: string,
  precision: "second" | "millisecond",
): string {
  const isExact = precision === "millisecond";
  const year = new Intl.DateTimeFormat("en", { timeZone, year: "numeric" });
  const withYear = isExact || year.format(at) !== year.format(now);
  return new Intl.DateTimeFormat(language(), {
    timeZone,
    day: "numeric",
    month: "short",
    ...(withYear && { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    ...(isExact && { fractionalSecondDigits: 3 }),
    hourCycle: "h23",
  }).format(at);
}

/** `Nov 12, 2026`. */
export function formatDate(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat(language(), {
    timeZone,
    day: "numeric",
    month: "short",
    year: "numeric",
  }).format(at);
}

/** `Nov 12`, for axes; the day is a calendar day as the API sends it, `2026-11-12`. */
export function formatDay(day: string): string {
  return new Intl.DateTimeFormat(language(), {
    timeZone: "UTC",
    day: "numeric",
    month: "short",
  }).format(new Date(`${day.slice(0, 10)}T00:00:00Z`));
}

/** `November 2026`, of `2026-11`. */
export function formatMonth(month: string): string {
  return new Intl.DateTimeFormat(language(), {
    timeZone: "UTC",
    month: "long",
    year: "numeric",
  }).format(new Date(`${month}-01T00:00:00Z`));
}

/** `14:03`. */
export function formatClock(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat(language(), {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(at);
}

/** Local time with its zone and the same moment in UTC, to the second: for tooltips. */
export function formatMoment(at: Date, timeZone: string): string {
  const print = (zone: string) =>
    new Intl.DateTimeFormat(language(), {
      timeZone: zone,
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
      timeZoneName: "short",
    }).format(at);
  return timeZone === "UTC" ? print("UTC") : `${print(timeZone)} · ${print("UTC")}`;
}

/** Budgets reset on UTC boundaries: `in 6 h, 00:00 UTC`, `in 6 days (Dec 1, 00:00 UTC)`. */
export function formatReset(resetsAt: Date, now: Date): string {
  const waitMs = Math.max(0, resetsAt.getTime() - now.getTime());
  const amount = `in ${formatTimeAhead(waitMs)}`;
  const clock = `${formatClock(resetsAt, "UTC")} UTC`;
  if (waitMs < dayMs) return `${amount}, ${clock}`;
  return `${amount} (${formatDay(resetsAt.toISOString())}, ${clock})`;
}
