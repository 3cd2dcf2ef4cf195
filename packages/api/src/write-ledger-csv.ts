// The ledger as a file: every row, oldest first, RFC 4180, with nothing a spreadsheet would run.

import { formatUsd } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { type LedgerQuery, type LedgerRow, readLedger } from "@turnpike/reports";

const header = ["date", "type", "description", "amount_usd", "balance_after_usd"];
const rowsMax = 100_000;

export async function writeLedgerCsv(
  db: Db,
  query: Omit<LedgerQuery, "limit" | "cursor">,
): Promise<string> {
  const { rows } = await readLedger(db, { ...query, limit: rowsMax });
  const lines = rows.toReversed().map((row) => cells(row).map(quote).join(","));
  return `${[header.join(","), ...lines].join("\r\n")}\r\n`;
}

function cells(row: LedgerRow): string[] {
  return [
    row.day ?? row.at.toISOString(),
    row.type,
    harmless(row.reason),
    formatUsd(row.amountNanos),
    formatUsd(row.balanceAfterNanos),
  ];
}

/** A cell that begins like a formula is one to a spreadsheet, in full-width letters to some too. */
export function harmless(text: string): string {
  return /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text;
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
