// What people read of a command without --json: facts, tables, and amounts and times as in the console.
import { expect, test } from "bun:test";
import { describeAnswer } from "./describe-answer.ts";

test("facts have names in words, and amounts, times and counts as the console writes them", () => {
  const lines = describeAnswer({
    balanceUsd: "24.989999999",
    heldUsd: "0.000047",
    suspendedAt: null,
    createdAt: "2026-11-12T14:03:27.045Z",
    requestsPerMinute: 12_000,
    isOffered: true,
    prices: [],
  });
  expect(lines).toEqual([
    "Balance              $24.98",
    "Held                 $0.000047",
    "Suspended            —",
    "Created              Nov 12, 2026, 14:03 UTC",
    "Requests per minute  12,000",
    "Is offered           yes",
    "Prices               none",
  ]);
});

test("a list is a table whose figures end below each other, without columns that say nothing", () => {
  const row = { masked: "sk-tp-1…2", state: "active", spentUsd: "1.5", revokedAt: null };
  const lines = describeAnswer({
    keys: [row, { ...row, state: "revoked", spentUsd: "0.0129" }],
    warnings: ["the first", "the second"],
  });
  expect(lines).toEqual([
    "",
    "Keys:",
    "  Masked     State      Spent",
    "  sk-tp-1…2  active     $1.50",
    "  sk-tp-1…2  revoked  $0.0129",
    "",
    "Warnings:",
    "  the first",
    "  the second",
  ]);
});

test("nothing of an answer is written as JSON, however deep it is", () => {
  const lines = describeAnswer({
    total: { calls: 3, marginUsd: null, firstByteMs: { p50: 1_240, p95: null } },
    models: [{ id: "x/one", routes: [{ provider: "a", price: { inputUsd: "2.5" } }] }],
    text: "providers: []\nmodels: []",
  });
  expect(lines.slice(0, -1).join("\n")).not.toMatch(/[{}"]|\[/);
  expect(lines).toContain("  Margin  unknown");
  expect(lines).toContain("  First byte:");
  expect(lines).toContain("  x/one  provider a, price input $2.50");
  expect(lines.at(-1)).toBe("providers: []\nmodels: []");
});
