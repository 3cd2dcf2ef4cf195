// The `Server-Timing` header adds up: what is not the upstream's time is the gateway's.
import { expect, test } from "bun:test";
import { completionTiming, refusalTiming } from "./server-timing.ts";

test("an answer names its parts in hundredths of a millisecond", () => {
  const times = { authMs: 0.123, holdMs: 4, upstreamMs: 200.456, elapsedMs: 210 };
  expect(completionTiming(times)).toBe(
    "auth;dur=0.12, hold;dur=4.00, upstream;dur=200.46, gateway;dur=9.54",
  );
});

test("a refusal reports gateway time, and authentication time if it got that far", () => {
  expect(refusalTiming(3.5, 1)).toBe("auth;dur=1.00, gateway;dur=3.50");
  expect(refusalTiming(3.5, undefined)).toBe("gateway;dur=3.50");
});

test("a time is rounded to hundredths, however short or long it is", () => {
  expect(refusalTiming(0.004, 0.005)).toBe("auth;dur=0.01, gateway;dur=0.00");
  expect(refusalTiming(123_456.789, 59_999.999)).toBe("auth;dur=60000.00, gateway;dur=123456.79");
  const times = { authMs: 0, holdMs: 0, upstreamMs: 5.001, elapsedMs: 5 };
  expect(completionTiming(times)).toEndWith("upstream;dur=5.00, gateway;dur=0.00");
});
