// The gates of production that only the database can answer: a clock like ours, and a server that
// may write.
import type { Connection } from "@turnpike/db";
import { ConfigError } from "./config.ts";

const skewMaxMs = 2_000;

type Row = { now: string; recovery: boolean; readonly: string; fsync: string; commit: string };

/** Throws ConfigError with every gate that fails. */
export async function checkDatabase(database: Connection): Promise<void> {
  const askedAtMs = Date.now();
  const [row] = await database.sql<Row[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as now,
           pg_is_in_recovery() as recovery,
           current_setting('default_transaction_read_only') as readonly,
           current_setting('fsync') as fsync,
           current_setting('synchronous_commit') as commit`;
  if (row === undefined) throw new Error("a select without a row");
  const skewMs = Number(row.now) - (askedAtMs + Date.now()) / 2;
  const mistakes: string[] = [];
  if (Math.abs(skewMs) > skewMaxMs) {
    mistakes.push(`DATABASE_URL: its clock and ours differ by ${Math.round(skewMs)} ms; set both.`);
  }
  if (row.recovery || row.readonly === "on") {
    mistakes.push("DATABASE_URL: is a read-only replica; name the primary.");
  }
  if (row.fsync === "off" || row.commit === "off") {
    mistakes.push("DATABASE_URL: loses commits in a crash; set fsync and synchronous_commit on.");
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes);
}
