import { expect, test } from "bun:test";
import { setLanguage } from "./locale.ts";
import {
  decimalsOfRates,
  decimalsOfSums,
  formatAmount,
  formatBalance,
  formatCost,
  formatExactUsd,
  formatInColumn,
  formatPrice,
  formatSigned,
  formatSum,
} from "./money.ts";

function check(format: (usd: string) => string, cases: Readonly<Record<string, string>>): void {
  const shown = Object.keys(cases).map((usd) => [usd, format(usd)]);
  expect(Object.fromEntries(shown)).toEqual(cases);
}

test("FMT-1 a balance has two decimals and is never rounded up", () => {
  check(formatBalance, {
    "0": "$0.00",
    "12.31": "$12.31",
    "12.319999999": "$12.31",
    "0.01": "$0.01",
    "0.009999999": "<$0.01",
    "0.000000001": "<$0.01",
    "-0.42": "−$0.42",
    "-0.421": "−$0.43",
    "-0.000000001": "−$0.01",
    "1234.5": "$1,234.50",
    "1000000000000": "$1,000,000,000,000.00",
    "999999999999.999999999": "$999,999,999,999.99",
  });
});

test("FMT-1 a top-up or limit has two decimals; less than a cent is shown as such", () => {
  check(formatAmount, {
    "0": "$0.00",
    "25": "$25.00",
    "10.5": "$10.50",
    "0.004": "<$0.01",
    "0.005": "$0.01",
    "-0.001": "−<$0.01",
    "-25": "−$25.00",
    "1000000000000": "$1,000,000,000,000.00",
  });
});

test("FMT-1 a cost shows as many decimals as needed to be visible", () => {
  check(formatCost, {
    "0": "$0.00",
    "0.000000000": "$0.00",
    "1.24": "$1.24",
    "1.245": "$1.25",
    "1": "$1.00",
    "0.99999": "$1.00",
    "0.0312": "$0.0312",
    "0.03125": "$0.0313",
    "0.01": "$0.01",
    "0.05": "$0.05",
    "0.008": "$0.0080",
    "0.00999": "$0.0100",
    "0.0047": "$0.0047",
    "0.000047": "$0.000047",
    "0.0001851": "$0.00019",
    "0.0001": "$0.0001",
    "0.00000001": "$0.00000001",
    "0.000000001": "<$0.00000001",
    "-0.000047": "−$0.000047",
    "-0.000000001": "−<$0.00000001",
    "1000000000000": "$1,000,000,000,000.00",
  });
});

test("FMT-1 nothing is ever shown in scientific notation or passes through a float", () => {
  const amounts = ["0.000000001", "0.0000001", "123456789012.123456789", "9007199254740993.01"];
  for (const format of [formatBalance, formatAmount, formatCost, formatExactUsd]) {
    for (const amount of amounts) expect(format(amount)).not.toMatch(/e/i);
  }
  expect(formatExactUsd("9007199254740993.01")).toBe("$9,007,199,254,740,993.01");
  expect(formatExactUsd("0.000000001")).toBe("$0.000000001");
  expect(formatExactUsd("0.1")).toBe("$0.10");
});

test("FMT-1 a price has two to four decimals per million tokens, and zero is free", () => {
  check(formatPrice, {
    "0": "Free",
    "0.15": "$0.15 / 1M",
    "0.075": "$0.075 / 1M",
    "0.01875": "$0.0188 / 1M",
    "3": "$3.00 / 1M",
    "0.00001": "<$0.0001 / 1M",
  });
});

test("a column has as many decimals as its row that needs most, and all rows have them", () => {
  const columns: readonly (readonly [amounts: readonly string[], shown: readonly string[]])[] = [
    [
      ["-1.07", "-0.8714"],
      ["−$1.0700", "−$0.8714"],
    ],
    [
      ["0", "25", "1.24"],
      ["$0.00", "$25.00", "$1.24"],
    ],
    [
      ["0.0312", "0.00019"],
      ["$0.0312", "$0.0002"],
    ],
    [
      ["0.000000001", "2"],
      ["<$0.0001", "$2.0000"],
    ],
    [[], []],
  ];
  for (const [amounts, shown] of columns) {
    const decimals = decimalsOfSums(amounts);
    expect(amounts.map((usd) => formatInColumn(usd, decimals))).toEqual([...shown]);
  }
  expect(formatInColumn("-0.0004", 2)).toBe("−<$0.01");
});

test("a column of prices has two to four decimals in all rows", () => {
  expect(decimalsOfRates(["3", "0.15"])).toBe(2);
  expect(decimalsOfRates(["3", "0.075"])).toBe(3);
  expect(decimalsOfRates(["3", "0.01875"])).toBe(4);
});

test("a sum has two decimals from a dollar on, and at most four below", () => {
  check(formatSum, {
    "0.008": "$0.0080",
    "0.01": "$0.01",
    "0.99994": "$0.9999",
    "0.99995": "$1.00",
    "1.2034": "$1.20",
    "-1.2034": "−$1.20",
    "18.2": "$18.20",
    "0.01201": "$0.0120",
    "0.00000016": "<$0.0001",
  });
});

test("an amount that a sum shows exactly reads the same as the cost of one request", () => {
  for (const usd of [
    "0",
    "0.008",
    "0.01",
    "0.0312",
    "0.5",
    "0.0047",
    "0.9999",
    "7",
    "18.2",
    "50.6692",
  ]) {
    expect([usd, formatCost(usd)]).toEqual([usd, formatSum(usd)]);
  }
});

test("a ledger amount carries its sign", () => {
  check(formatSigned, { "25": "+$25.00", "-0.0312": "−$0.0312", "0": "$0.00" });
});

test("FMT-1 anything but a decimal string is rejected", () => {
  for (const wrong of ["1e-9", "NaN", "Infinity", "", "1,5", " 1", "0x10", "1."]) {
    expect(() => formatCost(wrong)).toThrow("not a decimal amount");
  }
});

test("I18N-2 amounts are written the German way for a German reader", () => {
  setLanguage(() => "de-DE");
  try {
    expect(formatAmount("1234.5")).toBe("1.234,50\u00a0$");
    expect(formatBalance("-0.42")).toBe("−0,42\u00a0$");
  } finally {
    setLanguage(() => "en-US");
  }
});
