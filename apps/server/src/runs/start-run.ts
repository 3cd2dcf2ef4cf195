// Starts a call that its client need not wait for: a response in the background, or a stream that can be resumed. What refuses a call
// refuses it at once. Once its money is held it continues without its client, and keys of its project read its events.
import { Fault } from "@turnpike/base";
import type { Answer, Call } from "@turnpike/gateway";
import { beginRun, dropRun } from "@turnpike/runs";
import {
  backgroundResponse,
  isPrivate,
  type ParsedRequest,
  type ResponsesRequest,
} from "@turnpike/wire";
import { findMemoryAccess, type MemoryAccess } from "../memory/memory-access.ts";
import type { RememberedCall } from "../memory/remember-call.ts";
import type { Services } from "../services.ts";
import { followRun } from "./follow-run.ts";
import { recordRun } from "./record-run.ts";
import { RunWriter } from "./run-writer.ts";

export const resumableHeader = "x-turnpike-resumable";

type RunServices = Pick<Services, "heartbeat" | "keptResponses" | "log" | "readFiles" | "liveRuns">;

/** How the caller wants to hear of it. */
export type RunForm = "polled" | "streamed" | "resumable";

type Asking = {
  readonly call: { readonly headers: Headers; readonly protocol: { readonly stream?: unknown } };
  readonly remembered?: RememberedCall<ParsedRequest>["remembered"];
};

/** Undefined for a call that is answered while its client waits. Throws the Fault of what is neither. */
export function runFormOf({
  call: { headers, protocol },
  remembered,
}: Asking): RunForm | undefined {
  const background = remembered?.memory.background;
  if (background !== undefined) {
    if (protocol.stream === undefined) throw notInBackground();
    return background;
  }
  const wanted = headers.get(resumableHeader);
  if (wanted === null || wanted === "false") return undefined;
  if (wanted !== "true") {
    throw new Fault(
      "invalid_value",
      `Invalid header '${resumableHeader}': send 'true', or omit it.`,
    );
  }
  return "resumable";
}

/** Resolves with what its caller gets now. Rejects with the Fault of a call that is refused. */
export async function startRun<Parsed extends ParsedRequest>(
  services: RunServices,
  { call, remembered }: RememberedCall<Parsed>,
  form: RunForm,
  ask: (call: Call<Parsed>) => Promise<Answer>,
): Promise<Answer> {
  const { generationId } = call;
  const access = remembered?.access ?? (await findMemoryAccess(services, call.principal));
  if (access === undefined) throw notKept();
  const kind = form === "resumable" ? "stream" : "response";
  if (kind === "stream" && call.protocol.stream?.isResumable !== true) throw notResumable();
  const request = call.protocol.parse(call.text, call.headers);
  if (kind === "stream") requireResumable(request);
  const queued = kind === "stream" ? undefined : writeQueued(call, request);
  const { objects, owner, keyId, keptSeconds, run } = access;
  const { instanceId } = services.heartbeat;
  const row = { owner, keyId, id: generationId, instanceId, kind, keptSeconds } as const;
  await run((db) => beginRun(db, objects, { ...row, response: queued ?? null }));
  const stop = new AbortController();
  const held = Promise.withResolvers<void>();
  const answering = ask({ ...call, signal: stop.signal, onHeld: held.resolve });
  try {
    await Promise.race([held.promise, answering]);
  } catch (thrown) {
    await run((db) => dropRun(db, owner, generationId)).catch(() => undefined);
    throw thrown;
  }
  const ended = watchRun(services, { access, call, request, queued, stop }, answering);
  services.liveRuns.track(generationId, ended);
  if (form === "polled" && queued !== undefined) {
    const headers = { "content-type": "application/json" };
    return { body: queued, headers, sent: undefined, ended };
  }
  const { liveRuns } = services;
  const followed = followRun({ liveRuns, access, id: generationId, after: -1 });
  return { ...followed, headers: streamHeaders, ended };
}

export const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

type Watched<Parsed extends ParsedRequest> = {
  readonly access: MemoryAccess;
  readonly call: Call<Parsed>;
  readonly request: Parsed;
  readonly queued: string | undefined;
  readonly stop: AbortController;
};

async function watchRun<Parsed extends ParsedRequest>(
  { log, liveRuns }: RunServices,
  { access, call, request, queued, stop }: Watched<Parsed>,
  answering: Promise<Answer>,
) {
  const { generationId: id } = call;
  const end = (why?: Fault) => stop.abort(why);
  const unwatch = liveRuns.watch({ kind: "cancel", id }, () => end());
  const place = { accountId: access.owner.accountId, id };
  const writer = new RunWriter({ log, access, place, stop: end });
  const run = { call, request, queued, writer, stopped: stop.signal, stop: end };
  const ending = await recordRun(run, answering);
  unwatch();
  return ending;
}

function writeQueued<Parsed extends ParsedRequest>(
  { protocol, generationId }: Call<Parsed>,
  request: Parsed,
): string {
  const id = protocol.answerId(generationId);
  const created = Math.floor(Date.now() / 1_000);
  return backgroundResponse.writeQueued(ofResponses(request), {
    id,
    model: request.model,
    created,
  });
}

/** Guarantee: only requests of the responses API are asked to run in the background. */
function ofResponses(request: ParsedRequest): ResponsesRequest {
  return request as ResponsesRequest;
}

function requireResumable(request: ParsedRequest): void {
  if (!request.stream) {
    throw cannotResume(
      "only streams can be resumed: send 'stream: true', or an Idempotency-Key and ask again for a whole answer",
    );
  }
  if (request.operation === "chat" && isPrivate(request)) {
    throw cannotResume(
      "with 'provider.zdr' or 'provider.data_collection: deny' nothing is kept, so nothing can be resumed",
    );
  }
}

function cannotResume(why: string): Fault {
  return new Fault("invalid_value", `Invalid header '${resumableHeader}': ${why}.`);
}

function notResumable(): Fault {
  return cannotResume(
    "only streams of /v1/chat/completions, /v1/completions, /v1/responses and /v1/messages can be resumed",
  );
}

function notInBackground(): Fault {
  const sentence =
    "Unsupported parameter: 'background'. A compaction is answered at once: omit it, and wait for the answer.";
  return new Fault("unsupported_parameter", sentence, { param: "background" });
}

function notKept(): Fault {
  return cannotResume(
    "streams are not stored here, because the operator of this installation has not set OBJECTS_FOLDER and SEALING_KEY",
  );
}
