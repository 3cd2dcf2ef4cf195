// The ledger as a file: every line of the page, oldest first. Times are UTC, except days and the description, which
// are in the time zone of the last column.

import type { Db } from "@turnpike/db";
import { type LedgerQuery, type LedgerRow, queryLedger, type UsageLine } from "@turnpike/reports";
import { formatUsd } from "@turnpike/terms";
import { endOfHour } from "./present.ts";
import { csvRowsMax, writeNewestCsv } from "./write-newest-csv.ts";

const header = [
  "date",
  "type",
  "description",
  "amount_usd",
  "balance_after_usd",
  "key_id",
  "calls",
  "hour_end",
  "running",
  "time_zone",
];

export async function writeLedgerCsv(
  db: Db,
  query: Omit<LedgerQuery, "limit" | "cursor">,
): Promise<string> {
  const { rows, nextCursor } = await queryLedger(db, { ...query, limit: csvRowsMax });
  const { timeZone } = query;
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" });
  const lines = rows.map((row) => [...cells(row, clock), timeZone]);
  return writeNewestCsv(header, lines, nextCursor !== null);
}

function cells(row: LedgerRow, clock: Intl.DateTimeFormat): string[] {
  const { usage } = row;
  return [
    // Usage of an hour is dated at its beginning: the last hour of a month belongs to that month.
    row.day ?? (usage?.hour ?? row.at).toISOString(),
    row.type,
    usage === null ? row.reason : describeUsage(usage, clock),
    formatUsd(row.amountNanos),
    formatUsd(row.balanceAfterNanos),
    ...(usage === null ? ["", "", "", ""] : usageCells(usage)),
  ];
}

function usageCells({ keyId, calls, hour, open }: UsageLine): string[] {
  return [keyId ?? "playground", `${calls}`, endOfHour(hour).toISOString(), open ? "yes" : "no"];
}

/** `laptop · 14:00–15:00 · 1,203 calls`. */
function describeUsage({ keyName, hour, calls }: UsageLine, clock: Intl.DateTimeFormat): string {
  const hours = `${clock.format(hour)}–${clock.format(endOfHour(hour))}`;
  const count = `${calls.toLocaleString("en")} ${calls === 1 ? "call" : "calls"}`;
  return `${keyName ?? "Playground"} · ${hours} · ${count}`;
}
