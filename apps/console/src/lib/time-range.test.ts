import { expect, test } from "bun:test";
import { rangeField, resolveRange } from "./time-range.ts";

const read = (params: Readonly<Record<string, string>>) =>
  rangeField.read((name) => params[name] ?? "", "range");

const now = new Date("2026-11-21T01:42:10.500Z");

test.each([
  // The same moment is the 21st in Auckland at UTC+13 and the 20th in Los Angeles at UTC−8.
  ["today", "Pacific/Auckland", "2026-11-20T11:00:00.000Z"],
  ["today", "America/Los_Angeles", "2026-11-20T08:00:00.000Z"],
  ["7d", "Pacific/Auckland", "2026-11-14T11:00:00.000Z"],
  ["30d", "UTC", "2026-10-23T00:00:00.000Z"],
  ["month", "America/Los_Angeles", "2026-11-01T07:00:00.000Z"],
  ["24h", "UTC", "2026-11-20T02:00:00.000Z"],
  ["24h", "Asia/Kolkata", "2026-11-20T02:30:00.000Z"],
] as const)("USG-4 %s in %s begins with an hour or day of the reader", (name, zone, from) => {
  expect(resolveRange({ name }, zone, now)).toEqual({ from: new Date(from), to: now });
});

test("a custom range ends now at the latest", () => {
  const from = "2026-11-20T00:00:00.000Z";
  const range = read({ range: "7d", from, to: "2026-11-22T00:00:00.000Z" });
  expect(resolveRange(range, "UTC", now)).toEqual({ from: new Date(from), to: now });
});

test.each([
  [{}],
  [{ range: "yesteryear" }],
  [{ from: "2026-11-20", to: "2026-11-19" }],
  [{ from: "x", to: "y" }],
])("an invalid address shows the usual range: %j", (params) => {
  expect(read(params)).toEqual({ name: "7d" });
});
