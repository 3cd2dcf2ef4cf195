// The limits of a key through its form and back: nothing the form does not show is lost.
import { expect, test } from "bun:test";
import { limitsInput, limitValuesOf, noLimitValues } from "./key-limits.ts";
import type { Key } from "./key-row.tsx";

const none = { spentUsd: "0", heldUsd: "0", limitUsd: null, resetsAt: null };

const key: Key = {
  id: "0199aaaa-0000-7000-8000-000000000000",
  name: "ci",
  masked: "sk-tp-abcd…wxyz",
  status: "active",
  createdAt: "2026-11-01T00:00:00.000Z",
  createdBy: null,
  lastUsedAt: null,
  expiresAt: "2027-01-01T00:00:00.000Z",
  previousUntil: null,
  limits: {
    spendLimitsUsd: { day: "1", week: null, month: "10", total: null },
    requestsPerMinute: 60,
    tokensPerMinute: null,
    concurrency: null,
    allowedModels: null,
    allowedAddresses: ["10.0.0.0/8"],
    expiresAt: "2027-01-01T00:00:00.000Z",
  },
  spend: { day: none, week: none, month: none, total: none },
} as Key;

test("a form saved unchanged keeps every limit of its key, shown or not", () => {
  expect(limitsInput(limitValuesOf(key), key)).toEqual({
    spendLimitsUsd: { day: "1", month: "10" },
    requestsPerMinute: 60,
    allowedAddresses: ["10.0.0.0/8"],
    expiresAt: "2027-01-01T00:00:00.000Z",
  });
});

test("the limit the form shows may be taken away or moved to another period", () => {
  const shown = limitValuesOf(key);
  expect(limitsInput({ ...shown, amount: "" }, key)?.spendLimitsUsd).toEqual({ month: "10" });
  const moved = limitsInput({ ...shown, period: "total", amount: "2" }, key);
  expect(moved?.spendLimitsUsd).toEqual({ month: "10", total: "2" });
});

test("an empty form limits nothing", () => {
  expect(limitsInput(noLimitValues)).toBeUndefined();
});
