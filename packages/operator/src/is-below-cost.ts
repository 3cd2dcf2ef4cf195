// Whether something would be sold for less than it costs: any rate, of any service tier and any size of a prompt.
import {
  type BySize,
  type LongPrompt,
  type PriceList,
  type Rates,
  scaleRates,
} from "@turnpike/catalog";

const rateNames = [
  "inputNanosPerMillion",
  "cachedInputNanosPerMillion",
  "cacheWriteNanosPerMillion",
  "cacheWrite1hNanosPerMillion",
  "audioInputNanosPerMillion",
  "audioOutputNanosPerMillion",
  "webSearchNanosPerMillion",
  "outputNanosPerMillion",
] as const satisfies readonly (keyof Rates)[];

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
    isRateBelow(scaleRates(ratesAbove(price, above), markup), ratesAbove(cost, above)),
  );
}

function ratesAbove(list: BySize<Rates>, tokens: number): Rates {
  const isReached = ({ aboveTokens }: LongPrompt<Rates>) => aboveTokens <= tokens;
  return list.longPrompts?.findLast(isReached) ?? list;
}

function isRateBelow(price: Rates, cost: Rates): boolean {
  return rateNames.some((name) => {
    const [rate, least] = [price[name], cost[name]];
    return rate !== undefined && least !== undefined && rate < least;
  });
}
