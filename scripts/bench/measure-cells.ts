// What calls allocate on the heap of Turnpike's process: cells per whole call and per streamed event, by
// type, at 64 warm connections. In a window each connection makes one call. An event's figure is the median of ten
// windows, a whole call's their lower quartile: on a busy machine batches are smaller, which adds to most windows.
import type { SpawnedServer } from "@turnpike/testing";
import { type Bill, type DialectName, dialectModels } from "./bill.ts";
import { type Connection, connect } from "./connect-http.ts";
import { type BenchContext, longSuffix, startTurnpike, startUpstream } from "./start-sides.ts";
import { writeRequest } from "./write-request.ts";

/** By type, as the runtime names them. */
export type Cells = ReadonlyMap<string, number>;

/** `event <dialect>` is an event of a stream from an upstream that speaks it; the client speaks the first. */
export type CellKind = "whole call" | `event ${DialectName}`;
export type CellFigures = ReadonlyMap<CellKind, Cells>;

export type CellContext = Pick<BenchContext, "folder" | "postgres" | "keys"> & {
  readonly bill: Bill;
};

const connections = 64;
const windows = 10;
/** Hot code is compiled by then. */
const warmUpCalls = 12_000;
const deltas = { short: 20, long: 120 };

type Calls = { readonly model: string; readonly stream: boolean; readonly deltas: number };
/** One call on each connection. */
type AskAll = (calls: Calls) => Promise<void>;

type IsWanted = (kind: CellKind) => boolean;

/** Starts a process for it, and ends it. Measures only what is wanted: everything, unless it says otherwise. */
export async function measureCells(
  context: CellContext,
  isWanted: IsWanted = () => true,
): Promise<CellFigures> {
  const upstream = await startUpstream(deltas.short, 0);
  const longUpstream = await startUpstream(deltas.long, 0);
  const preloaded = "count-cells-on-request.ts";
  const server = await startTurnpike({ ...context, profile: undefined }, upstream, 1, {
    longUpstream,
    preloaded,
  });
  try {
    const port = Number(new URL(server.url).port);
    const open = await Promise.all(Array.from({ length: connections }, () => connect(port)));
    const figures = await measureKinds(server, askingAll(open, port, context), isWanted);
    for (const connection of open) connection.close();
    return figures;
  } finally {
    await server.kill("SIGTERM");
    await Promise.all([upstream.kill(), longUpstream.kill()]);
  }
}

function askingAll(open: readonly Connection[], port: number, context: CellContext): AskAll {
  return async ({ model, stream, deltas: count }) => {
    context.bill.add(open.length, count);
    await Promise.all(
      open.map((connection, index) => {
        const key = context.keys[index % context.keys.length] ?? "";
        return connection.ask(writeRequest({ port, key, stream, model }));
      }),
    );
  };
}

async function measureKinds(
  server: SpawnedServer,
  askAll: AskAll,
  isWanted: IsWanted,
): Promise<CellFigures> {
  const figures = new Map<CellKind, Cells>();
  if (isWanted("whole call")) figures.set("whole call", await countWhole(server, askAll));
  for (const dialect of dialectNames().filter((name) => isWanted(`event ${name}`))) {
    const model = dialectModels[dialect];
    const short = { model, stream: true, deltas: deltas.short };
    const long = { model: `${model}${longSuffix}`, stream: true, deltas: deltas.long };
    await warmUp(askAll, long, warmUpCalls / 6);
    const events = (deltas.long - deltas.short) * connections;
    const [few, many] = [
      await count(server, () => askAll(short)),
      await count(server, () => askAll(long)),
    ];
    figures.set(`event ${dialect}`, less(many, few, events));
  }
  return figures;
}

async function countWhole(server: SpawnedServer, askAll: AskAll): Promise<Cells> {
  const whole = { model: dialectModels.openai, stream: false, deltas: deltas.short };
  await warmUp(askAll, whole, warmUpCalls);
  const idle = await count(server, async () => undefined);
  return less(await count(server, () => askAll(whole), 0.25), idle, connections);
}

async function warmUp(askAll: AskAll, calls: Calls, times: number): Promise<void> {
  for (let call = 0; call < times; call += connections) await askAll(calls);
}

/** What a window allocates, by type: this quantile of ten. */
async function count(
  server: SpawnedServer,
  window: () => Promise<void>,
  quantile = 0.5,
): Promise<Cells> {
  const url = counterOf(server);
  const counted: Cells[] = [];
  for (let index = 0; index < windows; index += 1) {
    await fetch(`${url}/start`);
    await window();
    counted.push(parseCells(await (await fetch(`${url}/stop`)).json()));
  }
  const types = new Set(counted.flatMap((cells) => [...cells.keys()]));
  return new Map(
    [...types].map((type) => [
      type,
      quantileOf(
        quantile,
        counted.map((c) => c.get(type) ?? 0),
      ),
    ]),
  );
}

/** What the preloaded script printed. */
function counterOf(server: SpawnedServer): string {
  const port = /"msg":"counting cells","port":(\d+)/.exec(server.output())?.[1];
  if (port === undefined) throw new Error("the server does not count its cells");
  return `http://127.0.0.1:${port}`;
}

function parseCells(answer: unknown): Cells {
  if (typeof answer !== "object" || answer === null) throw new Error("no cells were counted");
  return new Map(Object.entries(answer).map(([type, cells]) => [type, Number(cells)]));
}

function less(cells: Cells, others: Cells, divisor: number): Cells {
  const each = [...cells].map(([type, count]): [string, number] => [
    type,
    (count - (others.get(type) ?? 0)) / divisor,
  ]);
  return new Map(each.filter(([, count]) => Math.abs(count) >= 0.05));
}

export function totalOf(cells: Cells): number {
  return [...cells.values()].reduce((sum, count) => sum + count, 0);
}

function quantileOf(quantile: number, values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = quantile * (sorted.length - 1);
  return ((sorted[Math.floor(at)] ?? 0) + (sorted[Math.ceil(at)] ?? 0)) / 2;
}

function dialectNames(): readonly DialectName[] {
  return Object.keys(dialectModels).filter((name): name is DialectName => name in dialectModels);
}
