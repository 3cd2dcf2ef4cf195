// What compiled guardrails decide: the hours in a time zone, across midnight and the change of the clocks, and which
// of several limits is the strictest.
import { expect, test } from "bun:test";
import { toNanos } from "@turnpike/terms";
import { compileGuardrails, isWithinHours, type OwnedRules } from "./compile-guardrails.ts";
import type { AllowedHours } from "./guardrail-rules.ts";

const weekdays = [1, 2, 3, 4, 5];
const office: AllowedHours = { days: weekdays, fromMinute: 8 * 60, untilMinute: 18 * 60 };
const nights: AllowedHours = { days: [5], fromMinute: 22 * 60, untilMinute: 6 * 60 };
const fridays: AllowedHours = { days: [5], fromMinute: 0, untilMinute: 24 * 60 };

function isAllowed(hours: AllowedHours, timeZone: string, at: string): boolean {
  const owner = { kind: "key", name: "" } as const;
  const compiled = compileGuardrails([{ owner, rules: { allowedHours: hours } }], timeZone);
  if (compiled === undefined) throw new Error("a rule compiles to something");
  return isWithinHours(hours, compiled.clock, new Date(at));
}

test.each([
  // 2026-11-23 is a Monday.
  ["UTC", "2026-11-23T07:59:59.999Z", false],
  ["UTC", "2026-11-23T08:00:00Z", true],
  ["UTC", "2026-11-23T17:59:59Z", true],
  ["UTC", "2026-11-23T18:00:00Z", false],
  ["UTC", "2026-11-22T12:00:00Z", false],
  ["Europe/Berlin", "2026-11-23T07:00:00Z", true],
  ["Europe/Berlin", "2026-11-23T17:00:00Z", false],
  // In summer the same wall clock is another hour of UTC.
  ["Europe/Berlin", "2026-07-20T06:00:00Z", true],
  ["Europe/Berlin", "2026-07-20T16:00:00Z", false],
  // Already Monday there, still Sunday in UTC.
  ["Pacific/Auckland", "2026-11-22T20:00:00Z", true],
])("office hours in %s at %s: %s", (timeZone, at, allowed) => {
  expect(isAllowed(office, timeZone, at)).toBe(allowed);
});

test.each([
  ["2026-11-27T21:59:00Z", false],
  ["2026-11-27T22:00:00Z", true],
  ["2026-11-28T05:59:00Z", true],
  ["2026-11-28T06:00:00Z", false],
  // Friday morning belongs to Thursday's night.
  ["2026-11-27T05:00:00Z", false],
])("a window past midnight belongs to the day it begins on: %s is %s", (at, allowed) => {
  expect(isAllowed(nights, "UTC", at)).toBe(allowed);
});

test("a window until 24:00 has the whole day and no minute of the next one", () => {
  expect(isAllowed(fridays, "UTC", "2026-11-27T00:00:00Z")).toBe(true);
  expect(isAllowed(fridays, "UTC", "2026-11-27T23:59:59Z")).toBe(true);
  expect(isAllowed(fridays, "UTC", "2026-11-28T00:00:00Z")).toBe(false);
});

test("no rule compiles to nothing, and the lowest limit keeps the name of its owner", () => {
  expect(compileGuardrails([], "UTC")).toBeUndefined();
  const limits = [5n, 2n, 3n].map(
    (most, index): OwnedRules => ({
      owner: { kind: (["account", "project", "key"] as const)[index] ?? "key", name: "" },
      rules: { maxCallNanos: toNanos(most) },
    }),
  );
  const compiled = compileGuardrails(limits, "UTC");
  expect(compiled?.maxCall).toMatchObject({ owner: { kind: "project" }, value: 2n });
  expect(compiled?.rulesRoutes).toBe(false);
});
