// How much counting is free: a minute's time of an account, and of the process for all accounts together.
import { expect, test } from "bun:test";
import { type AccountId, Fault, newId } from "@turnpike/base";
import { CountBudget, countTimes } from "./count-budget.ts";

const { accountMs, processMs, bytesPerMs } = countTimes;
const wholeMinute = accountMs * bytesPerMs;

function refusal(take: () => unknown): Fault {
  try {
    take();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error("it was granted");
}

test("an account that has used up its time is refused until enough of it has come back", () => {
  const budget = new CountBudget(0);
  const accountId = newId<AccountId>();
  budget.take(accountId, wholeMinute, 0);
  // It has used all of its time, and not more.
  budget.refuseSpent(accountId, 0);
  const fault = refusal(() => budget.take(accountId, wholeMinute / 2, 0));
  expect(fault.code).toBe("rate_limit_exceeded");
  // Half a minute, and what the refused request itself has cost.
  expect(fault.details.retryAfterMs).toBe(30_600);
  expect(fault.message).toContain("10 seconds of counting tokens per minute");
  budget.take(accountId, wholeMinute / 2, 30_600);
  budget.take(newId<AccountId>(), wholeMinute, 30_600);
});

test("time that a count did not take comes back at its end, and time above it is taken then", () => {
  const budget = new CountBudget(0);
  const accountId = newId<AccountId>();
  const short = budget.take(accountId, wholeMinute, 0);
  short.spend(1);
  short.end();
  const long = budget.take(accountId, wholeMinute / 2, 0);
  long.spend(2 * accountMs);
  long.end();
  expect(refusal(() => budget.take(accountId, bytesPerMs, 0)).code).toBe("rate_limit_exceeded");
});

test("a text that takes longer than a minute's time is counted for an account that used none", () => {
  const budget = new CountBudget(0);
  budget.take(newId<AccountId>(), 5 * wholeMinute, 0);
});

test("refused requests use up time as well, until nothing of the account is read", () => {
  const budget = new CountBudget(0);
  const accountId = newId<AccountId>();
  budget.refuseSpent(accountId, 0);
  budget.take(accountId, wholeMinute / 2, 0);
  let refused = 0;
  const isRead = () => {
    try {
      budget.refuseSpent(accountId, 0);
      return true;
    } catch {
      return false;
    }
  };
  for (; refused < 1_000 && isRead(); refused += 1) {
    refusal(() => budget.take(accountId, wholeMinute, 0));
  }
  expect(refused).toBe(26);
  expect(refusal(() => budget.refuseSpent(accountId, 0)).details.retryAfterMs).toBeGreaterThan(0);
  budget.refuseSpent(accountId, 60_000);
  budget.refuseSpent(newId<AccountId>(), 0);
});

test("many accounts together get no more than the time of the process", () => {
  const budget = new CountBudget(0);
  const accounts = processMs / accountMs;
  for (let taken = 0; taken < accounts; taken += 1) {
    budget.take(newId<AccountId>(), wholeMinute, 0);
  }
  expect(refusal(() => budget.take(newId<AccountId>(), wholeMinute, 0)).code).toBe("overloaded");
});

test("idle accounts are forgotten", () => {
  const budget = new CountBudget(0);
  for (let index = 0; index < 10_000; index += 1) budget.take(newId<AccountId>(), 1, 0);
  expect(budget.size).toBe(10_000);
  budget.take(newId<AccountId>(), 1, 60_000);
  expect(budget.size).toBe(1);
});
