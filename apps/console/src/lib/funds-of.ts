// Whether an account can spend, its credit included: fine, below the level of its alert, or none left.
import { compareDecimals } from "@turnpike/terms";

export type Funds = "fine" | "low" | "zero";

export function fundsOf(wallet: {
  spendableUsd: string;
  lowBalanceAlertUsd: string | null;
}): Funds {
  if (compareDecimals(wallet.spendableUsd, "0") <= 0) return "zero";
  const alert = wallet.lowBalanceAlertUsd;
  return alert !== null && compareDecimals(wallet.spendableUsd, alert) < 0 ? "low" : "fine";
}
