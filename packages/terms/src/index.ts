// What the server and the console have to agree on: amounts of money and the tables that both write. The lowest floor: it
// runs in a browser, and depends on nothing.
export {
  addTokens,
  costOfSum,
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
export {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalsOf,
  parseDecimal,
  printDecimal,
} from "./decimal.ts";
export { writeCsv } from "./write-csv.ts";
