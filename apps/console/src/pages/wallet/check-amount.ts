// Validates the amount to add before it is sent; the server validates it again.
import { compareDecimals, formatAmount } from "../../lib/format.ts";

export type AmountBounds = { readonly minUsd: string; readonly maxUsd: string };

/** As the API takes it: without spaces, a dollar sign in front, and commas between thousands. */
export function readAmount(typed: string): string {
  const amount = typed.trim().replace(/^\$\s*/, "");
  return /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(amount) ? amount.replaceAll(",", "") : amount;
}

export function checkAmount(typed: string, { minUsd, maxUsd }: AmountBounds): string | undefined {
  const amount = readAmount(typed);
  if (amount === "") return "Enter an amount.";
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(amount))
    return "Enter an amount in dollars, such as 10 or 10.50.";
  if (compareDecimals(amount, minUsd) < 0) return `The minimum is ${formatAmount(minUsd)}.`;
  if (compareDecimals(amount, maxUsd) > 0) return `The maximum is ${formatAmount(maxUsd)}.`;
  return undefined;
}
