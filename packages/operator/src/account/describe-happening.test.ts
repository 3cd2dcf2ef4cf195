import { expect, test } from "bun:test";
import { describeChanges, phraseOf } from "./describe-happening.ts";

test("names of programs become phrases", () => {
  expect(["account.set_low_balance_alert", "signed_in", "member.changeRole"].map(phraseOf)).toEqual(
    ["Account: set low balance alert", "Signed in", "Member: change role"],
  );
});

test("recorded changes become sentences, without JSON, ISO times or bare amounts", () => {
  const changes = {
    usd: [null, "-0.25"],
    limitUsd: ["5", "10.5"],
    expiresAt: ["2026-11-12T14:03:00.000Z", null],
    models: [[], ["x/one", "x/two"]],
    isHard: [false, true],
    reason: [null, "ticket 7"],
  };
  expect(describeChanges(changes)).toBe(
    "usd −$0.25, limit usd $5.00 → $10.50, expires at Nov 12, 2026, 14:03 UTC → none, models none → x/one, x/two, is hard no → yes, reason ticket 7",
  );
  expect(describeChanges(null)).toBe("");
});
