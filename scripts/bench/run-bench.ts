// One run: starts everything, warms it up, measures row by row, proves the books, tells the results.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningPostgres, startPostgres } from "../start-postgres.ts";
import type { BenchOptions, LoadRowName } from "./bench-options.ts";
import { Bill } from "./bill.ts";
import { describeMachine } from "./describe-machine.ts";
import { fundAccounts } from "./fund-accounts.ts";
import { compareLoad, type Stage, sendLoadTo } from "./measure-load.ts";
import { compareLogins } from "./measure-logins.ts";
import { compareStreams } from "./measure-streams.ts";
import { proveBooks } from "./prove-books.ts";
import { canReadUsage } from "./read-usage.ts";
import { startUpstream, withSides } from "./start-sides.ts";
import { judge, type Results, type Row, tell, writeDocument } from "./tell-results.ts";

const accounts = 64;
const deltas = 20;
const warmUpSeconds = 2;

/** Returns the exit code: 0 when the books are proven, whatever the ratios are. */
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
    console.log(tell(results));
    if (options.json !== undefined) {
      writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
    }
    if (options.write) writeDocument(results);
    return results.books.proven ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    await clear();
  }
}

async function measure(
  options: BenchOptions,
  folder: string,
  postgres: RunningPostgres,
): Promise<Results> {
  const keys = await fundAccounts(postgres.ownerUrl, accounts);
  const machine = await describeMachine(postgres);
  const bill = new Bill();
  const rows: Row[] = [];
  const around = { folder, postgres, profile: options.profile };
  const short = options.rows.filter((name) => name !== "streams");
  if (short.length > 0) rows.push(...(await measureShort(options, short, { around, keys, bill })));
  if (options.rows.includes("streams") && canReadUsage) {
    say("streams");
    const load = { keys, streams: options.streams, seconds: options.seconds };
    rows.push({ name: "streams", streams: await compareStreams(around, load, bill) });
  }
  say("books");
  const books = await proveBooks(postgres.ownerUrl, bill);
  const { seconds, streams } = options;
  const results = { machine, seconds, streams, accounts, rows, books };
  return { ...results, aims: judge(rows) };
}

type Run = {
  around: Parameters<typeof compareStreams>[0];
  keys: readonly string[];
  bill: Bill;
};

async function measureShort(
  options: BenchOptions,
  names: readonly (LoadRowName | "logins")[],
  { around, keys, bill }: Run,
): Promise<Row[]> {
  const upstream = await startUpstream(deltas, 0);
  const common = {
    keys,
    upstreamPid: upstream.pid,
    postgresPid: readPostmasterPid(around.postgres),
    deltas,
    bill,
  };
  try {
    return await withSides(around, upstream, async (sides) => {
      const stage: Stage = { ...common, sides };
      await warmUp(stage);
      const rows: Row[] = [];
      for (const name of names) {
        say(name);
        rows.push(await measureRow(name, stage, around, options.seconds));
      }
      return rows;
    });
  } finally {
    await upstream.kill();
  }
}

async function warmUp(stage: Stage): Promise<void> {
  say("warm-up");
  for (const side of stage.sides) {
    for (const stream of [true, false]) {
      await sendLoadTo(stage, side, { connections: 64, seconds: warmUpSeconds / 2, stream });
    }
  }
}

async function measureRow(
  name: LoadRowName | "logins",
  stage: Stage,
  { postgres }: Run["around"],
  seconds: number,
): Promise<Row> {
  if (name === "logins") {
    return { name, logins: await compareLogins(stage, postgres.ownerUrl, seconds) };
  }
  return { name, load: await measureLoad(name, stage, seconds) };
}

function measureLoad(name: LoadRowName, stage: Stage, seconds: number) {
  if (name === "first-byte") return compareLoad(stage, { connections: 1, seconds, stream: true });
  const connections = Number(name.split("-")[1]);
  const keys = name === "hot-64" ? stage.keys.slice(0, 1) : stage.keys;
  return compareLoad({ ...stage, keys }, { connections, seconds, stream: false });
}

/** Its first line is the process id. */
function readPostmasterPid({ home }: RunningPostgres): number {
  return Number(readFileSync(join(home, "cluster/postmaster.pid"), "utf8").split("\n")[0]);
}

function say(row: string): void {
  console.error(`... ${row}`);
}
