// Formats amounts of money from exact decimal strings in USD, never through a float, never in scientific
// notation.
import { compareDecimals, decimalsOf, parseDecimal } from "@turnpike/terms";
import { formatExact } from "./locale.ts";

/** `half` = half away from zero; `floor` = never more than the exact amount. */
type Rounding = "half" | "floor";

function print(usd: string, least: number, most = least, rounding: Rounding = "half"): string {
  return formatExact(usd, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: least,
    maximumFractionDigits: most,
    roundingMode: rounding === "half" ? "halfExpand" : "floor",
    signDisplay: "negative",
  });
}

/** What would round to zero is shown as less than the last digit: `<$0.01`. */
function show(usd: string, least: number, most = least, rounding: Rounding = "half"): string {
  const isNegative = usd.startsWith("-");
  const size = isNegative ? usd.slice(1) : usd;
  const unit = `0.${"1".padStart(most, "0")}`;
  const half = `0.${"5".padStart(most + 1, "0")}`;
  const isBelow = compareDecimals(size, rounding === "half" ? half : unit) < 0;
  if (!isBelow || isZero(usd) || (isNegative && rounding === "floor")) {
    return print(usd, least, most, rounding);
  }
  return `${isNegative ? "−" : ""}<${print(unit, most)}`;
}

function isZero(usd: string): boolean {
  return parseDecimal(usd).digits === 0n;
}

/** A balance: two decimals, rounded down; `<$0.01` if it is less than a cent. */
export function formatBalance(usd: string): string {
  return show(usd, 2, 2, "floor");
}

/** A top-up, a limit, a ledger amount: two decimals; `<$0.01` if it would round to zero. */
export function formatAmount(usd: string): string {
  return show(usd, 2);
}

/** An amount to choose from: `$25`, and `$12.50` if there are cents. */
export function formatShortAmount(usd: string): string {
  return print(usd, isExactWith(usd, 0) ? 0 : 2);
}

/** A sum over an hour or more: from a dollar on, and if it is whole cents, with two decimals, else with four. */
export function formatSum(usd: string): string {
  return show(usd, decimalsOfSums([usd]));
}

/** How many decimals a column of sums has: those of the sum that needs most. */
export function decimalsOfSums(amountsUsd: readonly string[]): number {
  return amountsUsd.every((usd) => isExactWith(usd, 2) || isDollars(usd)) ? 2 : 4;
}

/** Also what rounds to a dollar with four decimals. */
function isDollars(usd: string): boolean {
  return compareDecimals(usd.startsWith("-") ? usd.slice(1) : usd, "0.99995") >= 0;
}

/** With a plus where an amount is positive: `+$25.00`, `−$0.0312`. */
export function formatSigned(usd: string, print: (usd: string) => string = formatSum): string {
  return compareDecimals(usd, "0") > 0 ? `+${print(usd)}` : print(usd);
}

/**
 * What one request cost: as many decimals as needed to show it, at most eight. What a sum shows exactly
 * reads the same here.
 */
export function formatCost(usd: string): string {
  if (isExactWith(usd, 2)) return print(usd, 2);
  if (isDollars(usd)) return print(usd, 2);
  const size = usd.startsWith("-") ? usd.slice(1) : usd;
  const zeros = /^0*\.(0*)/.exec(size)?.[1]?.length ?? 0;
  return show(usd, 4, Math.min(8, Math.max(4, zeros + 2)));
}

/** How many decimals show all of these amounts exactly, so that their sums show no rounding. */
export function decimalsToSay(amountsUsd: readonly string[]): number {
  return Math.max(2, ...amountsUsd.map(decimalsOf));
}

/** How many decimals a column of prices needs: two to four. */
export function decimalsOfRates(ratesUsd: readonly string[]): number {
  return Math.min(4, decimalsToSay(ratesUsd));
}

/** With the decimals of its column. */
export function formatInColumn(usd: string, decimals: number, rounding: Rounding = "half"): string {
  return show(usd, decimals, decimals, rounding);
}

/** Whether so many decimals show an amount exactly. */
export function isExactWith(usd: string, decimals: number): boolean {
  return decimalsOf(usd) <= decimals;
}

/** Every digit, down to the femto-dollars of cost lines: for tooltips, copies and files. */
export function formatExactUsd(usd: string): string {
  return print(usd, 2, 15);
}

/** With the decimals it has. */
export function formatUsd(usd: string): string {
  return print(usd, parseDecimal(usd).scale);
}

/** Per million tokens, without the unit: `$0.15`, `$0.0375`, `Free`; in a column, with its decimals. */
export function formatRate(usdPerMillion: string, free: string, decimals?: number): string {
  return isZero(usdPerMillion) ? free : show(usdPerMillion, decimals ?? 2, decimals ?? 4);
}

/** `$0.15 / 1M`; zero is `Free`. */
export function formatPrice(usdPerMillion: string, free = "Free", decimals?: number): string {
  const rate = formatRate(usdPerMillion, free, decimals);
  return rate === free ? free : `${rate} / 1M`;
}
