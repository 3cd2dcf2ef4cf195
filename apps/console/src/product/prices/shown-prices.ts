// Which prices of a list are shown for a model: a zero for tokens of a model that is billed by other units is no price, and would
// read as free.
import {
  compareDecimals,
  type Operation,
  operationTable,
  type RateKind,
  type Unit,
  type UsdRates,
  type UsdUnitRate,
  units,
} from "@turnpike/terms";
import { formatRate, noData } from "../../lib/format.ts";

export type Priced = { readonly operation: Operation; readonly prices: UsdRates };

/** What a price of these kinds would only repeat. */
const repeated: Readonly<Partial<Record<RateKind, readonly RateKind[]>>> = {
  cachedInput: ["input"],
  cacheWrite: ["input"],
  output: ["imageOutput", "audioOutput"],
};

/**
 * USD per million; undefined for what the model is not billed by. A chat model is billed by everything that it has a price for,
 * and one that does not write by its input only.
 */
export function tokenPriceOf({ operation, prices }: Priced, kind: RateKind): string | undefined {
  const usd = usdOf(prices, kind);
  if (operation === "chat" || usd === undefined) return usd;
  if (kind !== "input" && !operationTable[operation].writesTokens) return undefined;
  if (isZero(usd)) return kind === "input" && prices.units === undefined ? usd : undefined;
  return repeated[kind]?.some((other) => usdOf(prices, other) === usd) === true ? undefined : usd;
}

/** Of what it reads; of text, if that has a price. */
export function inputPriceOf(of: Priced): string | undefined {
  return tokenPriceOf(of, "input") ?? tokenPriceOf(of, "audioInput");
}

/** Of what it writes; of text, if that has a price. */
export function outputPriceOf(of: Priced): string | undefined {
  return (
    tokenPriceOf(of, "output") ?? tokenPriceOf(of, "imageOutput") ?? tokenPriceOf(of, "audioOutput")
  );
}

/** `$2.50 / $10.00` for input and output, and what is billed by other units. */
export function describePrices(of: Priced): string {
  const tokens = [inputPriceOf(of), outputPriceOf(of)].flatMap((usd) =>
    usd === undefined ? [] : [formatRate(usd, "Free")],
  );
  const parts = [tokens.join(" / "), describeUnitPrices(of.prices) ?? ""].filter(Boolean);
  return parts.length === 0 ? noData : parts.join(", ");
}

/** `From $0.04 per image`; undefined for a model that is billed by tokens only. */
export function describeUnitPrices({ units: rates = [] }: UsdRates): string | undefined {
  const names = [...new Set(rates.map(({ unit }) => unit))];
  const texts = names.map((unit) => {
    const [lowest = "0", ...others] = rates
      .filter((rate) => rate.unit === unit)
      .map(({ usd }) => usd)
      .sort(compareDecimals);
    const price = `${formatRate(lowest, "Free")} per ${units[unit].per}`;
    return others.length === 0 ? price : `From ${price}`;
  });
  return texts.length === 0 ? undefined : texts.join(", ");
}

/** `Per image, high/1024x1024`. */
export function unitPriceTitle({ unit, variant }: Pick<UsdUnitRate, "unit" | "variant">): string {
  return variant === undefined ? `Per ${units[unit].per}` : `Per ${units[unit].per}, ${variant}`;
}

export function unitPriceOf(
  { units: rates = [] }: UsdRates,
  of: { readonly unit: Unit; readonly variant?: string | undefined },
): string | undefined {
  return rates.find(({ unit, variant }) => unit === of.unit && variant === of.variant)?.usd;
}

function usdOf(prices: UsdRates, kind: RateKind): string | undefined {
  return prices[`${kind}Usd` as const];
}

function isZero(usd: string): boolean {
  return compareDecimals(usd, "0") === 0;
}
