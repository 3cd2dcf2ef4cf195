// What is reserved of a balance, in words beside it: never subtracted from the balance, because what
// requests do not use of it was never spent.
import { compareDecimals } from "@turnpike/terms";
import { formatAmount } from "./format.ts";

/** Undefined while nothing is reserved. */
export function describeReserved(wallet: { heldUsd: string }): string | undefined {
  if (compareDecimals(wallet.heldUsd, "0") <= 0) return undefined;
  return `${formatAmount(wallet.heldUsd)} reserved`;
}
