// What translation adds to the first byte of a stream: the same small chat over an upstream of each
// dialect, including the caller's own language, beside the same stream straight from the upstream. All
// take turns in slices.
import { type DialectName, dialectModels } from "./bill.ts";
import { type LoadContext, percentile, turnpikeOf } from "./measure-load.ts";
import { expectNoFailures, sendLoad } from "./send-load.ts";
import { writeRequest } from "./write-request.ts";

export type DialectFigures = {
  readonly dialect: DialectName;
  /** Straight from the upstream. */
  readonly directP50Ms: number;
  /** Through Turnpike. */
  readonly firstByteP50Ms: number;
  /** What Turnpike adds. */
  readonly addedMs: number;
};

const slices = 8;
const warmUpSeconds = 2;

/** The path where each dialect streams, and the request in its own format. */
const direct: Readonly<Record<DialectName, readonly [path: string, body: object]>> = {
  openai: ["/v1/chat/completions", { model: "fixed", stream: true }],
  anthropic: ["/v1/messages", { model: "fixed", stream: true }],
  gemini: ["/v1beta/models/fixed:streamGenerateContent?alt=sse", {}],
  "openai-responses": ["/v1/responses", { model: "fixed", stream: true }],
};

type Target = { readonly port: number; readonly request: Buffer; readonly bills: boolean };

/** One connection, for `seconds` per dialect and way. */
export async function compareDialects(
  loadContext: LoadContext,
  upstreamPort: number,
  seconds: number,
): Promise<readonly DialectFigures[]> {
  const names = Object.keys(direct).filter(isDialect);
  const own = turnpikeOf(loadContext);
  const [key = ""] = loadContext.keys;
  const collections = names.map((dialect) => ({
    dialect,
    straight: { target: straightTo(dialect, upstreamPort), firstBytesMs: [] as number[] },
    through: {
      target: {
        port: own.port,
        request: writeRequest({ port: own.port, key, stream: true, model: dialectModels[dialect] }),
        bills: true,
      },
      firstBytesMs: [] as number[],
    },
  }));
  for (const { straight, through } of collections) {
    for (const { target } of [straight, through]) await load(loadContext, target, warmUpSeconds);
  }
  for (let slice = 0; slice < slices; slice += 1) {
    for (const { straight, through } of collections) {
      for (const { target, firstBytesMs } of [straight, through]) {
        firstBytesMs.push(...(await load(loadContext, target, seconds / slices)));
      }
    }
  }
  return collections.map(({ dialect, straight, through }) => {
    const directP50Ms = medianOf(straight.firstBytesMs);
    const firstByteP50Ms = medianOf(through.firstBytesMs);
    return { dialect, directP50Ms, firstByteP50Ms, addedMs: firstByteP50Ms - directP50Ms };
  });
}

/** What each dialect adds, relative to what the caller's own language adds. */
export function ratioToLossless(
  figures: readonly DialectFigures[],
  { addedMs }: DialectFigures,
): number {
  const lossless = figures.find(({ dialect }) => dialect === "openai");
  return addedMs / (lossless?.addedMs ?? Number.NaN);
}

function isDialect(name: string): name is DialectName {
  return name in dialectModels;
}

function straightTo(dialect: DialectName, port: number): Target {
  const [path, fields] = direct[dialect];
  const body = JSON.stringify(fields);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return { port, request: Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`), bills: false };
}

async function load(
  { bill, deltas }: LoadContext,
  { port, request, bills }: Target,
  seconds: number,
): Promise<readonly number[]> {
  const result = await sendLoad({ port, connections: 1, seconds, nextRequest: () => request });
  if (bills) {
    bill.add(result.calls, deltas);
    bill.addUnknown(result.failures.broken);
  }
  expectNoFailures(result);
  return result.firstBytesMs;
}

function medianOf(values: readonly number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
