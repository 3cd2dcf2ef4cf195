// Amounts of money for people: from exact decimal strings in USD, never through a
// float, never in scientific notation.
import {
  type Decimal,
  isAtLeast,
  leadingDecimals,
  parseDecimal,
  printDecimal,
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

/** A balance: two decimals, rounded down; `<$0.01` where there is less than a cent. */
export function formatBalance(usd: string): string {
  const value = parseDecimal(usd);
  if (!value.negative && value.digits > 0n && !isAtLeast(value, -2)) return `<${print(hundredth)}`;
  return print(roundDecimal(value, 2, "floor"));
}

/** A top-up, a limit, a ledger amount: two decimals; `<$0.01` where it would round to nothing. */
export function formatAmount(usd: string): string {
  const value = parseDecimal(usd);
  const rounded = roundDecimal(value, 2, "half");
  if (rounded.digits > 0n || value.digits === 0n) return print(rounded);
  return value.negative ? `−<${print(hundredth)}` : `<${print(hundredth)}`;
}

/** An amount to choose from: `$25`, and `$12.50` where there are cents. */
export function formatShortAmount(usd: string): string {
  return print(trimDecimal(roundDecimal(parseDecimal(usd), 2, "half"), cents(usd)));
}

function cents(usd: string): number {
  return roundDecimal(parseDecimal(usd), 2, "half").digits % 100n === 0n ? 0 : 2;
}

/** With a sign in front, also of what came in: `+$25.00`, `−$0.0312`. */
export function formatSigned(usd: string): string {
  const value = parseDecimal(usd);
  const text = formatCost(usd);
  return value.negative || value.digits === 0n ? text : `+${text}`;
}

/** What something cost: as many decimals as it takes to see it, at most eight. */
export function formatCost(usd: string): string {
  const value = parseDecimal(usd);
  if (value.digits === 0n) return print(roundDecimal(value, 2, "half"));
  const cents = roundDecimal(value, 4, "half");
  if (isAtLeast(cents, 0)) return print(roundDecimal(value, 2, "half"));
  const decimals = Math.min(8, leadingDecimals(value) + 1);
  const small = roundDecimal(value, decimals, "half");
  if (isAtLeast(small, -2)) return print(cents);
  if (small.digits > 0n) return print(trimDecimal(small, 2));
  const least = print({ negative: false, digits: 1n, scale: 8 });
  return value.negative ? `−<${least}` : `<${least}`;
}

/** Every digit there is, to the femto-dollars of cost lines: for tooltips, copies and files. */
export function formatExactUsd(usd: string): string {
  return print(trimDecimal(roundDecimal(parseDecimal(usd), 15, "half"), 2));
}

/** With the decimals it was given. */
export function formatUsd(usd: string): string {
  return print(parseDecimal(usd));
}

/** Per million tokens, without the unit: `$0.15`, `$0.0375`, `Free`. */
export function formatRate(usdPerMillion: string, free: string): string {
  const value = parseDecimal(usdPerMillion);
  if (value.digits === 0n) return free;
  const rounded = roundDecimal(value, 4, "half");
  if (rounded.digits === 0n) return `<${print({ negative: false, digits: 1n, scale: 4 })}`;
  return print(trimDecimal(rounded, 2));
}

/** `$0.15 / 1M`; zero is `Free`. */
export function formatPrice(usdPerMillion: string, free = "Free"): string {
  const rate = formatRate(usdPerMillion, free);
  return rate === free ? free : `${rate} / 1M`;
}
