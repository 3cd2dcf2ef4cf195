// The list of time zones: a former name leads to the present one, what is no zone is UTC.
import { expect, test } from "bun:test";
import { findTimeZone, listTimeZoneNames, timeZoneOrUtc } from "./time-zone.ts";

test.each([
  ["Europe/Vienna", "Europe/Vienna"],
  ["europe/vienna", "Europe/Vienna"],
  ["US/Pacific-New", "America/Los_Angeles"],
  ["Canada/East-Saskatchewan", "America/Regina"],
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Etc/UTC", "UTC"],
  ["UTC", "UTC"],
  ["Etc/GMT-14", "Etc/GMT-14"],
])("%s is %s", (name, zone) => {
  expect(findTimeZone(name)).toBe(zone);
});

test.each([
  "Etc/Unknown",
  "Foo/Bar",
  "",
  "+05:00",
  "localtime",
  "posix/Europe/Berlin",
  "__proto__",
])("%p is no zone, and shown as UTC", (name) => {
  expect(findTimeZone(name)).toBeUndefined();
  expect(timeZoneOrUtc(name)).toBe("UTC");
});

test("every zone that a browser lists is found, and what is found is known to one", () => {
  const listed = Intl.supportedValuesOf("timeZone");
  expect(listed.filter((zone) => findTimeZone(zone) === undefined)).toEqual([]);
  const found = new Set(listTimeZoneNames().map(timeZoneOrUtc));
  for (const timeZone of found) {
    expect(() => new Intl.DateTimeFormat("en", { timeZone })).not.toThrow();
  }
  expect(found.size).toBeGreaterThan(400);
});
