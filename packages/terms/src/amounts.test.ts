// Amounts as text and as integers: every spelling that is accepted, and the largest that can be stored.
import { expect, test } from "bun:test";
import {
  addTokens,
  costOfSum,
  formatUsd,
  maxNanos,
  minNanos,
  nanosMax,
  type PricedSum,
  parseNanos,
  parseUsd,
  toNanos,
  toUsdNumber,
} from "./amounts.ts";

test("dollars with up to nine decimals are read exactly and written without trailing zeros", () => {
  const spellings: [string, bigint, string][] = [
    ["0", 0n, "0"],
    ["10", 10_000_000_000n, "10"],
    ["10.50", 10_500_000_000n, "10.5"],
    ["0.000000001", 1n, "0.000000001"],
    ["0.15", 150_000_000n, "0.15"],
  ];
  for (const [text, nanos, written] of spellings) {
    expect(parseUsd(text)).toBe(toNanos(nanos));
    expect(formatUsd(toNanos(nanos))).toBe(written);
  }
  expect(formatUsd(toNanos(-1_500_000_000n))).toBe("-1.5");
  expect(toUsdNumber(toNanos(-1n))).toBe(-1e-9);
});

test("the largest amount is what PostgreSQL's int8 holds", () => {
  expect(nanosMax).toBe(parseNanos("9223372036854775807"));
  expect(parseUsd("9223372036.854775807")).toBe(nanosMax);
});

test("every other spelling is rejected", () => {
  for (const text of ["", "-1", "+1", "1.", ".5", "1e3", "0x1", " 1", "1,5", "0.0000000001"]) {
    expect(parseUsd(text)).toBeUndefined();
  }
  for (const text of ["", "1.5", "0x10", "--1", "12345678901234567890"]) {
    expect(() => parseNanos(text)).toThrow("not an amount");
  }
  expect(parseNanos("-9223372036854775808")).toBe(toNanos(-(2n ** 63n)));
});

test("tokens are priced exactly and rounded up once", () => {
  const price = (...parts: [number, bigint][]) => {
    let sum: PricedSum = 0;
    for (const [tokens, nanosPerMillion] of parts) sum = addTokens(sum, tokens, nanosPerMillion);
    return costOfSum(sum);
  };
  expect(price([1, 1n])).toBe(toNanos(1n));
  expect(price([1_000_000, 1n])).toBe(toNanos(1n));
  expect(price([1_000_001, 1n])).toBe(toNanos(2n));
  expect(price([1, 1n], [1, 1n])).toBe(toNanos(1n));
  expect(price()).toBe(toNanos(0n));
});

test("a sum of priced tokens is exact in numbers and becomes a bigint before it would be rounded", () => {
  const counts = [0, 1, 2, 3, 999_999, 1_000_001, 10_000_000, 2 ** 31 - 1];
  const rates = [0n, 1n, 150n, 999_999n, 2n ** 31n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 62n];
  const parts = counts.flatMap((count) => rates.map((rate) => ({ count, rate })));
  for (const first of parts) {
    for (const second of parts) {
      const sum = addTokens(addTokens(0, first.count, first.rate), second.count, second.rate);
      const exact = BigInt(first.count) * first.rate + BigInt(second.count) * second.rate;
      if (BigInt(sum) !== exact) throw new Error(`${sum} instead of ${exact}`);
      expect(costOfSum(sum)).toBe(toNanos((exact + 999_999n) / 1_000_000n));
    }
  }
  expect(typeof addTokens(0, 4_096, 600n)).toBe("number");
  expect(costOfSum(Number.MAX_SAFE_INTEGER)).toBe(toNanos(9_007_199_255n));
});

test("minNanos and maxNanos return the smaller and the larger amount", () => {
  expect([minNanos(toNanos(1n), toNanos(2n)), minNanos(toNanos(2n), toNanos(1n))]).toEqual([
    toNanos(1n),
    toNanos(1n),
  ]);
  expect([maxNanos(toNanos(1n), toNanos(2n)), maxNanos(toNanos(2n), toNanos(1n))]).toEqual([
    toNanos(2n),
    toNanos(2n),
  ]);
});

test("an amount as a JSON number equals its exact decimal, parsed", () => {
  for (let digits = 1; digits <= 19; digits += 1) {
    for (const first of ["1", "123456789", "7", "99999999999999999"]) {
      const amount = toNanos(BigInt(first.padEnd(digits, "3").slice(0, digits)));
      expect(toUsdNumber(amount)).toBe(Number(formatUsd(amount)));
      expect(toUsdNumber(toNanos(-amount))).toBe(Number(formatUsd(toNanos(-amount))));
    }
  }
});
