// Sends one completion to a route of the console and reports it piece by piece. Every way it can end has a
// name; nothing is thrown.
import { accountHeaders } from "../../lib/account-address.ts";
import { asRecord, type Chunk, type ChunkError, parseChunk, parseError } from "./parse-chunk.ts";
import { readEvents } from "./read-events.ts";

export type Failure = ChunkError & {
  /** Undefined if no answer came. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
};

export type Ending =
  | { readonly kind: "complete"; readonly finishReason: string | undefined }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly failure: Failure };

export type Run = {
  readonly signal: AbortSignal;
  /** The generation id, as in Logs, as soon as it is known. */
  readonly onId: (generationId: string) => void;
  readonly onChunk: (chunk: Chunk) => void;
};

/** `demo` is for visitors: a question instead of messages. */
type Route = "/console/playground" | "/console/demo";

export async function runCompletion(
  body: unknown,
  run: Run,
  path: Route = "/console/playground",
): Promise<Ending> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...accountHeaders() },
      body: JSON.stringify(body),
      signal: run.signal,
    });
    const requestId = response.headers.get("x-request-id") ?? undefined;
    const generationId = response.headers.get("x-generation-id");
    if (generationId !== null) run.onId(generationId);
    if (!response.ok || response.body === null) {
      return { kind: "failed", failure: await readRefusal(response, requestId) };
    }
    return await readAnswer(response.body, requestId, run);
  } catch {
    return run.signal.aborted ? stopped : { kind: "failed", failure: failed("offline") };
  }
}

async function readAnswer(
  body: ReadableStream<Uint8Array>,
  requestId: string | undefined,
  run: Run,
): Promise<Ending> {
  let finishReason: string | undefined;
  for await (const payload of readEvents(body)) {
    if (payload === "[DONE]") return { kind: "complete", finishReason };
    const chunk = parseChunk(payload);
    if (chunk.error) {
      return { kind: "failed", failure: { ...chunk.error, status: 200, requestId } };
    }
    finishReason ??= chunk.finishReason;
    run.onChunk(chunk);
  }
  // A stream that ends without [DONE] was cut off.
  return run.signal.aborted ? stopped : { kind: "failed", failure: failed("offline", requestId) };
}

const stopped = { kind: "stopped" } as const;

/** Why the server refused. */
export async function readRefusal(
  response: Response,
  requestId: string | undefined,
): Promise<Failure> {
  const body: unknown = await response.json().catch(() => undefined);
  const error = parseError(asRecord(body).error);
  const code = response.status === 401 ? "unauthenticated" : error.code;
  return { ...error, code, status: response.status, requestId };
}

export function failed(code: string, requestId?: string): Failure {
  return { code, message: "", metadata: {}, status: undefined, requestId };
}
