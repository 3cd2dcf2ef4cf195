// Which stretch of time a page is about: a name that stays true tomorrow, or two moments. Named
// ranges begin where an hour or a day of the reader begins, so that no bar is cut in half.
import { dayOf, formatClock, startOfDay } from "./format.ts";

export const rangeNames = ["today", "24h", "7d", "30d", "month"] as const;
export type RangeName = (typeof rangeNames)[number];

/** As in the address: `?range=7d`, or `?from=…&to=…` in ISO 8601. */
export type RangeParams = { range?: string; from?: string; to?: string };

export type ChosenRange =
  | { readonly name: RangeName }
  | { readonly name: "custom"; readonly from: string; readonly to: string };

export const defaultRange: RangeName = "7d";

export function readRange({ range, from, to }: RangeParams): ChosenRange {
  if (from !== undefined && to !== undefined && Date.parse(from) < Date.parse(to)) {
    return { name: "custom", from, to };
  }
  return { name: rangeNames.find((known) => known === range) ?? defaultRange };
}

/** What to write into the address; the default leaves no trace. */
export function rangeParams(range: ChosenRange): Record<keyof RangeParams, string | undefined> {
  if (range.name === "custom") return { range: undefined, from: range.from, to: range.to };
  const name = range.name === defaultRange ? undefined : range.name;
  return { range: name, from: undefined, to: undefined };
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The range at this moment; what has not happened yet is left out. */
export function resolveRange(range: ChosenRange, timeZone: string, now: Date) {
  if (range.name === "custom") {
    const [from, to] = [new Date(range.from), new Date(range.to)];
    return { from, to: from < now && now < to ? now : to };
  }
  const today = dayOf(now, timeZone);
  const starts = {
    today: () => startOfDay(today, timeZone),
    "24h": () => new Date(startOfHour(now, timeZone).getTime() - 23 * hourMs),
    "7d": () => startOfDay(daysBefore(today, 6), timeZone),
    "30d": () => startOfDay(daysBefore(today, 29), timeZone),
    month: () => startOfDay(`${today.slice(0, 8)}01`, timeZone),
  } satisfies Record<RangeName, () => Date | undefined>;
  const from = starts[range.name]() ?? new Date(now.getTime() - dayMs);
  // A range has a length, also in the very moment a day begins.
  return { from, to: new Date(Math.max(now.getTime(), from.getTime() + 1)) };
}

/** Zones differ from UTC by half hours too. */
function startOfHour(at: Date, timeZone: string): Date {
  const minutes = Number(formatClock(at, timeZone).slice(-2));
  return new Date(Math.floor(at.getTime() / minuteMs) * minuteMs - minutes * minuteMs);
}

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * dayMs).toISOString().slice(0, 10);
}
