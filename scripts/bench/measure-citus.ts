// What spreading requests over a Citus cluster costs and brings: calls and the pages of a large account, on one server and
// on clusters of one and of two workers, all on this machine. The load takes turns; books are proven at the end.
import { type Connection, connectDatabase, distributeTables, migrate } from "@turnpike/db";
import type { SpawnedServer } from "@turnpike/testing";
import { type CitusCluster, startCitus } from "../citus/start-citus.ts";
import { Bill } from "./bill.ts";
import { messageOf } from "./count-failures.ts";
import { fundAccounts } from "./fund-accounts.ts";
import { describeFailures, percentile, sendLoadTo } from "./measure-load.ts";
import { measurePages, type ReportFigures } from "./measure-reports.ts";
import { readFamilyCpuMs } from "./read-usage.ts";
import type { LoadResult } from "./send-load.ts";
import { type BenchContext, type Side, startTurnpike, startUpstream } from "./start-sides.ts";
import { verifyLedger } from "./verify-ledger.ts";

export type CitusFigures = {
  readonly title: string;
  readonly callsPerSecond: number;
  readonly p50Ms: number;
  /** Of a call, in microseconds. */
  readonly coordinatorCpu: number;
  readonly workersCpu: number;
  /** Whether the books hold exactly what the calls cost. */
  readonly proven: boolean;
  readonly reports: ReportFigures;
  /** How many calls failed and why, if few did: the figures are those of the others. */
  readonly failures?: string | undefined;
};

export type CitusComparison = {
  readonly citus: readonly CitusFigures[];
  /** The sites that failed, and why. */
  readonly failures: readonly string[];
};

type Site = {
  readonly title: string;
  readonly cluster: CitusCluster;
  readonly keys: readonly string[];
  readonly server: SpawnedServer;
  readonly bill: Bill;
  readonly turns: Turn[];
};

type Turn = {
  readonly result: LoadResult;
  readonly coordinatorMs: number;
  readonly workersMs: number;
};

const titles = ["one server", "one worker", "two workers"] as const;
const accounts = 64;
const connections = 64;
const rounds = 4;
const warmUpSeconds = 8;
const deltas = 20;

export async function measureCitus(
  binaries: string,
  context: Pick<BenchContext, "folder" | "profile">,
  { seconds, calls }: { readonly seconds: number; readonly calls: number },
): Promise<CitusComparison> {
  const upstream = await startUpstream(deltas, 0);
  const sites: Site[] = [];
  const citus: CitusFigures[] = [];
  const failed = new Map<string, string>();
  const attempt = async (title: string, act: () => Promise<void>) => {
    if (failed.has(title)) return;
    await act().catch((error) => failed.set(title, `${title}: ${messageOf(error)}`));
  };
  const sendTurns = async (turnSeconds: number) => {
    for (const site of sites)
      await attempt(site.title, () => sendTurn(site, upstream, turnSeconds));
  };
  try {
    for (const [workers, title] of titles.entries()) {
      await attempt(title, async () => {
        sites.push(await openSite(binaries, { title, workers }, context, upstream));
      });
    }
    await sendTurns(warmUpSeconds);
    for (const site of sites) site.turns.length = 0;
    for (let round = 0; round < rounds; round += 1) await sendTurns(seconds / rounds);
    for (const site of sites) {
      await attempt(site.title, async () => {
        citus.push(await closeSite(site, calls));
      });
    }
    return { citus, failures: [...failed.values()] };
  } finally {
    for (const { server, cluster } of sites) {
      await server.kill("SIGKILL");
      await cluster.close();
    }
    await upstream.kill();
  }
}

async function openSite(
  binaries: string,
  { title, workers }: { readonly title: string; readonly workers: number },
  context: Pick<BenchContext, "folder" | "profile">,
  upstream: SpawnedServer,
): Promise<Site> {
  const cluster = await startCitus(binaries, { workers });
  await migrate({ url: cluster.ownerUrl });
  if (workers > 0) await withOwner(cluster, ({ sql }) => distributeTables(sql));
  const keys = await fundAccounts(cluster.ownerUrl, accounts);
  const server = await startTurnpike({ ...context, postgres: cluster }, upstream, 1);
  return { title, cluster, keys, server, bill: new Bill(), turns: [] };
}

async function withOwner<Result>(
  { ownerUrl: url }: CitusCluster,
  use: (owner: Connection) => Promise<Result>,
): Promise<Result> {
  const owner = connectDatabase({ url, max: 1, statementTimeoutMs: 600_000 });
  try {
    return await use(owner);
  } finally {
    await owner.close();
  }
}

async function sendTurn(site: Site, upstream: SpawnedServer, seconds: number): Promise<void> {
  const { keys, bill, server, cluster } = site;
  const side: Side = {
    name: "turnpike",
    title: site.title,
    pid: server.pid,
    headers: [],
    port: Number(new URL(server.url).port),
    bills: true,
    collects: true,
  };
  const load = {
    keys,
    bill,
    deltas,
    sides: [side],
    upstreamPid: upstream.pid,
    postgresPid: undefined,
  };
  const coordinatorMs = () => readFamilyCpuMs(cluster.coordinator.postmasterPid());
  const workersMs = () =>
    cluster.workers.reduce((sum, worker) => sum + readFamilyCpuMs(worker.postmasterPid()), 0);
  const before = [coordinatorMs(), workersMs()] as const;
  const result = await sendLoadTo(load, side, { connections, seconds, stream: false });
  site.turns.push({
    result,
    coordinatorMs: coordinatorMs() - before[0],
    workersMs: workersMs() - before[1],
  });
}

/** Ends the server, whose leases are closed then; proves the books, and reads pages of a large account. */
async function closeSite(
  { title, cluster, server, bill, turns }: Site,
  calls: number,
): Promise<CitusFigures> {
  await server.kill("SIGTERM");
  const { proven } = await verifyLedger(cluster.ownerUrl, bill);
  const reports = await measurePages(cluster.ownerUrl, calls);
  const sum = (read: (turn: Turn) => number) =>
    turns.reduce((total, turn) => total + read(turn), 0);
  const made = sum(({ result }) => result.calls);
  const latenciesMs = turns.flatMap(({ result }) => result.latenciesMs).sort((a, b) => a - b);
  return {
    title,
    callsPerSecond: made / sum(({ result }) => result.seconds),
    p50Ms: percentile(latenciesMs, 0.5),
    coordinatorCpu: (sum((turn) => turn.coordinatorMs) * 1_000) / made,
    workersCpu: (sum((turn) => turn.workersMs) * 1_000) / made,
    proven,
    reports,
    failures: describeFailures(turns.map(({ result }) => result)),
  };
}
