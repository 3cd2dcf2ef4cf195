import { expect, test } from "bun:test";
import { dayOf, isDay, nextDay, startOfDay } from "./zoned-day.ts";

test.each([
  ["2026-11-12", "UTC", "2026-11-12T00:00:00.000Z"],
  ["2026-11-12", "Pacific/Tongatapu", "2026-11-11T11:00:00.000Z"],
  ["2026-11-12", "America/Los_Angeles", "2026-11-12T08:00:00.000Z"],
  ["2026-11-12", "Asia/Kathmandu", "2026-11-11T18:15:00.000Z"],
  // On the days when clocks change, and where midnight itself is skipped.
  ["2026-03-29", "Europe/Vienna", "2026-03-28T23:00:00.000Z"],
  ["2026-10-26", "Europe/Vienna", "2026-10-25T23:00:00.000Z"],
  ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00.000Z"],
])("%s in %s begins at %s", (day, zone, begins) => {
  const start = startOfDay(day, zone);
  expect(start?.toISOString()).toBe(begins);
  expect(dayOf(new Date(begins), zone)).toBe(day);
  expect(dayOf(new Date(Date.parse(begins) - 1), zone) < day).toBe(true);
});

test("an invalid day has no start", () => {
  for (const text of ["", "2026-02-30", "12.11.2026", "2026-13-01"]) {
    expect(isDay(text)).toBe(false);
    expect(startOfDay(text, "UTC")).toBeUndefined();
  }
});

test("the day after the last of a month is the first of the next", () => {
  expect(nextDay("2026-12-31")).toBe("2027-01-01");
});
