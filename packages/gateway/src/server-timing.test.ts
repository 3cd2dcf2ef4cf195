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
