// The effect of a flood: Turnpike's capacity with 64 connections, then five times that many calls a second,
// then the capacity again once it has recovered. Goodput is what it still answers meanwhile.
import type { Bill } from "./bill.ts";
import { percentile } from "./measure-load.ts";
import { type Flood, type FloodResult, sendFlood } from "./send-flood.ts";
import { expectNoFailures, sendLoad } from "./send-load.ts";
import { type BenchContext, startRefuser, startTurnpike, startUpstream } from "./start-sides.ts";
import { writeRequest } from "./write-request.ts";

export type FloodShape = { title: string; stream: boolean; deltas: number };

export type Percentiles = { p50Ms: number; p99Ms: number };

export type FloodFigures = {
  title: string;
  /** Calls a second with 64 connections, before and after the flood. */
  capacityBefore: number;
  capacityAfter: number;
  arrivalsPerSecond: number;
  /** Calls a second that were answered during the flood. */
  goodput: number;
  goodputShare: number;
  /** Of the arrivals. */
  admittedShare: number;
  refusedShare: number;
  /** Not sent: all connections of the generator were busy. */
  unsentShare: number;
  broken: number;
  /** How many calls broke and why, if some did. */
  failures?: string | undefined;
  refusalsWithoutRetryAfter: number;
  refused: Percentiles;
  /** For the calls sent after the first two seconds. */
  refusedLater: Percentiles;
  /** The same flood against a server that refuses everything: what the machine itself adds. */
  refusedByRefuser: Percentiles;
  firstByte: Percentiles;
  admitted: Percentiles;
  /** For the generator itself: how late it sent a call. */
  lateness: Percentiles;
};

export const floodShapes: readonly FloodShape[] = [
  { title: "whole answers", stream: false, deltas: 20 },
  { title: "streams of 200 events", stream: true, deltas: 200 },
];

const factor = 5;
const connections = 64;
const connectionsMax = 10_000;
const warmUpSeconds = 2;
/** Longer than the gateway remembers that it refused calls. */
const recoverySeconds = 12;

export async function measureFlood(
  context: BenchContext,
  shape: FloodShape,
  load: { keys: readonly string[]; seconds: number },
  bill: Bill,
): Promise<FloodFigures> {
  const upstream = await startUpstream(shape.deltas, 0);
  const turnpike = await startTurnpike(context, upstream, 1);
  try {
    const port = Number(new URL(turnpike.url).port);
    const requests = load.keys.map((key) => writeRequest({ port, key, stream: shape.stream }));
    const nextRequest = (index: number) => requests[index % requests.length] ?? Buffer.alloc(0);
    const measureCapacity = async (seconds: number) => {
      const result = await sendLoad({ port, connections, seconds, nextRequest });
      bill.add(result.calls, shape.deltas);
      bill.addUnknown(result.failures.broken);
      expectNoFailures(result);
      return result.answers / seconds;
    };
    await measureCapacity(warmUpSeconds);
    const capacityBefore = await measureCapacity(load.seconds);
    const callsPerSecond = capacityBefore * factor;
    const flood = { port, requests, callsPerSecond, seconds: load.seconds * 2, connectionsMax };
    const result = await sendFlood(flood);
    bill.add(result.admittedMs.length, shape.deltas);
    bill.addUnknown(result.failures.broken);
    await Bun.sleep(recoverySeconds * 1_000);
    const capacityAfter = await measureCapacity(load.seconds);
    const capacity = { capacityBefore, capacityAfter };
    const refusedByRefuser = percentilesOf((await floodRefuser(flood)).refusedMs);
    return { ...sumUp(shape.title, result, flood.seconds, capacity), refusedByRefuser };
  } finally {
    await turnpike.kill("SIGTERM");
    await upstream.kill();
  }
}

async function floodRefuser(flood: Flood): Promise<FloodResult> {
  const refuser = await startRefuser();
  try {
    return await sendFlood({ ...flood, port: Number(new URL(refuser.url).port) });
  } finally {
    await refuser.kill();
  }
}

function sumUp(
  title: string,
  result: FloodResult,
  seconds: number,
  capacity: Pick<FloodFigures, "capacityBefore" | "capacityAfter">,
): Omit<FloodFigures, "refusedByRefuser"> {
  const { arrivals } = result;
  const goodput = result.endedInTime / seconds;
  const usual = (capacity.capacityBefore + capacity.capacityAfter) / 2;
  return {
    title,
    ...capacity,
    arrivalsPerSecond: arrivals / seconds,
    goodput,
    goodputShare: goodput / usual,
    admittedShare: result.admittedMs.length / arrivals,
    refusedShare: result.refusedMs.length / arrivals,
    unsentShare: result.withoutConnection / arrivals,
    broken: result.failures.total,
    failures: result.failures.describe(arrivals, "calls"),
    refusalsWithoutRetryAfter: result.unexplained,
    refused: percentilesOf(result.refusedMs),
    refusedLater: percentilesOf(result.refusedLaterMs),
    firstByte: percentilesOf(result.firstBytesMs),
    admitted: percentilesOf(result.admittedMs),
    lateness: percentilesOf(result.latenessMs),
  };
}

function percentilesOf(samples: readonly number[]): Percentiles {
  const sorted = samples.toSorted((a, b) => a - b);
  return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}
