import { expect, test } from "bun:test";
import { addDecimals } from "../../lib/format.ts";
import { showLedger } from "./running-balance.ts";

/** A ledger of these amounts, oldest first, as the API sends it: newest first. */
function ledgerOf(amounts: readonly string[]) {
  let balance = "0";
  return amounts
    .map((amountUsd, index) => {
      balance = addDecimals([balance, amountUsd]);
      return { id: `${index}`, amountUsd, balanceAfterUsd: balance };
    })
    .toReversed();
}

function shownOf(rows: ReturnType<typeof ledgerOf>) {
  const shown = showLedger(rows);
  return rows.map((row) => {
    const { amountUsd = "", balanceUsd = "" } = shown.get(row.id) ?? {};
    return { amountUsd, balanceUsd };
  });
}

function expectSums(rows: ReturnType<typeof shownOf>): void {
  rows.slice(0, -1).forEach((row, index) => {
    const before = rows[index + 1]?.balanceUsd ?? "";
    expect(addDecimals([before, row.amountUsd])).toBe(addDecimals([row.balanceUsd]));
  });
}

test("$102.55 less $3.45 of usage adds up on screen, whatever was rounded", () => {
  const shown = shownOf(ledgerOf(["102.5489123", "-3.4512345", "-1.0712345", "-0.8714321"]));
  expectSums(shown);
  expect(shown.map((row) => row.balanceUsd)).toEqual(["97.1550", "98.0264", "99.0976", "102.5489"]);
  expect(shown.map((row) => row.amountUsd)).toEqual(["-0.8714", "-1.0712", "-3.4513", "102.5489"]);
});

test("a call of $0.0000045 is visible in the amount and in the balance after it", () => {
  expect(shownOf(ledgerOf(["25", "-0.0000045"]))).toEqual([
    { amountUsd: "-0.0000045", balanceUsd: "24.9999955" },
    { amountUsd: "25.0000000", balanceUsd: "25.0000000" },
  ]);
});

test("amounts of whole cents stay amounts of whole cents", () => {
  expect(shownOf(ledgerOf(["25", "-2.50"]))).toEqual([
    { amountUsd: "-2.50", balanceUsd: "22.50" },
    { amountUsd: "25.00", balanceUsd: "25.00" },
  ]);
});

test("the shown rows of any ledger add up, and no amount is off by a unit of its last digit", () => {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let round = 0; round < 300; round += 1) {
    const amounts = Array.from({ length: 2 + next(12) }, () => {
      const nanos = next(10 ** (1 + next(9))) * (next(3) === 0 ? 1_000 : 1);
      const usd = `${Math.floor(nanos / 1e9)}.${String(nanos % 1e9).padStart(9, "0")}`;
      return next(2) === 0 && nanos > 0 ? `-${usd}` : usd;
    });
    const rows = ledgerOf(amounts);
    const shown = shownOf(rows);
    expectSums(shown);
    const decimals = new Set(
      shown.flatMap((row) =>
        [row.amountUsd, row.balanceUsd].map((usd) => usd.split(".")[1]?.length),
      ),
    );
    expect(decimals.size).toBe(1);
    const [scale = 2] = decimals;
    rows.forEach((row, index) => {
      const off = Number(addDecimals([row.amountUsd, negate(shown[index]?.amountUsd ?? "0")]));
      expect(Math.abs(off)).toBeLessThan(10 ** -scale);
    });
  }
});

const negate = (usd: string) => (usd.startsWith("-") ? usd.slice(1) : `-${usd}`);

test("a pending row counts in no balance but has the decimals of the others", () => {
  const pending = { id: "p", amountUsd: "10", balanceAfterUsd: null };
  const shown = showLedger([pending, ...ledgerOf(["25", "-0.0312"])]);
  expect(shown.get("p")).toEqual({ amountUsd: "10.0000", balanceUsd: undefined });
});
