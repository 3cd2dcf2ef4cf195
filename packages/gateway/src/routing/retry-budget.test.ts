// How many further attempts failing providers may cost: a fifth of the calls, and a few if there are few
// calls; and that one account cannot use up what others need.
import { expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import { RetryBudget } from "./retry-budget.ts";

/** By accounts that have made no attempt before. */
function spendAll(budget: RetryBudget, nowMs: number): number {
  let spent = 0;
  while (budget.spend(newId<AccountId>(), nowMs)) spent += 1;
  return spent;
}

function spendAllOf(budget: RetryBudget, accountId: AccountId, nowMs: number): number {
  let spent = 0;
  while (budget.spend(accountId, nowMs)) spent += 1;
  return spent;
}

test("a new process may retry fifty times, then five times a second", () => {
  const budget = new RetryBudget(0);
  expect(spendAll(budget, 0)).toBe(50);
  expect(spendAll(budget, 1_000)).toBe(5);
  expect(spendAll(budget, 3_600_000)).toBe(50);
});

test("a hundred calls allow twenty further attempts", () => {
  const budget = new RetryBudget(0);
  spendAll(budget, 0);
  for (let call = 0; call < 101; call += 1) budget.earn();
  expect(spendAll(budget, 0)).toBe(20);
});

test("what is not used is kept for a hundred attempts and no more", () => {
  const budget = new RetryBudget(0);
  for (let call = 0; call < 10_000; call += 1) budget.earn();
  expect(spendAll(budget, 0)).toBe(100);
});

test("one account leaves half of it to others, and gets everything that is earned beyond that", () => {
  const budget = new RetryBudget(0);
  const greedy = newId<AccountId>();
  expect(spendAllOf(budget, greedy, 0)).toBe(25);
  expect(spendAllOf(budget, greedy, 1_000)).toBe(5);
  expect(spendAllOf(budget, newId<AccountId>(), 1_000)).toBe(5);
  expect(spendAll(budget, 1_000)).toBe(20);
});

test("attempts in place of others that still run leave half of it to calls that failed", () => {
  const budget = new RetryBudget(0);
  let spare = 0;
  while (budget.spend(newId<AccountId>(), 0, { isSpare: true })) spare += 1;
  expect(spare).toBe(25);
  expect(spendAll(budget, 0)).toBe(25);
});

test("attempts of an account are forgotten after a minute", () => {
  const budget = new RetryBudget(0);
  const account = newId<AccountId>();
  spendAllOf(budget, account, 0);
  spendAll(budget, 59_999);
  expect(spendAllOf(budget, account, 61_000)).toBe(5);
});
