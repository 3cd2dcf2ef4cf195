// Where a breaker's shares lie exactly: half of the calls is enough, in the count of everybody and of one account.
import { expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import { RouteBreakers } from "./route-breakers.ts";
import { routeLimits } from "./route-health.ts";

test("the only account of a route is kept away once exactly half of its calls have failed", () => {
  const breakers = new RouteBreakers(routeLimits);
  const account = newId<AccountId>();
  const fail = (nowMs: number) => breakers.failed(false, account, nowMs, undefined);
  for (let call = 0; call < 9; call += 1) {
    fail(call);
    breakers.succeeded(account, call);
  }
  breakers.succeeded(account, 9);
  expect(breakers.refuses(account, 10)).toBe(false);
  fail(10);
  expect(breakers.refuses(account, 10)).toBe(true);
});
