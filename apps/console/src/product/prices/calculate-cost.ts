// What a usage would cost at stated prices, by the arithmetic of the server's bills: exact, rounded up once to a
// nano-dollar.
import {
  type BilledUsage,
  costOf,
  formatUsd,
  parsePrices,
  ratesFor,
  type StatedPrices,
  toNanos,
} from "@turnpike/terms";

const nothing = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, cacheWriteTokens: 0 };

/** USD as an exact decimal, for `requests` identical requests. */
export function calculateCost(of: StatedPrices, used: Partial<BilledUsage>, requests = 1): string {
  const usage = { ...nothing, ...used };
  const nanos = costOf(ratesFor(parsePrices(of), usage.promptTokens), usage);
  return formatUsd(toNanos(nanos * BigInt(requests)));
}
