// Answers of `/v1`: every answer carries its ids and CORS headers, every refusal has the format that
// its clients read, and errors that are not a Fault reveal nothing of their text.
import { formatGenerationId, type GenerationId, newId, requestIdOf } from "@turnpike/base";
import { faultOfThrown } from "@turnpike/db";
import type { IncomingCall } from "@turnpike/gateway";
import { type ErrorFormat, openaiErrors } from "@turnpike/wire";
import type { Services } from "../../services.ts";

/** The ids of one call and the time it began, created before anything can fail. */
export type CallIds = Pick<IncomingCall, "generationId" | "requestId" | "receivedAtMs">;

export function newCallIds(): CallIds {
  const generationId = newId<GenerationId>();
  const requestId = requestIdOf(generationId);
  return { generationId, requestId, receivedAtMs: performance.now() };
}

const exposedHeaders = [
  "x-request-id",
  "request-id",
  "x-generation-id",
  "x-turnpike-max-tokens",
  "x-turnpike-ignored",
  "x-turnpike-cost",
  "idempotent-replayed",
  "idempotent-rerun-of",
  "x-openrouter-cache-status",
  "x-openrouter-cache-age",
  "x-openrouter-cache-ttl",
  "x-openrouter-cache-source-id",
  "server-timing",
  "openai-processing-ms",
  "retry-after",
  "retry-after-ms",
  "x-should-retry",
  "x-ratelimit-limit-requests",
  "x-ratelimit-limit-tokens",
  "x-ratelimit-remaining-requests",
  "x-ratelimit-remaining-tokens",
  "x-ratelimit-reset-requests",
  "x-ratelimit-reset-tokens",
].join(", ");

/** The same on every answer of `/v1`, including errors, or a browser sees a network error. */
const constantHeaders = {
  "cache-control": "no-store",
  "openai-version": "2020-10-01",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposedHeaders,
  vary: "Origin",
};

/** What every answer of `/v1` carries. */
export function answerHeaders(ids: CallIds): Record<string, string> {
  return { ...idHeaders(ids), ...constantHeaders, "openai-processing-ms": processingMs(ids) };
}

function processingMs({ receivedAtMs }: CallIds): string {
  return String(Math.round(performance.now() - receivedAtMs));
}

const prebuiltType = "application/json";
const prebuilt: ResponseInit = {
  headers: new Headers({ ...constantHeaders, "content-type": prebuiltType }),
};

/**
 * A 200 of `/v1` with `headers` besides those every answer has, in JSON unless they say otherwise. For the request path:
 * copying prebuilt headers and setting the rest takes a third of the time of reading them all from a record.
 */
export function newAnswer(
  ids: CallIds,
  body: string | ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string>>,
): Response {
  const answer = new Response(body, prebuilt);
  answer.headers.set("x-request-id", ids.requestId);
  answer.headers.set("x-generation-id", formatGenerationId(ids.generationId));
  answer.headers.set("openai-processing-ms", processingMs(ids));
  for (const name in headers) {
    const value = headers[name] ?? "";
    if (value !== prebuiltType) answer.headers.set(name, value);
  }
  return answer;
}

/** The headers of every answer with ids; the listener adds those of all answers. */
export function idHeaders({ generationId, requestId }: CallIds): Record<string, string> {
  return {
    "x-request-id": requestId,
    "x-generation-id": formatGenerationId(generationId),
    "cache-control": "no-store",
  };
}

/**
 * Answers whatever was thrown. A bug is logged in full and answered "Internal error."; an unreachable
 * database is not a bug.
 */
export function answerFault(
  services: Services,
  ids: CallIds,
  thrown: unknown,
  errors: ErrorFormat = openaiErrors,
): Response {
  const fault = faultOfThrown(thrown);
  if (fault.code === "internal_error") {
    services.log.error({ err: fault.cause, requestId: ids.requestId }, "bug");
  }
  const { status, headers, body } = errors.answer(fault, ids.requestId);
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...answerHeaders(ids), ...headers },
  });
}
