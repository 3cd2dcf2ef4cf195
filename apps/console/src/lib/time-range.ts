// The time range of a page: a relative name, or two instants. Named ranges begin at the start of an hour
// or day in the reader's time zone, so that no bar of a chart is partial.
import { dayOf, formatClock, startOfDay } from "./format.ts";
import type { Field } from "./use-address.ts";

const rangeNames = ["today", "24h", "7d", "30d", "month"] as const;
export type RangeName = (typeof rangeNames)[number];

export type ChosenRange =
  | { readonly name: RangeName }
  | { readonly name: "custom"; readonly from: string; readonly to: string };

const defaultRange: RangeName = "7d";

/** `?range=7d`, or `?from=…&to=…` in ISO 8601. */
export const rangeField: Field<ChosenRange> = {
  read(param) {
    const [from, to] = [param("from"), param("to")];
    if (Date.parse(from) < Date.parse(to)) return { name: "custom", from, to };
    return { name: rangeNames.find((known) => known === param("range")) ?? defaultRange };
  },
  write(range) {
    if (range.name === "custom") return { range: undefined, from: range.from, to: range.to };
    const name = range.name === defaultRange ? undefined : range.name;
    return { range: name, from: undefined, to: undefined };
  },
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The range as of `now`; the future is excluded. */
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
  // A range is never empty, not even at the instant a day begins.
  return { from, to: new Date(Math.max(now.getTime(), from.getTime() + 1)) };
}

/** Some zones differ from UTC by half hours. */
function startOfHour(at: Date, timeZone: string): Date {
  const minutes = Number(formatClock(at, timeZone).slice(-2));
  return new Date(Math.floor(at.getTime() / minuteMs) * minuteMs - minutes * minuteMs);
}

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * dayMs).toISOString().slice(0, 10);
}
