// Validates the amount to add before it is sent; the server validates it again.
import { compareDecimals } from "@turnpike/terms";
import { formatAmount } from "../../lib/format.ts";
import { isUsd, parseUsd } from "../../lib/typed-usd.ts";

export type AmountBounds = { readonly minUsd: string; readonly maxUsd: string };

export function checkAmount(typed: string, { minUsd, maxUsd }: AmountBounds): string | undefined {
  const amount = parseUsd(typed);
  if (amount === "") return "Enter an amount.";
  if (!isUsd(amount)) return "Enter an amount in dollars, such as 10 or 10.50.";
  if (compareDecimals(amount, minUsd) < 0) return `The minimum is ${formatAmount(minUsd)}.`;
  if (compareDecimals(amount, maxUsd) > 0) return `The maximum is ${formatAmount(maxUsd)}.`;
  return undefined;
}
