// Whether something would be sold for less than it costs: any rate, of any service tier and any size of a prompt.
import {
  type BySize,
  type PriceList,
  type Rates,
  rateKinds,
  rateOf,
  ratesFor,
  scaleRates,
  unitRateOf,
} from "@turnpike/terms";

/** `markup` on the price is in hundredths of a percent. A rate without a known cost is not compared. */
export function isBelowCost(price: PriceList, cost: PriceList, markup = 0): boolean {
  const tiers = new Map<string, BySize<Rates> | undefined>(Object.entries(cost.tiers ?? {}));
  return (
    isSizeBelow(price, cost, markup) ||
    Object.entries(price.tiers ?? {}).some(([tier, list]) =>
      isSizeBelow(list, tiers.get(tier) ?? cost, markup),
    )
  );
}

/** At every size at which the price or the cost changes. */
function isSizeBelow(price: BySize<Rates>, cost: BySize<Rates>, markup: number): boolean {
  const sizes = [price, cost].flatMap(({ longPrompts = [] }) =>
    longPrompts.map(({ aboveTokens }) => aboveTokens),
  );
  return [0, ...sizes].some((above) =>
    isRateBelow(scaleRates(ratesFor(price, above + 1), markup), ratesFor(cost, above + 1)),
  );
}

function isRateBelow(price: Rates, cost: Rates): boolean {
  return (
    rateKinds.some((kind) => {
      const [rate, least] = [rateOf(price, kind), rateOf(cost, kind)];
      return isLess(rate, least);
    }) || isUnitBelow(price, cost)
  );
}

/** Every variant that either of them has a rate for. */
function isUnitBelow({ units: price = [] }: Rates, { units: cost = [] }: Rates): boolean {
  return [...price, ...cost].some((one) => isLess(unitRateOf(price, one), unitRateOf(cost, one)));
}

function isLess(rate: bigint | undefined, least: bigint | undefined): boolean {
  return rate !== undefined && least !== undefined && rate < least;
}
