import { expect, test } from "bun:test";
import { StatementDeadline } from "./bounded-connection.ts";
import { classifyBatchFailure } from "./classify-batch-failure.ts";

function classifyCodes(codes: readonly string[]) {
  return codes.map((code) => classifyBatchFailure(Object.assign(new Error(code), { code })));
}

test("a connection lost during a statement says nothing about its outcome", () => {
  const codes = ["CONNECTION_CLOSED", "CONNECTION_DESTROYED", "ECONNRESET", "57P01", "08006"];
  expect(classifyCodes(codes)).toEqual(codes.map(() => "unknown"));
  expect(classifyBatchFailure(new StatementDeadline("late"))).toBe("unknown");
});

test("what was never sent, or concerns no item in particular, failed for all", () => {
  const codes = ["ECONNREFUSED", "CONNECT_TIMEOUT", "CONNECTION_ENDED", "57P03", "53300", "40P01"];
  const more = ["55P03", "57014", "25006", "53100", "58030", "28P01", "42501", "42883"];
  expect(classifyCodes([...codes, ...more])).toEqual([...codes, ...more].map(() => "whole"));
});

test("bad data is blamed on one item, and so is a bug", () => {
  const codes = ["22003", "23514", "23505", "22021", "54000", "P0001", "UNDEFINED_VALUE"];
  expect(classifyCodes(codes)).toEqual(codes.map(() => "bad_item"));
  expect(classifyBatchFailure(new TypeError("a bug"))).toBe("bad_item");
});

test("an internal error, such as a used-up quota, is not known to be the fault of an item", () => {
  const codes = ["XX000", "XX001", "0A000", "99999"];
  expect(classifyCodes(codes)).toEqual(codes.map(() => "unclear"));
});

test("the innermost cause decides", () => {
  const wrapped = new Error("Failed query", {
    cause: Object.assign(new Error(), { code: "40P01" }),
  });
  expect(classifyBatchFailure(wrapped)).toBe("whole");
});
