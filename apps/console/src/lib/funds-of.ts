// Whether an account has money: fine, below the level of its alert, or none left.
import { compareDecimals } from "./format.ts";

export type Funds = "fine" | "low" | "zero";

export function fundsOf(wallet: { balanceUsd: string; lowBalanceAlertUsd: string | null }): Funds {
  if (compareDecimals(wallet.balanceUsd, "0") <= 0) return "zero";
  const alert = wallet.lowBalanceAlertUsd;
  return alert !== null && compareDecimals(wallet.balanceUsd, alert) < 0 ? "low" : "fine";
}
