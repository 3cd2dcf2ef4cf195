// Rows of short calls: the sides take turns in slices (A B C A B C …), so that other work of the
// machine affects all of them.
import type { SideName } from "./bench-options.ts";
import type { Bill } from "./bill.ts";
import { Failures, messageOf } from "./count-failures.ts";
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

/** For each side that ran; a side that failed has the reason instead of figures. */
export type Comparison<Figures> = readonly {
  side: SideName;
  title: string;
  figures: Figures | { failed: string };
  /** How many calls failed and why, if few did: the figures are those of the others. */
  failures?: string | undefined;
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
  nextKeyOf?: (side: Side) => string;
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
        collection.failed = describeFailure(side, error);
      }
    }
  }
  return collections.map((collection) => ({
    side: collection.side.name,
    title: collection.side.title,
    figures: sumUp(collection),
    failures: describeFailures(collection.results),
  }));
}

/** With the last words of a process of ours; the table shows the reason instead of figures. */
export function describeFailure({ lastOutput }: Side, error: unknown): string {
  const words = lastOutput?.() ?? "";
  return words === "" ? messageOf(error) : `${messageOf(error)}; its last output: ${words}`;
}

/** Turnpike's side, for rows that measure it alone. */
export function turnpikeOf({ sides }: LoadContext): Side {
  const side = sides.find(({ name }) => name === "turnpike");
  if (side === undefined) throw new Error("Turnpike is not among the sides");
  if (side.failed !== undefined) throw new Error(side.failed);
  return side;
}

/**
 * One slice against one side; what Turnpike answers is added to the bill. Rejects if more than a few
 * calls failed.
 */
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
  const { calls, failures } = result;
  if (side.bills) {
    loadContext.bill.add(calls, loadContext.deltas);
    loadContext.bill.addUnknown(failures.broken);
  }
  const sent = calls + failures.total;
  if (failures.areTooMany(sent)) throw new Error(failures.describe(sent, "calls"));
  return result;
}

function chooseRequests(
  loadContext: LoadContext,
  side: Side,
  { stream, long = false, nextKeyOf }: LoadShape,
): (connection: number) => Buffer {
  const { port, headers, keys = loadContext.keys } = side;
  const write = (key: string) => writeRequest({ port, key, stream, headers, long });
  if (nextKeyOf !== undefined) return () => write(nextKeyOf(side));
  // All connections share one long request: 64 copies of a megabyte would only fill caches.
  const requests = (long ? keys.slice(0, 4) : keys.slice(0, loadContext.keys.length)).map(write);
  return (connection) => requests[connection % requests.length] ?? Buffer.alloc(0);
}

type CpuMs = Record<string, number>;

type Collection = { side: Side; results: LoadResult[]; cpuMs: CpuMs; failed: string | undefined };

function newCollection(side: Side): Collection {
  return { side, results: [], cpuMs: {}, failed: side.failed };
}

/** The few failed calls of all `results`, if there were any. */
export function describeFailures(results: readonly LoadResult[]): string | undefined {
  const all = new Failures();
  for (const { failures } of results) all.merge(failures);
  const calls = results.reduce((total, result) => total + result.calls, 0);
  return all.describe(calls + all.total, "calls");
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
