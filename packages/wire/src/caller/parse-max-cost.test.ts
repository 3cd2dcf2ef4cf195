// The ceiling of a request is read exactly, from either place and in either spelling.
import { expect, test } from "bun:test";
import { toNanos } from "@turnpike/terms";
import { parseMaxCost } from "./parse-max-cost.ts";

function read(header: string | undefined, max_cost?: unknown) {
  const headers = new Headers(header === undefined ? {} : { "x-max-cost": header });
  return parseMaxCost(headers, max_cost === undefined ? {} : { max_cost });
}

test.each<[string | undefined, unknown, bigint | undefined]>([
  [undefined, undefined, undefined],
  [undefined, null, undefined],
  ["0.05", undefined, 50_000_000n],
  [" 1 ", undefined, 1_000_000_000n],
  [undefined, 0.1, 100_000_000n],
  [undefined, "0.000000001", 1n],
  [undefined, 1e-9, 1n],
  [undefined, 0, 0n],
  ["0.2", 0.1, 100_000_000n],
  ["0.1", "0.2", 100_000_000n],
])("header %p and member %p are %p nano-dollars", (header, member, nanos) => {
  expect(read(header, member)).toBe(nanos === undefined ? undefined : toNanos(nanos));
});

test.each<[string | undefined, unknown, string, string]>([
  ["cheap", undefined, "invalid_value", "x-max-cost"],
  ["-1", undefined, "invalid_value", "x-max-cost"],
  [undefined, -1, "invalid_value", "max_cost"],
  [undefined, "0.0000000001", "invalid_value", "max_cost"],
  [undefined, 1e30, "invalid_value", "max_cost"],
  [undefined, true, "invalid_type", "max_cost"],
])("header %p and member %p are refused by name", (header, member, code, param) => {
  expect(() => read(header, member)).toThrow(
    expect.objectContaining({ code, details: expect.objectContaining({ param }) }),
  );
});
