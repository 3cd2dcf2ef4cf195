// The limits of a key through its form and back: nothing the form does not show is lost.
import { expect, test } from "bun:test";
import type { Key } from "../../product/keys/key-spend.tsx";
import { limitsInput, limitValuesOf, noLimitValues } from "./key-limits.ts";

const key: Pick<Key, "limits" | "expiresAt"> = {
  expiresAt: "2027-01-01T00:00:00.000Z",
  limits: {
    spendLimitsUsd: { day: "1", week: null, month: "10", total: null },
    requestsPerMinute: 60,
    tokensPerMinute: null,
    concurrency: null,
    allowedModels: null,
    allowedAddresses: ["10.0.0.0/8"],
    expiresAt: "2027-01-01T00:00:00.000Z",
  },
};

test("a form saved unchanged keeps every limit of its key, shown or not", () => {
  expect(limitsInput(limitValuesOf(key), "UTC", key)).toEqual({
    spendLimitsUsd: { day: "1", month: "10" },
    requestsPerMinute: 60,
    allowedAddresses: ["10.0.0.0/8"],
    expiresAt: "2027-01-01T00:00:00.000Z",
  });
});

test("the limit in the form can be removed or moved to another period", () => {
  const shown = limitValuesOf(key);
  expect(limitsInput({ ...shown, amount: "" }, "UTC", key)?.spendLimitsUsd).toEqual({
    month: "10",
  });
  const moved = limitsInput({ ...shown, period: "total", amount: "2" }, "UTC", key);
  expect(moved?.spendLimitsUsd).toEqual({ month: "10", total: "2" });
});

test("an empty form limits nothing", () => {
  expect(limitsInput(noLimitValues, "UTC")).toBeUndefined();
});

test.each([
  ["America/New_York", "2027-01-01T04:59:59.000Z"],
  ["Pacific/Auckland", "2026-12-31T10:59:59.000Z"],
])("a key's last day ends in the reader's time zone, %s", (timeZone, expiresAt) => {
  const chosen = { ...noLimitValues, expiry: "date", expiryDate: "2026-12-31" };
  expect(limitsInput(chosen, timeZone)).toEqual({ expiresAt });
});
