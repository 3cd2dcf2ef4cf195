import { expect, test } from "bun:test";
import { formatDateTime, formatDay, formatMoment, formatRelative, formatReset } from "./time.ts";

const now = new Date("2026-11-12T14:03:00Z");
const before = (ms: number) => formatRelative(new Date(now.getTime() - ms), now);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test("FMT-1 times are relative for seven days, then a date", () => {
  const shown = [0, 59_000, minute, 3 * minute, 59 * minute, hour, 23 * hour, day, 7 * day];
  expect(shown.map(before)).toEqual([
    "just now",
    "just now",
    "1 min ago",
    "3 min ago",
    "59 min ago",
    "1 h ago",
    "23 h ago",
    "1 day ago",
    "7 days ago",
  ]);
  expect(before(7 * day + 1)).toBeUndefined();
  expect(before(-6 * hour)).toBe("in 6 h");
  expect(formatDateTime(now, "UTC")).toBe("Nov 12, 2026, 14:03");
});

test("FMT-1 a time ahead is rounded to the nearest unit, so that 24 hours are not 23 h at once", () => {
  const left = [
    61_000,
    59 * minute,
    hour - 1,
    89 * minute,
    23 * hour,
    day - 1_000,
    7 * day - 1_000,
  ];
  expect(left.map((ms) => before(-ms))).toEqual([
    "in 1 min",
    "in 59 min",
    "in 1 h",
    "in 1 h",
    "in 23 h",
    "in 1 day",
    "in 7 days",
  ]);
});

test("FMT-1 a moment names its zone and the same instant in UTC", () => {
  expect(formatMoment(now, "America/New_York")).toBe(
    "Nov 12, 2026, 09:03:00 EST · Nov 12, 2026, 14:03:00 UTC",
  );
  expect(formatMoment(now, "UTC")).toBe("Nov 12, 2026, 14:03:00 UTC");
});

test("a calendar day stays that day in every zone", () => {
  expect(formatDay("2026-11-12")).toBe("Nov 12");
});

test("a budget says when it resets, in UTC", () => {
  expect(formatReset(new Date("2026-11-13T00:00:00Z"), now)).toBe("in 10 h, 00:00 UTC");
  expect(formatReset(new Date("2026-12-01T00:00:00Z"), now)).toBe("in 18 days (Dec 1, 00:00 UTC)");
});
