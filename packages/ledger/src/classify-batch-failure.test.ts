import { expect, test } from "bun:test";
import { StatementDeadline } from "./bounded-connection.ts";
import { judgeFailure } from "./classify-batch-failure.ts";

function judgeCodes(codes: readonly string[]) {
  return codes.map((code) => judgeFailure(Object.assign(new Error(code), { code })));
}

test("a connection lost under a statement says nothing about it", () => {
  const codes = ["CONNECTION_CLOSED", "CONNECTION_DESTROYED", "ECONNRESET", "57P01", "08006"];
  expect(judgeCodes(codes)).toEqual(codes.map(() => "unknown"));
  expect(judgeFailure(new StatementDeadline("late"))).toBe("unknown");
});

test("what was never sent, or concerns nobody in particular, failed for all", () => {
  const codes = ["ECONNREFUSED", "CONNECT_TIMEOUT", "CONNECTION_ENDED", "57P03", "53300", "40P01"];
  const more = ["55P03", "57014", "25006", "53100", "28P01"];
  expect(judgeCodes([...codes, ...more])).toEqual([...codes, ...more].map(() => "whole"));
});

test("bad data is blamed on one item, and so is what nobody has thought of", () => {
  const codes = ["22003", "23514", "23505", "22021", "P0001", "42804", "XX000", "UNDEFINED_VALUE"];
  expect(judgeCodes(codes)).toEqual(codes.map(() => "poison"));
  expect(judgeFailure(new TypeError("a bug"))).toBe("poison");
});

test("a cause deeper down decides", () => {
  const wrapped = new Error("Failed query", {
    cause: Object.assign(new Error(), { code: "40P01" }),
  });
  expect(judgeFailure(wrapped)).toBe("whole");
});
