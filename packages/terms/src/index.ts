// What the server and the console have to agree on: closed sets, amounts of money, prices and what they make of a usage,
// and the tables that both write. The lowest floor: it runs in a browser, and depends on nothing.
export {
  addTokens,
  costOfSum,
  formatFemtos,
  formatUsd,
  maxNanos,
  minNanos,
  type Nanos,
  nanosMax,
  nanosPerUsd,
  type PricedSum,
  parseNanos,
  parseUsd,
  toNanos,
  toUsdNumber,
  zeroNanos,
} from "./amounts.ts";
export * from "./bounds.ts";
export * from "./closed-sets.ts";
export {
  addUnits,
  type BilledUsage,
  billedRate,
  billedUnitRate,
  costOf,
  countOf,
} from "./cost-of.ts";
export {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalsOf,
  parseDecimal,
  printDecimal,
} from "./decimal.ts";
export { type Modality, type Operation, operations, operationTable } from "./operations.ts";
export {
  type ByServiceTier,
  type BySize,
  isSameRates,
  type PriceList,
  type RareKind,
  type RateKind,
  type Rates,
  rareKinds,
  rareRatesOf,
  rateKinds,
  rateNames,
  rateOf,
  ratesFor,
  scaleRates,
} from "./rates.ts";
export {
  parsePrices,
  type StatedPrices,
  statePrices,
  stateRate,
  stateRates,
  type UsdRates,
  type UsdUnitRate,
} from "./stated-prices.ts";
export {
  statedUnitPrice,
  type Unit,
  type UnitCount,
  type UnitRate,
  unitNames,
  unitRateFromStated,
  unitRateOf,
  units,
} from "./units.ts";
export { writeCsv } from "./write-csv.ts";
