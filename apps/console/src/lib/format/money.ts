// Formats amounts of money from exact decimal strings in USD, never through a float, never in scientific
// notation.
import {
  type Decimal,
  isAtLeast,
  leadingDecimals,
  parseDecimal,
  printDecimal,
  type Rounding,
  roundDecimal,
  trimDecimal,
} from "./decimal.ts";
import { formatExact } from "./locale.ts";

const currency = "USD";

function print(value: Decimal): string {
  return formatExact(printDecimal(value), {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: value.scale,
    maximumFractionDigits: value.scale,
  });
}

const hundredth: Decimal = { negative: false, digits: 1n, scale: 2 };

/** A balance: two decimals, rounded down; `<$0.01` if it is less than a cent. */
export function formatBalance(usd: string): string {
  const value = parseDecimal(usd);
  if (!value.negative && value.digits > 0n && !isAtLeast(value, -2)) return `<${print(hundredth)}`;
  return print(roundDecimal(value, 2, "floor"));
}

/** A top-up, a limit, a ledger amount: two decimals; `<$0.01` if it would round to zero. */
export function formatAmount(usd: string): string {
  const value = parseDecimal(usd);
  const rounded = roundDecimal(value, 2, "half");
  if (rounded.digits > 0n || value.digits === 0n) return print(rounded);
  return value.negative ? `−<${print(hundredth)}` : `<${print(hundredth)}`;
}

/** An amount to choose from: `$25`, and `$12.50` if there are cents. */
export function formatShortAmount(usd: string): string {
  return print(trimDecimal(roundDecimal(parseDecimal(usd), 2, "half"), cents(usd)));
}

function cents(usd: string): number {
  return roundDecimal(parseDecimal(usd), 2, "half").digits % 100n === 0n ? 0 : 2;
}

/**
 * A sum over an hour or more: whole cents with two decimals, anything else with four, so that the same
 * sum reads the same on every page.
 */
export function formatSum(usd: string): string {
  return formatInColumn(usd, decimalsOfSums([usd]));
}

/** How many decimals a column of sums has: two if all are whole cents, else four. */
export function decimalsOfSums(amountsUsd: readonly string[]): number {
  return amountsUsd.every((usd) => isExactWith(usd, 2)) ? 2 : 4;
}

/** With a plus where an amount is positive: `+$25.00`, `−$0.0312`. */
export function formatSigned(usd: string, print: (usd: string) => string = formatSum): string {
  const value = parseDecimal(usd);
  return value.negative || value.digits === 0n ? print(usd) : `+${print(usd)}`;
}

/**
 * What one request cost: as many decimals as needed to show it, at most eight. What a sum shows exactly
 * reads the same here.
 */
export function formatCost(usd: string): string {
  if (isExactWith(usd, 2)) return formatInColumn(usd, 2);
  const value = parseDecimal(usd);
  const cents = roundDecimal(value, 4, "half");
  if (isAtLeast(cents, 0)) return print(roundDecimal(value, 2, "half"));
  const decimals = Math.min(8, leadingDecimals(value) + 1);
  const small = roundDecimal(value, decimals, "half");
  if (isAtLeast(small, -2)) return print(cents);
  if (small.digits > 0n) return print(trimDecimal(small, 4));
  const least = print({ negative: false, digits: 1n, scale: 8 });
  return value.negative ? `−<${least}` : `<${least}`;
}

/** How many decimals show all of these amounts exactly, so that their sums show no rounding. */
export function decimalsToSay(amountsUsd: readonly string[]): number {
  return Math.max(2, ...amountsUsd.map((usd) => trimDecimal(parseDecimal(usd), 0).scale));
}

/** How many decimals a column of prices needs: two to four. */
export function decimalsOfRates(ratesUsd: readonly string[]): number {
  const scales = ratesUsd.map((usd) => trimDecimal(parseDecimal(usd), 2).scale);
  return Math.min(4, Math.max(2, ...scales));
}

/** With the decimals of its column. An amount that would round to zero is shown as less than the last digit. */
export function formatInColumn(usd: string, decimals: number, rounding: Rounding = "half"): string {
  const value = parseDecimal(usd);
  const rounded = roundDecimal(value, decimals, rounding);
  if (rounded.digits > 0n || value.digits === 0n) return print(rounded);
  const least = print({ negative: false, digits: 1n, scale: decimals });
  return value.negative ? `−<${least}` : `<${least}`;
}

/** Whether so many decimals show an amount exactly. */
export function isExactWith(usd: string, decimals: number): boolean {
  return trimDecimal(parseDecimal(usd), 0).scale <= decimals;
}

/** Every digit, down to the femto-dollars of cost lines: for tooltips, copies and files. */
export function formatExactUsd(usd: string): string {
  return print(trimDecimal(roundDecimal(parseDecimal(usd), 15, "half"), 2));
}

/** With the decimals it has. */
export function formatUsd(usd: string): string {
  return print(parseDecimal(usd));
}

/** Per million tokens, without the unit: `$0.15`, `$0.0375`, `Free`; in a column, with its decimals. */
export function formatRate(usdPerMillion: string, free: string, decimals?: number): string {
  const value = parseDecimal(usdPerMillion);
  if (value.digits === 0n) return free;
  if (decimals !== undefined) return formatInColumn(usdPerMillion, decimals);
  const rounded = roundDecimal(value, 4, "half");
  if (rounded.digits === 0n) return `<${print({ negative: false, digits: 1n, scale: 4 })}`;
  return print(trimDecimal(rounded, 2));
}

/** `$0.15 / 1M`; zero is `Free`. */
export function formatPrice(usdPerMillion: string, free = "Free", decimals?: number): string {
  const rate = formatRate(usdPerMillion, free, decimals);
  return rate === free ? free : `${rate} / 1M`;
}
