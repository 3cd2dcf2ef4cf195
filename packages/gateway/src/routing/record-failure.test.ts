// What a failed attempt tells its route, on the breaker that the next calls look at.
import { expect, test } from "bun:test";
import { type AccountId, Fault, newId } from "@turnpike/base";
import { recordFailure } from "./record-failure.ts";
import { RouteHealth } from "./route-health.ts";

const accountId = newId<AccountId>();

/** A route that has been open for so long that its next call is a trial. */
function openTrial() {
  const health = new RouteHealth({ provider: "p", upstreamModel: "m" });
  const nowMs = performance.now();
  for (let failure = 0; failure < 5; failure += 1) {
    health.failed("connect", accountId, nowMs - 20_000, undefined);
  }
  expect(health.isOpen).toBe(true);
  return { health, trial: health.enter(accountId, nowMs) };
}

test.each([
  "upstream_rejected",
  "context_length_exceeded",
  "content_filter",
  "upstream_rate_limited",
] as const)(
  "a provider that answers a trial call with %s works: its route is open to all",
  (code) => {
    const { health, trial } = openTrial();
    recordFailure(health, new Fault(code, "No."), { accountId, trial });
    expect(health.isOpen).toBe(false);
  },
);

test.each([
  "upstream_overloaded",
  "bad_gateway",
  "upstream_timeout",
  "client_closed_request",
  "internal_error",
] as const)("a trial call that ends with %s does not show that the provider works", (code) => {
  const { health, trial } = openTrial();
  recordFailure(health, new Fault(code, "No."), { accountId, trial });
  expect(health.isOpen).toBe(true);
});

test("a provider that asks for a pause gets it, and its route goes on counting as working", () => {
  const health = new RouteHealth({ provider: "p", upstreamModel: "m" });
  const fault = new Fault("upstream_rate_limited", "Slow down.", { retryAfterMs: 60_000 });
  recordFailure(health, fault, { accountId, trial: undefined });
  expect(health.isOpen).toBe(false);
  expect(health.isPaused(performance.now())).toBe(true);
});

test.each([
  ["account", 400],
  ["account", 429],
  ["model", 404],
] as const)(
  "three refusals of the operator's %s, said with a %i, are shown to the operator",
  (upstreamRefuses, upstreamStatus) => {
    const health = new RouteHealth({ provider: "p", upstreamModel: "m" });
    const fault = new Fault("bad_gateway", "Refused.", { upstreamRefuses, upstreamStatus });
    for (let call = 0; call < 3; call += 1) {
      recordFailure(health, fault, { accountId, trial: undefined });
    }
    expect(health.refused).toBe(upstreamRefuses);
    expect(health.isPaused(performance.now())).toBe(true);
  },
);
