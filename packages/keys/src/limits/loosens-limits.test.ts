// Tighter limits need no recent proof, looser ones do, and a mix of both counts as looser.

import { describe, expect, test } from "bun:test";
import { toNanos } from "@turnpike/terms";
import type { GuardrailRules } from "../guardrails/guardrail-rules.ts";
import type { KeyLimits } from "./key-limits.ts";
import { loosensGuardrail, loosensLimits } from "./loosens-limits.ts";

const soon = new Date("2030-01-01T00:00:00Z");
const later = new Date("2030-01-02T00:00:00Z");
const spend = (day: bigint): KeyLimits => ({ spendLimitNanos: { day: toNanos(day) } });
const none: KeyLimits = { spendLimitNanos: {} };
const withField = (field: Partial<KeyLimits>): KeyLimits => ({ ...none, ...field });

/** Pairs of a limit and one that allows more. */
const pairs: readonly (readonly [string, KeyLimits, KeyLimits])[] = [
  ["spend", spend(1n), spend(2n)],
  ["a spend limit of 0", spend(0n), spend(1n)],
  ["no spend limit", spend(1n), none],
  ...(["week", "month", "total"] as const).map(
    (period) =>
      [
        `spend in a ${period}`,
        { spendLimitNanos: { [period]: toNanos(1n) } },
        { spendLimitNanos: { [period]: toNanos(2n) } },
      ] as const,
  ),
  ["another period", spend(1n), { spendLimitNanos: { week: toNanos(1n) } }],
  ["requests", withField({ requestsPerMinute: 1 }), withField({ requestsPerMinute: 2 })],
  ["tokens", withField({ tokensPerMinute: 1 }), none],
  ["concurrency", withField({ concurrency: 1 }), withField({ concurrency: 2 })],
  ["expiry", withField({ expiresAt: soon }), withField({ expiresAt: later })],
  ["no expiry", withField({ expiresAt: soon }), none],
  ["a model", withField({ allowedModels: ["a"] }), withField({ allowedModels: ["a", "b"] })],
  ["no model allowed", withField({ allowedModels: [] }), withField({ allowedModels: ["a"] })],
  ["all models", withField({ allowedModels: ["a"] }), none],
  [
    "a wider network",
    withField({ allowedAddresses: ["10.1.0.0/16"] }),
    withField({ allowedAddresses: ["10.0.0.0/8"] }),
  ],
  [
    "an address outside",
    withField({ allowedAddresses: ["10.1.0.0/16"] }),
    withField({ allowedAddresses: ["10.1.2.3", "10.2.0.1"] }),
  ],
];

describe.each(pairs)("%s", (_, tight, loose) => {
  test("is looser in one direction only", () => {
    expect(loosensLimits(tight, loose)).toBe(true);
    expect(loosensLimits(tight, tight)).toBe(false);
    expect(loosensLimits(none, tight)).toBe(false);
  });
});

test("an address inside an allowed network is not looser", () => {
  const network = withField({ allowedAddresses: ["10.0.0.0/8", "2001:db8::/32"] });
  const inside = withField({ allowedAddresses: ["10.1.2.3", "2001:db8:1::/48"] });
  expect(loosensLimits(network, inside)).toBe(false);
});

test("one limit tighter and another looser is looser", () => {
  const before = { ...spend(5n), concurrency: 1 };
  expect(loosensLimits(before, { ...spend(1n), concurrency: 2 })).toBe(true);
});

test("an entry that is not an address is only inside itself", () => {
  const before = withField({ allowedAddresses: ["office"] });
  expect(loosensLimits(before, before)).toBe(false);
  expect(loosensLimits(before, withField({ allowedAddresses: ["10.0.0.1"] }))).toBe(true);
  const network = withField({ allowedAddresses: ["0.0.0.0/0"] });
  expect(loosensLimits(network, withField({ allowedAddresses: ["office"] }))).toBe(true);
});

const office = { days: [1, 2], fromMinute: 480, untilMinute: 1_080 };

/** Pairs of rules and of some that allow more. */
const guardrails: readonly (readonly [string, GuardrailRules, GuardrailRules])[] = [
  ["a price", { maxInputNanos: toNanos(1n) }, { maxInputNanos: toNanos(2n) }],
  ["no price of answers", { maxOutputNanos: toNanos(0n) }, {}],
  ["the cost of a call", { maxCallNanos: toNanos(1n) }, { maxCallNanos: toNanos(2n) }],
  ["training", { denyTraining: true }, { denyTraining: false }],
  ["retention", { denyRetention: true }, { denyTraining: true }],
  ["a wider pattern", { allowedModels: ["a/b*"] }, { allowedModels: ["a/*"] }],
  ["a pattern for a name", { allowedProviders: ["a"] }, { allowedProviders: ["a*"] }],
  ["no addresses", { allowedAddresses: ["10.0.0.0/8"] }, {}],
  ["another day", { allowedHours: office }, { allowedHours: { ...office, days: [1, 2, 3] } }],
  ["a later end", { allowedHours: office }, { allowedHours: { ...office, untilMinute: 1_081 } }],
  ["past midnight", { allowedHours: office }, { allowedHours: { ...office, untilMinute: 60 } }],
];

test.each(guardrails)("a guardrail with %s is looser in one direction only", (_, tight, loose) => {
  expect(loosensGuardrail(tight, loose)).toBe(true);
  expect(loosensGuardrail(tight, tight)).toBe(false);
  expect(loosensGuardrail({}, tight)).toBe(false);
});

test("a name inside a pattern and hours inside hours are not looser", () => {
  const wide = { allowedModels: ["a/*"], allowedHours: office };
  const hours = { days: [2], fromMinute: 500, untilMinute: 1_000 };
  const narrow = { allowedModels: ["a/b", "a/c*"], allowedHours: hours };
  expect(loosensGuardrail(wide, narrow)).toBe(false);
});
