import { expect, test } from "bun:test";
import { addDecimals, compareDecimals, negateDecimal } from "./decimal.ts";

test("sums are exact, whatever the signs and scales", () => {
  expect(addDecimals(["0.1", "0.2"])).toBe("0.3");
  expect(addDecimals(["1000000000000", "-0.000000001"])).toBe("999999999999.999999999");
  expect(addDecimals(["5", "-5.00"])).toBe("0");
  expect(addDecimals([])).toBe("0");
});

test("amounts compare as numbers, not as text", () => {
  expect(compareDecimals("10", "9.99")).toBe(1);
  expect(compareDecimals("-1", "0.5")).toBe(-1);
  expect(compareDecimals("1.50", "1.5")).toBe(0);
  expect(["0.2", "-3", "10", "9"].toSorted(compareDecimals)).toEqual(["-3", "0.2", "9", "10"]);
  expect(negateDecimal(negateDecimal("1.5"))).toBe("1.5");
});
