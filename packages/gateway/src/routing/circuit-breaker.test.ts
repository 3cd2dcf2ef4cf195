// What a breaker counts once the calls of one account are left out.
import { expect, test } from "bun:test";
import { CallWindow } from "./circuit-breaker.ts";

const secondMs = 1_000;

test("all calls of an account are subtracted, whenever they were made within the window", () => {
  const [everybody, account] = [new CallWindow(), new CallWindow()];
  for (let nowMs = 0; nowMs < 30 * secondMs; nowMs += secondMs) {
    everybody.count(true, nowMs);
    everybody.count(false, nowMs);
    account.count(true, nowMs);
  }
  const nowMs = 29 * secondMs;
  expect(everybody.sum(nowMs)).toEqual({ calls: 60, failures: 30 });
  everybody.subtract(account);
  expect(everybody.sum(nowMs)).toEqual({ calls: 30, failures: 0 });
  everybody.subtract(new CallWindow());
  expect(everybody.sum(nowMs)).toEqual({ calls: 30, failures: 0 });
});
