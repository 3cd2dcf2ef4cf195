// One run: starts everything, warms it up, measures row by row, verifies the ledger, reports the
// results.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "@turnpike/db";
import { type RunningPostgres, startPostgres } from "../postgres/start-postgres.ts";
import type { BenchOptions } from "./bench-options.ts";
import { Bill } from "./bill.ts";
import { messageOf } from "./count-failures.ts";
import { describeMachine } from "./describe-machine.ts";
import { fundAccounts } from "./fund-accounts.ts";
import { findPeers } from "./install-peers.ts";
import { measureRows } from "./measure-rows.ts";
import { say } from "./measure-short-rows.ts";
import { peerNames } from "./peer-versions.ts";
import { prepareBefore } from "./prepare-before.ts";
import { RunRecord } from "./record-run.ts";
import { keepJson, reportRun } from "./report-run.ts";
import { verifyLedger } from "./verify-ledger.ts";

const accounts = 64;

/** Returns the exit code: 0 if no row failed and the books are proven, whatever the ratios are. */
export async function runBench(options: BenchOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-bench-"));
  const { seconds, json } = options;
  const record = new RunRecord({ seconds, accounts }, (measured) => keepJson(json, measured));
  let postgres: RunningPostgres | undefined;
  const clear = async () => {
    await postgres?.stop();
    if (postgres) rmSync(postgres.home, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return await reportRun(options, record, async () => {
      postgres = await startPostgres({ home: join(folder, "postgres") });
      await measure(options, folder, postgres, record);
    });
  } finally {
    await clear();
  }
}

async function measure(
  options: BenchOptions,
  folder: string,
  postgres: RunningPostgres,
  record: RunRecord,
): Promise<void> {
  const { sides, profile } = options;
  const wanted = peerNames.filter((name) => sides.includes(name));
  const peers = await findPeers(wanted, options);
  const onSkip = (title: string, why: string) => record.skip(title, why);
  for (const { title, why } of peers.skipped) onSkip(title, why);
  const keys = await fundAccounts(postgres.ownerUrl, accounts);
  record.machine = await describeMachine(postgres);
  const bill = new Bill();
  const before =
    options.before === undefined
      ? undefined
      : await prepareBefore(options.before, postgres, accounts);
  const context = { folder, postgres, profile, sides, keys, before, peers: peers.found, onSkip };
  const postgresPid = readPostmasterPid(postgres);
  const walBefore = await queryWalBytes(postgres);
  await measureRows({ options, context, postgres, postgresPid, keys, bill, record });
  if (record.hasEnded) return;
  say("books");
  const hasCalls = options.rows.some((name) => !["acquire", "reports", "citus"].includes(name));
  try {
    const walBytes = (await queryWalBytes(postgres)) - walBefore;
    const books = await verifyLedger(postgres.ownerUrl, bill, hasCalls);
    record.books = books;
    // The whole cluster's: with a side before, also that of its calls.
    if (books.calls > 0 && before === undefined) record.walBytesPerCall = walBytes / books.calls;
  } catch (error) {
    record.books = { unverified: messageOf(error) };
  }
}

/** Written since the cluster was made. */
async function queryWalBytes({ ownerUrl }: RunningPostgres): Promise<number> {
  const owner = connectDatabase({ url: ownerUrl, max: 1, applicationName: "turnpike bench" });
  try {
    const [row] = await owner.sql<{ bytes: number }[]>`
      select (pg_current_wal_lsn() - '0/0')::float8 as bytes`;
    return row?.bytes ?? 0;
  } finally {
    await owner.close();
  }
}

/** Its first line is the process id. */
function readPostmasterPid({ home }: RunningPostgres): number {
  return Number(readFileSync(join(home, "cluster/postmaster.pid"), "utf8").split("\n")[0]);
}
