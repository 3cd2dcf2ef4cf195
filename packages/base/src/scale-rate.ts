// A rate with a markup: the one place that rounds it, for the hold, the charge and every line that explains it.

/**
 * `rate` is in nano-dollars per million tokens; the markup is in hundredths of a percent, below zero for a
 * discount. Rounded to a whole nano-dollar per million, half up.
 */
export function scaleRate(rate: bigint, markupBasisPoints: number): bigint {
  return (rate * BigInt(10_000 + markupBasisPoints) + 5_000n) / 10_000n;
}
