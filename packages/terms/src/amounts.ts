// Money as integer nano-dollars (1e-9 USD) in bigint. No float ever holds an amount; the one
// exception, `toUsdNumber`, exists for `usage.cost`, which is a JSON number on the wire.

import { usdPatterns } from "./bounds.ts";
import { printDecimal } from "./decimal.ts";

declare const nanosBrand: unique symbol;
/** An amount in nano-dollars. */
export type Nanos = bigint & { readonly [nanosBrand]: true };

export const nanosPerUsd = 1_000_000_000n;

/** Brands a bigint that is known to be an amount in nano-dollars. */
export function toNanos(amount: bigint): Nanos {
  return amount as Nanos;
}

export const zeroNanos = toNanos(0n);
/** The largest amount that PostgreSQL's int8 holds: a little over 9.2 billion dollars. */
export const nanosMax = toNanos(2n ** 63n - 1n);

/** Reads an integer amount as PostgreSQL's int8 prints it; anything else throws. */
export function parseNanos(text: string): Nanos {
  if (!/^-?\d{1,19}$/.test(text)) throw new Error(`not an amount in nano-dollars: ${text}`);
  return toNanos(BigInt(text));
}

/** `"10"`, `"10.50"`, `"0.15"` to nano-dollars; undefined for every other spelling. */
export function parseUsd(text: string): Nanos | undefined {
  if (!usdPatterns.nanos.test(text)) return undefined;
  const [whole = "0", fraction = ""] = text.split(".");
  return toNanos(BigInt(whole) * nanosPerUsd + BigInt(fraction.padEnd(9, "0")));
}

/** Exact decimal string in USD without trailing zeros: `1500000000n` is `"1.5"`. */
export function formatUsd(amount: Nanos): string {
  return printDecimal({ digits: amount, scale: 9 });
}

/** The same of femto-dollars (1e-15 USD): what a token costs whose million costs so many nano-dollars. */
export function formatFemtos(femtos: bigint): string {
  return printDecimal({ digits: femtos, scale: 15 });
}

/** USD as a JSON number, for the wire's `cost` fields only. */
export function toUsdNumber(amount: Nanos): number {
  const nanos = Number(amount);
  // The division rounds an exact integer once, as parsing the decimal does.
  return Number.isSafeInteger(nanos) ? nanos / 1e9 : Number(formatUsd(amount));
}

/**
 * A sum of tokens times prices, in millionths of a nano-dollar. An integer either way: a number as long as that is
 * exact, which most calls are, because a bigint takes memory for each step.
 */
export type PricedSum = number | bigint;

/** `sum + tokens·price`, with a price in nano-dollars per million tokens. */
export function addTokens(sum: PricedSum, tokens: number, nanosPerMillion: bigint): PricedSum {
  // Most parts of most bills are nothing.
  if (tokens === 0) return sum;
  if (typeof sum === "number") {
    const added = sum + tokens * Number(nanosPerMillion);
    // Neither the product nor the sum was rounded, or it would be larger.
    if (Number.isSafeInteger(added)) return added;
  }
  return BigInt(sum) + BigInt(tokens) * nanosPerMillion;
}

/** `ceil(sum / 1e6)`: what a sum of priced tokens costs, rounded once. */
export function costOfSum(sum: PricedSum): Nanos {
  if (typeof sum === "bigint") return toNanos((sum + 999_999n) / 1_000_000n);
  const rest = sum % 1_000_000;
  return toNanos(BigInt((sum - rest) / 1_000_000 + (rest > 0 ? 1 : 0)));
}

export function minNanos(a: Nanos, b: Nanos): Nanos {
  return a < b ? a : b;
}

export function maxNanos(a: Nanos, b: Nanos): Nanos {
  return a > b ? a : b;
}
