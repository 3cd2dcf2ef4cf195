// Why no money was held, as the caller reads it: the code, whose limit it was, the amounts, and when to
// retry.
import { expect, test } from "bun:test";
import { toNanos } from "@turnpike/base";
import type { HoldRefusal } from "@turnpike/ledger";
import { refuseHold } from "./reserve-money.ts";

const needed = toNanos(1_500_000_000n);
const resetsAt = new Date("2026-12-01T00:00:00Z");

function refused(verdict: HoldRefusal, resets: Date | null = null) {
  const availableNanos = toNanos(250_000_000n);
  return refuseHold({ verdict, availableNanos, resetsAt: resets }, needed);
}

const sums = "This request needs at least $1.5 and $0.25 is available.";

test.each([
  ["balance", "insufficient_quota", "balance_too_low"],
  ["clamped", "insufficient_quota", "balance_too_low"],
  ["in_flight", "insufficient_quota", "in_flight_hold"],
  ["frozen", "account_frozen", "frozen"],
] as const)("%s: what is needed, what is available, and why", (verdict, code, reason) => {
  const fault = refused(verdict);
  expect<string>(fault.code).toBe(code);
  expect(fault.details.metadata).toMatchObject({
    limit_source: "account_balance",
    reason,
    needed_usd: "1.5",
    available_usd: "0.25",
  });
  if (verdict !== "frozen") expect(fault.message).toStartWith(sums);
  expect(fault.details.retryAfterMs).toBe(verdict === "in_flight" ? 1_000 : undefined);
});

test.each([
  ["key_day", "day", "its spend limit per day"],
  ["key_week", "week", "its spend limit per week"],
  ["key_month", "month", "its spend limit per month"],
  ["key_total", "total", "its spend limit"],
] as const)("%s: which limit of the key, and when it starts again", (verdict, period, limit) => {
  const resets = period === "total" ? null : resetsAt;
  const fault = refused(verdict, resets);
  const at = resets === null ? "" : " It resets at 2026-12-01T00:00:00.000Z.";
  expect(fault.message).toBe(`This API key reached ${limit}. ${sums}${at}`);
  expect<string>(fault.code).toBe("key_limit_reached");
  expect(fault.details.metadata).toEqual({
    limit_source: "key_limit",
    reason: "key_limit_reached",
    period,
    needed_usd: "1.5",
    available_usd: "0.25",
    reset_at: resets === null ? null : "2026-12-01T00:00:00.000Z",
  });
});

test.each([
  ["missing", "invalid_api_key"],
  ["key_revoked", "invalid_api_key"],
  ["suspended", "account_suspended"],
] as const)("%s says nothing about money", (verdict, code) => {
  const fault = refused(verdict);
  expect<string>(fault.code).toBe(code);
  expect(fault.message).not.toContain("$");
  expect(fault.details.metadata).toBeUndefined();
});
