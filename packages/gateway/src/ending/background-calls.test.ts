import { expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import { createMetrics } from "@turnpike/telemetry";
import { BackgroundCalls, defaultBackgroundBounds } from "./background-calls.ts";

const account = newId<AccountId>();
const promptChars = 10;

test("the total size of the prompts that are kept is bounded, whatever their number", () => {
  const metrics = createMetrics();
  const calls = new BackgroundCalls(metrics, { promptChars: 25 });
  const leave = calls.enter(account, promptChars);
  expect(calls.enter(newId<AccountId>(), promptChars)).toBeDefined();
  expect(calls.enter(account, promptChars)).toBeUndefined();
  leave?.("upstream");
  expect(calls.enter(account, promptChars)).toBeDefined();
  metrics.close();
});

test("a call that ends twice frees one place", () => {
  const metrics = createMetrics();
  const calls = new BackgroundCalls(metrics, { perAccount: 2 });
  const leave = calls.enter(account, promptChars);
  calls.enter(account, promptChars);
  leave?.("estimated");
  leave?.("lost");
  expect(calls.running).toBe(1);
  expect(calls.enter(account, promptChars)).toBeDefined();
  expect(calls.enter(account, promptChars)).toBeUndefined();
  metrics.close();
});

test("an account has room for 50 of them, a process for 1,000 and 256 MiB of prompts", () => {
  const bounds = { perAccount: 50, perProcess: 1_000, promptChars: 256 * 1_024 * 1_024 };
  expect(defaultBackgroundBounds).toEqual(bounds);
});
