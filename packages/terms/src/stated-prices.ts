// Prices as the API of the console states them, in exact decimals of USD, and read back: what is read is what was stated.
import { formatUsd, parseUsd, toNanos } from "./amounts.ts";
import {
  type BySize,
  type RareKind,
  type RateKind,
  type Rates,
  rareKinds,
  rareRatesOf,
  rateOf,
} from "./rates.ts";
import { statedUnitPrice, type Unit, type UnitRate, unitRateFromStated } from "./units.ts";

/** Per million tokens; per thousand searches, as providers list them. */
export type UsdRates = {
  readonly [Kind in Exclude<RateKind, RareKind> as `${Kind}Usd`]: string;
} & {
  readonly [Kind in RareKind as `${Kind}Usd`]?: string;
} & {
  readonly units?: readonly UsdUnitRate[];
};

/** For what the unit's price is stated for: an image, a minute of audio. */
export type UsdUnitRate = { readonly unit: Unit; readonly variant?: string; readonly usd: string };

/** Rates, and those of long prompts, if they cost more: shortest first. */
export type StatedPrices = {
  readonly prices: UsdRates;
  readonly longPrompts?: readonly { readonly aboveTokens: number; readonly prices: UsdRates }[];
};

export function statePrices(list: BySize<Rates>): StatedPrices {
  const { longPrompts } = list;
  return {
    prices: stateRates(list),
    ...(longPrompts !== undefined && {
      longPrompts: longPrompts.map((rates) => {
        return { aboveTokens: rates.aboveTokens, prices: stateRates(rates) };
      }),
    }),
  };
}

export function parsePrices({ prices, longPrompts = [] }: StatedPrices): BySize<Rates> {
  return {
    ...parseRates(prices),
    longPrompts: longPrompts.map((long) => {
      return { aboveTokens: long.aboveTokens, ...parseRates(long.prices) };
    }),
  };
}

export function stateRates(rates: Rates): UsdRates {
  const rare: { [Kind in RareKind as `${Kind}Usd`]?: string } = {};
  for (const kind of rareKinds) {
    const rate = rateOf(rates, kind);
    if (rate !== undefined) rare[`${kind}Usd` as const] = stateRate(kind, rate);
  }
  return {
    inputUsd: stateRate("input", rates.inputNanosPerMillion),
    cachedInputUsd: stateRate("cachedInput", rates.cachedInputNanosPerMillion),
    cacheWriteUsd: stateRate("cacheWrite", rates.cacheWriteNanosPerMillion),
    outputUsd: stateRate("output", rates.outputNanosPerMillion),
    ...rare,
    ...(rates.units !== undefined && { units: rates.units.map(stateUnitRate) }),
  };
}

export function stateUnitRate(rate: UnitRate): UsdUnitRate {
  const { unit, variant } = rate;
  const usd = formatUsd(toNanos(statedUnitPrice(rate)));
  return { unit, ...(variant !== undefined && { variant }), usd };
}

function parseUnitRate({ unit, variant, usd }: UsdUnitRate): UnitRate {
  return { unit, variant, nanosPerMillion: unitRateFromStated(unit, parsePrice(usd)) };
}

function parseRates(stated: UsdRates): Rates {
  const rare = rareRatesOf((kind) => {
    const usd = stated[`${kind}Usd` as const];
    return usd === undefined ? undefined : parseRate(kind, usd);
  });
  return {
    inputNanosPerMillion: parseRate("input", stated.inputUsd),
    cachedInputNanosPerMillion: parseRate("cachedInput", stated.cachedInputUsd),
    cacheWriteNanosPerMillion: parseRate("cacheWrite", stated.cacheWriteUsd),
    outputNanosPerMillion: parseRate("output", stated.outputUsd),
    ...rare,
    ...(stated.units !== undefined && { units: stated.units.map(parseUnitRate) }),
  };
}

/** How many a stated price is for, of the million that a rate is for. */
function partsOfMillion(kind: RateKind): bigint {
  return kind === "webSearch" ? 1_000n : 1n;
}

export function stateRate(kind: RateKind, nanosPerMillion: bigint): string {
  return formatUsd(toNanos(nanosPerMillion / partsOfMillion(kind)));
}

function parseRate(kind: RateKind, usd: string): bigint {
  return parsePrice(usd) * partsOfMillion(kind);
}

function parsePrice(usd: string): bigint {
  const nanos = parseUsd(usd);
  if (nanos === undefined) throw new Error(`not a price: ${usd}`);
  return nanos;
}
