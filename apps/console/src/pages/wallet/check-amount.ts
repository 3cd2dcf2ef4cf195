// Validates the amount to add before it is sent; the server validates it again.
import { compareDecimals, formatAmount } from "../../lib/format.ts";
import { t } from "./texts.ts";

export type AmountBounds = { readonly minUsd: string; readonly maxUsd: string };

/** As the API takes it: without spaces, a dollar sign in front, and commas between thousands. */
export function readAmount(typed: string): string {
  const amount = typed.trim().replace(/^\$\s*/, "");
  return /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(amount) ? amount.replaceAll(",", "") : amount;
}

export function checkAmount(typed: string, { minUsd, maxUsd }: AmountBounds): string | undefined {
  const amount = readAmount(typed);
  if (amount === "") return t("add.missing");
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(amount)) return t("add.wrong");
  if (compareDecimals(amount, minUsd) < 0) return t("add.small", { min: formatAmount(minUsd) });
  if (compareDecimals(amount, maxUsd) > 0) return t("add.large", { max: formatAmount(maxUsd) });
  return undefined;
}
