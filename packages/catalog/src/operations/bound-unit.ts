// So many of a unit at most, in one of several forms with prices of their own.
import {
  addTokens,
  billedUnitRate,
  type PricedSum,
  type Rates,
  type UnitCount,
} from "@turnpike/terms";

export type BoundUnit = Omit<UnitCount, "variant"> & {
  /** Absent or empty for a unit without forms. */
  readonly variants?: readonly string[];
};

/** What these cost at most, in millionths of a nano-dollar. */
export function boundUnits(rates: Rates, units: readonly BoundUnit[]): PricedSum {
  let sum: PricedSum = 0;
  for (const { unit, count, variants = [] } of units) {
    let highest = 0n;
    for (const variant of variants.length === 0 ? [undefined] : variants) {
      const rate = billedUnitRate(rates, { unit, variant });
      if (rate > highest) highest = rate;
    }
    sum = addTokens(sum, count, highest);
  }
  return sum;
}

/** The same as they are counted. */
export function countsOf(units: readonly BoundUnit[]): readonly UnitCount[] {
  return units.map(({ unit, count }) => ({ unit, count }));
}
