// Rows of short calls: the sides take turns in slices (A B C A B C …), so that other work of the
// machine affects all of them.
import type { SideName } from "./bench-options.ts";
import type { Bill } from "./bill.ts";
import { canReadUsage, readCpuMs, readFamilyCpuMs } from "./read-usage.ts";
import { type LoadResult, sendLoad } from "./send-load.ts";
import type { Side } from "./start-sides.ts";
import { writeRequest } from "./write-request.ts";

export type LoadFigures = {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  firstByteP50Ms: number;
  /** Per request, in each process; absent if the system does not report it. */
  cpuMicroseconds: Record<string, number> | undefined;
};

/** For each side that ran; a peer that failed has the reason instead of figures. */
export type Comparison<Figures> = readonly {
  side: SideName;
  title: string;
  figures: Figures | { failed: string };
}[];

/** The side that answers, the keys that pay, and the processes that are timed. */
export type LoadContext = {
  sides: readonly Side[];
  keys: readonly string[];
  upstreamPid: number;
  /** Undefined if its usage is not needed. */
  postgresPid: number | undefined;
  /** The size of one answer of the upstream. */
  deltas: number;
  bill: Bill;
};

export type LoadShape = {
  connections: number;
  seconds: number;
  stream: boolean;
  /** A prompt of a megabyte. */
  long?: boolean;
  /** Every call uses the next key, instead of one key per connection. */
  nextKey?: () => string;
};

const slices = 4;

export async function compareLoad(
  loadContext: LoadContext,
  load: LoadShape,
): Promise<Comparison<LoadFigures>> {
  const collections = loadContext.sides.map(newCollection);
  for (let slice = 0; slice < slices; slice += 1) {
    for (const collection of collections) {
      const { side } = collection;
      if (collection.failed !== undefined) continue;
      const before = readCpu(loadContext, side);
      try {
        const shape = { ...load, seconds: load.seconds / slices };
        const result = await sendLoadTo(loadContext, side, shape);
        addSlice(collection, result, before, readCpu(loadContext, side));
      } catch (error) {
        collection.failed = failureOfPeer(side, error);
      }
    }
  }
  return collections.map((collection) => ({
    side: collection.side.name,
    title: collection.side.title,
    figures: sumUp(collection),
  }));
}

/** A peer may fail under load, which the table shows; our own sides may not. */
export function failureOfPeer(side: Side, error: unknown): string {
  if (side.bills || side.name === "bare") throw error;
  return error instanceof Error ? error.message.slice(0, 200) : String(error);
}

/** One slice against one side; what Turnpike answers is added to the bill. */
export async function sendLoadTo(
  loadContext: LoadContext,
  side: Side,
  load: LoadShape,
): Promise<LoadResult> {
  const { connections, seconds } = load;
  const { port } = side;
  const result = await sendLoad({
    port,
    connections,
    seconds,
    nextRequest: chooseRequests(loadContext, side, load),
  });
  if (side.bills) loadContext.bill.add(result.calls, loadContext.deltas);
  return result;
}

function chooseRequests(
  loadContext: LoadContext,
  { port, headers }: Side,
  { stream, long = false, nextKey }: LoadShape,
): (connection: number) => Buffer {
  const write = (key: string) => writeRequest({ port, key, stream, headers, long });
  if (nextKey !== undefined) return () => write(nextKey());
  // All connections share one long request: 64 copies of a megabyte would only fill caches.
  const requests = (long ? loadContext.keys.slice(0, 4) : loadContext.keys).map(write);
  return (connection) => requests[connection % requests.length] ?? Buffer.alloc(0);
}

type CpuMs = Record<string, number>;

type Collection = { side: Side; results: LoadResult[]; cpuMs: CpuMs; failed: string | undefined };

function newCollection(side: Side): Collection {
  return { side, results: [], cpuMs: {}, failed: undefined };
}

function addSlice(collection: Collection, result: LoadResult, before: CpuMs, after: CpuMs): void {
  collection.results.push(result);
  for (const [name, ms] of Object.entries(after)) {
    collection.cpuMs[name] = (collection.cpuMs[name] ?? 0) + ms - (before[name] ?? 0);
  }
}

function readCpu(loadContext: LoadContext, side: Side): CpuMs {
  if (!canReadUsage) return {};
  const { postgresPid } = loadContext;
  return {
    [side.name]: readFamilyCpuMs(side.pid),
    upstream: readCpuMs(loadContext.upstreamPid),
    load: readCpuMs(process.pid),
    ...(postgresPid !== undefined && { postgres: readFamilyCpuMs(postgresPid) }),
  };
}

function sumUp({ results, cpuMs, failed }: Collection): LoadFigures | { failed: string } {
  if (failed !== undefined) return { failed };
  const calls = results.reduce((total, result) => total + result.calls, 0);
  const answers = results.reduce((total, result) => total + result.answers, 0);
  if (answers === 0) return { failed: "it answered no call within its slices" };
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
