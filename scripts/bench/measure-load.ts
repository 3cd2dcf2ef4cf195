// Rows of short calls: the sides take turns in slices (A B A B …), so that whatever else the machine
// does meets both of them.
import type { Bill } from "./bill.ts";
import { canReadUsage, readCpuMs, readFamilyCpuMs } from "./read-usage.ts";
import { type LoadResult, sendLoad } from "./send-load.ts";
import type { Side, Sides } from "./start-sides.ts";
import { writeRequest } from "./write-request.ts";

export type LoadFigures = {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  firstByteP50Ms: number;
  /** Of one request, in each process; absent where the system does not tell. */
  cpuMicroseconds: Record<string, number> | undefined;
};

export type Comparison = { bare: LoadFigures; turnpike: LoadFigures };

/** Who answers, who pays, and whose time is taken. */
export type Stage = {
  sides: Sides;
  keys: readonly string[];
  upstreamPid: number;
  /** Undefined where nobody asks what it uses. */
  postgresPid: number | undefined;
  /** What one answer of the upstream has. */
  deltas: number;
  bill: Bill;
};

const slices = 4;

export async function compareLoad(
  stage: Stage,
  load: { connections: number; seconds: number; stream: boolean },
): Promise<Comparison> {
  const collected = { bare: newCollection(), turnpike: newCollection() };
  for (let slice = 0; slice < slices; slice += 1) {
    for (const side of stage.sides) {
      const before = readCpu(stage, side);
      const result = await sendLoadTo(stage, side, { ...load, seconds: load.seconds / slices });
      addSlice(collected[side.name], result, before, readCpu(stage, side));
    }
  }
  return { bare: sumUp(collected.bare), turnpike: sumUp(collected.turnpike) };
}

/** One slice against one side; what Turnpike answers goes on the bill. */
export async function sendLoadTo(
  stage: Stage,
  side: Side,
  load: { connections: number; seconds: number; stream: boolean },
): Promise<LoadResult> {
  const port = Number(new URL(side.server.url).port);
  const requests = stage.keys.map((key) => writeRequest(port, key, load.stream));
  const result = await sendLoad({ ...load, port, requests });
  if (side.name === "turnpike") stage.bill.add(result.calls, stage.deltas);
  return result;
}

type CpuMs = Record<string, number>;

type Collection = { results: LoadResult[]; cpuMs: CpuMs };

function newCollection(): Collection {
  return { results: [], cpuMs: {} };
}

function addSlice(collection: Collection, result: LoadResult, before: CpuMs, after: CpuMs): void {
  collection.results.push(result);
  for (const [name, ms] of Object.entries(after)) {
    collection.cpuMs[name] = (collection.cpuMs[name] ?? 0) + ms - (before[name] ?? 0);
  }
}

function readCpu(stage: Stage, side: Side): CpuMs {
  if (!canReadUsage) return {};
  const { postgresPid } = stage;
  return {
    [side.name]: readCpuMs(side.server.pid),
    upstream: readCpuMs(stage.upstreamPid),
    load: readCpuMs(process.pid),
    ...(postgresPid !== undefined && { postgres: readFamilyCpuMs(postgresPid) }),
  };
}

function sumUp({ results, cpuMs }: Collection): LoadFigures {
  const calls = results.reduce((total, result) => total + result.calls, 0);
  const answers = results.reduce((total, result) => total + result.answers, 0);
  const seconds = results.reduce((total, result) => total + result.seconds, 0);
  const latencies = results.flatMap((result) => result.latenciesMs).sort((a, b) => a - b);
  const firstBytes = results.flatMap((result) => result.firstBytesMs).sort((a, b) => a - b);
  const perCall = Object.entries(cpuMs).map(([name, ms]) => [name, (ms * 1000) / calls] as const);
  return {
    requestsPerSecond: answers / seconds,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    firstByteP50Ms: percentile(firstBytes, 0.5),
    cpuMicroseconds: perCall.length > 0 ? Object.fromEntries(perCall) : undefined,
  };
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
