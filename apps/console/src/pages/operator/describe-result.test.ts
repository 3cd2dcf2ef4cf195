import { expect, test } from "bun:test";
import { describeResult } from "./describe-result.ts";

test("the result of a job is shown in words, without what is missing or empty", () => {
  const queues = [
    { queue: "mail", waiting: 3, overdueMs: 0 },
    { queue: "stripe", waiting: 0, overdueMs: 0 },
  ];
  for (const [result, text] of [
    [null, ""],
    [{}, ""],
    [7, "7"],
    [queues, "queue mail, waiting 3, overdue ms 0; queue stripe, waiting 0, overdue ms 0"],
    [{ since: null, through: "2026-11-28T07:00:00Z" }, "through 2026-11-28T07:00:00Z"],
  ] as const) {
    expect(describeResult(result)).toBe(text);
  }
});
