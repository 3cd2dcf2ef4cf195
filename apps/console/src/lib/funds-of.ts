// Whether an account has money: fine, below the level of its alert, or none left.
import { compareDecimals } from "./format.ts";

export type Funds = "fine" | "low" | "zero";

export function fundsOf(wallet: {
  availableUsd: string;
  lowBalanceAlertUsd: string | null;
}): Funds {
  if (compareDecimals(wallet.availableUsd, "0") <= 0) return "zero";
  const alert = wallet.lowBalanceAlertUsd;
  return alert !== null && compareDecimals(wallet.availableUsd, alert) < 0 ? "low" : "fine";
}
