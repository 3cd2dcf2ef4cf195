// What a request would cost, exactly as it is billed: tokens times price, rounded up once to a
// nano-dollar (docs: Billing).

import { parseDecimal, printDecimal } from "@turnpike/terms";
import type { Answers } from "../../lib/api.ts";

type Model = Answers["models"]["list"][number];
type Prices = Model["prices"];

export type TokenCounts = {
  readonly inputTokens: number;
  /** Part of the input. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
};

/** The prices of a prompt of this size. */
export function pricesFor(model: Model, inputTokens: number): Prices {
  const long = model.longPrompts?.findLast(({ aboveTokens }) => inputTokens > aboveTokens);
  return long?.prices ?? model.prices;
}

const nanoScale = 9;
const perMillionScale = 6;

/** USD as an exact decimal, for `requests` identical requests. */
export function calculateCost(prices: Prices, counts: TokenCounts, requests: number): string {
  const lines = [
    [counts.inputTokens - counts.cachedTokens, prices.inputUsd],
    [counts.cachedTokens, prices.cachedInputUsd],
    [counts.outputTokens, prices.outputUsd],
  ] as const;
  // Rates are whole nano-dollars per million tokens, so these sums are whole too.
  const total = lines.reduce((sum, [tokens, rate]) => sum + BigInt(tokens) * nanosOf(rate), 0n);
  const million = 10n ** BigInt(perMillionScale);
  const nanos = (total + million - 1n) / million;
  return printDecimal({ digits: nanos * BigInt(requests), scale: nanoScale });
}

function nanosOf(usd: string): bigint {
  const { digits, scale } = parseDecimal(usd);
  return digits * 10n ** BigInt(nanoScale - scale);
}
