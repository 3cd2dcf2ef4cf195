// Amounts as people of any country type them.
import { expect, test } from "bun:test";
import { checkUsd } from "./typed-text.ts";
import { isUsd, parseUsd } from "./typed-usd.ts";

test.each([
  ["25,00", "25.00"],
  ["25,5", "25.5"],
  ["25.00", "25.00"],
  ["0,5", "0.5"],
  ["$25", "25"],
  ["25,00 $", "25.00"],
  ["US$ 25", "25"],
  ["25 USD", "25"],
  ["1,000", "1000"],
  ["1,000.50", "1000.50"],
  ["1.000,50", "1000.50"],
  ["1.000.000", "1000000"],
  ["1,000,000.5", "1000000.5"],
  ["1 000,50", "1000.50"],
  ["1\u202f000,50", "1000.50"],
  ["1'000.50", "1000.50"],
  ["\uff12\uff15\uff0c\uff10\uff10", "25.00"],
  [" 10 ", "10"],
])("%s is %s", (typed, read) => {
  expect(parseUsd(typed)).toBe(read);
  expect(isUsd(read)).toBe(true);
  expect(checkUsd(typed)).toBeUndefined();
});

test("a sign stays, for people who may take money away", () => {
  expect(parseUsd("-2,50")).toBe("-2.50");
  expect(parseUsd("\u22122.50")).toBe("-2.50");
});

test.each([
  "1.000",
  "1,00,0",
  "1,0000",
  "25,",
  ",5",
  "-5",
  "1e3",
  "ten",
  "1.2.3",
  "1,000,50",
  "0x10",
  "1..5",
  "12.345,6.7",
])("%s is refused instead of guessed", (typed) => {
  expect(isUsd(parseUsd(typed))).toBe(false);
  expect(checkUsd(typed)).toBe("Enter an amount such as 10 or 10.50.");
});
