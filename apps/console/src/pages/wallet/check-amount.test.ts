import { expect, test } from "bun:test";
import { checkAmount } from "./check-amount.ts";

const bounds = { minUsd: "5", maxUsd: "1000" };

test.each(["5", "10", "10.50", "1000", "1000.00", "007", " $25 ", "1,000", "10,50"])(
  "%s can be added",
  (typed) => expect(checkAmount(typed, bounds)).toBeUndefined(),
);

test.each([
  ["", "Enter an amount."],
  ["  ", "Enter an amount."],
  ["1", "The minimum is $5.00."],
  ["0", "The minimum is $5.00."],
  ["4.99", "The minimum is $5.00."],
  ["1000.01", "The maximum is $1,000.00."],
  ["99999", "The maximum is $1,000.00."],
])("%p is out of bounds", (typed, error) => expect(checkAmount(typed, bounds)).toBe(error));

test.each(["-5", "10.005", "0.001", "NaN", "1e3", "1e309", "0x10", "1000000000000"])(
  "%s is not an amount",
  (typed) => {
    expect(checkAmount(typed, bounds)).toBe("Enter an amount in dollars, such as 10 or 10.50.");
  },
);
