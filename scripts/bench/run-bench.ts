// One run: starts everything, warms it up, measures row by row, verifies the ledger, reports the
// results.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "@turnpike/db";
import { type RunningPostgres, startPostgres } from "../postgres/start-postgres.ts";
import type { BenchOptions, PeerName } from "./bench-options.ts";
import { Bill } from "./bill.ts";
import { compareAims } from "./compare-aims.ts";
import { describeMachine } from "./describe-machine.ts";
import { fundAccounts } from "./fund-accounts.ts";
import { findPeers } from "./install-peers.ts";
import { measureRows, type Row, say } from "./measure-rows.ts";
import { type Results, reportResults, writeDocument } from "./report-results.ts";
import { verifyLedger } from "./verify-ledger.ts";

const accounts = 64;

/** Returns the exit code: 0 if the books are proven, whatever the ratios are. */
export async function runBench(options: BenchOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-bench-"));
  let postgres: RunningPostgres | undefined;
  const clear = async () => {
    await postgres?.stop();
    if (postgres) rmSync(postgres.home, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => void clear().finally(() => process.exit(130)));
  }
  try {
    postgres = await startPostgres({ home: join(folder, "postgres") });
    const results = await measure(options, folder, postgres);
    console.log(reportResults(results));
    keepJson(options, results);
    if (options.write) writeDocument(results);
    return results.books.proven ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    await clear();
  }
}

function keepJson({ json }: BenchOptions, results: Pick<Results, "machine" | "rows">): void {
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
}

async function measure(
  options: BenchOptions,
  folder: string,
  postgres: RunningPostgres,
): Promise<Results> {
  const skipped = new Map<string, string>();
  const onSkip = (title: string, why: string) => {
    if (!skipped.has(title)) console.error(`${title} skipped: ${why}`);
    skipped.set(title, why);
  };
  const wanted = options.sides.filter((name): name is PeerName => !isOurs(name));
  const peers = await findPeers(wanted, options.peers);
  for (const { title, why } of peers.skipped) onSkip(title, why);
  const keys = await fundAccounts(postgres.ownerUrl, accounts);
  const machine = await describeMachine(postgres);
  const bill = new Bill();
  const { sides, profile } = options;
  const context = { folder, postgres, profile, sides, keys, peers: peers.found, onSkip };
  const postgresPid = readPostmasterPid(postgres);
  const onRows = (rows: readonly Row[]) => keepJson(options, { machine, rows });
  const walBefore = await readWalBytes(postgres);
  const rows = await measureRows({ options, context, postgres, postgresPid, keys, bill, onRows });
  const walBytes = (await readWalBytes(postgres)) - walBefore;
  say("books");
  const hasCalls = options.rows.some((name) => !["acquire", "reports", "citus"].includes(name));
  const books = await verifyLedger(postgres.ownerUrl, bill, hasCalls);
  const { seconds } = options;
  const left = [...skipped].map(([title, why]) => ({ title, why }));
  return {
    machine,
    seconds,
    accounts,
    rows,
    skipped: left,
    books,
    walBytesPerCall: hasCalls ? walBytes / books.calls : undefined,
    aims: compareAims(rows, machine),
  };
}

/** Written since the cluster was made. */
async function readWalBytes({ ownerUrl }: RunningPostgres): Promise<number> {
  const owner = connectDatabase({ url: ownerUrl, max: 1, applicationName: "turnpike bench" });
  try {
    const [row] = await owner.sql<{ bytes: number }[]>`
      select (pg_current_wal_lsn() - '0/0')::float8 as bytes`;
    return row?.bytes ?? 0;
  } finally {
    await owner.close();
  }
}

function isOurs(name: string): boolean {
  return name === "bare" || name === "floor" || name.startsWith("turnpike");
}

/** Its first line is the process id. */
function readPostmasterPid({ home }: RunningPostgres): number {
  return Number(readFileSync(join(home, "cluster/postmaster.pid"), "utf8").split("\n")[0]);
}
