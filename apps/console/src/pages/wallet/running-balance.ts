// The ledger as shown: amounts and balances with the same number of decimals, rounded so that every shown
// balance is exactly the one before it plus the shown amount.
import {
  addDecimals,
  decimalsOfCosts,
  negateDecimal,
  parseDecimal,
  printDecimal,
  type Rounding,
  roundDecimal,
} from "../../lib/format.ts";

type Row = {
  readonly id: string;
  /** Signed. */
  readonly amountUsd: string;
  /** Null while the row is pending: then no balance counts it. */
  readonly balanceAfterUsd: string | null;
};

/** Decimal strings, all with the same number of decimals. */
export type ShownRow = { readonly amountUsd: string; readonly balanceUsd: string | undefined };

/**
 * By row id. Balances are rounded down, as the balance card is, to the decimals the amounts need. An
 * amount is the difference of the rounded balances around it, so it is off by less than one unit of its
 * last decimal; the rows of a filtered or later page add up as well.
 */
export function showLedger(rows: readonly Row[]): ReadonlyMap<string, ShownRow> {
  const decimals = decimalsOfCosts(rows.map((row) => row.amountUsd));
  return new Map(rows.map((row) => [row.id, showRow(row, decimals)]));
}

function showRow({ amountUsd, balanceAfterUsd }: Row, decimals: number): ShownRow {
  const round = (usd: string, rounding: Rounding) =>
    printDecimal(roundDecimal(parseDecimal(usd), decimals, rounding));
  if (balanceAfterUsd === null) {
    return { amountUsd: round(amountUsd, "half"), balanceUsd: undefined };
  }
  const balanceUsd = round(balanceAfterUsd, "floor");
  const before = addDecimals([balanceAfterUsd, negateDecimal(amountUsd)]);
  const difference = addDecimals([balanceUsd, negateDecimal(round(before, "floor"))]);
  return { amountUsd: round(difference, "half"), balanceUsd };
}
