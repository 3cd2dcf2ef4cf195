// How many further attempts failing providers cost: a fifth of the calls, and few where there are few calls.
import { expect, test } from "bun:test";
import { RetryBudget } from "./retry-budget.ts";

function spendAll(budget: RetryBudget, nowMs: number): number {
  let spent = 0;
  while (budget.spend(nowMs)) spent += 1;
  return spent;
}

test("a process that begins may retry fifty times, then five times a second", () => {
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
