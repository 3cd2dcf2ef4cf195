// Refusals in the format of Anthropic's API: its error types, its 529 for overload, and the request id in
// the header and the body where its clients look for it.
import type { Fault, JsonObject } from "@turnpike/base";
import type { ErrorFormat } from "../errors/error-format.ts";
import { answerForFault, type FaultAnswer, statusOfFault } from "../errors/fault-answer.ts";
import { sseEvent } from "../protocol/sse.ts";
import { anthropicWording } from "./anthropic-wording.ts";

/** Source: https://docs.claude.com/en/api/errors. Any other status has the type of its class. */
const typeOfStatus: ReadonlyMap<number, string> = new Map([
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [408, "timeout_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [504, "timeout_error"],
  [529, "overloaded_error"],
]);

/** Clients of Anthropic's API wait and retry on 529, and offer another model after several. */
const overloadedStatus = 529;

export const anthropicErrors: ErrorFormat = {
  statusOf,
  idHeaders: (requestId) => ({ "request-id": requestId }),
  answer,
};

/** The same refusal as the last event of a stream whose 200 was already sent. */
export function anthropicErrorEvent(fault: Fault, requestId: string): string {
  return sseEvent("error", JSON.stringify(answer(fault, requestId).body));
}

function statusOf(fault: Fault): number {
  const status = statusOfFault(fault);
  return status === 503 ? overloadedStatus : status;
}

function answer(fault: Fault, requestId: string): FaultAnswer {
  const { headers, body } = answerForFault(fault);
  const status = statusOf(fault);
  const type = typeOfStatus.get(status) ?? (status < 500 ? "invalid_request_error" : "api_error");
  const error = { type, message: wordingOf(fault, body.error.message), ...detailsOf(fault) };
  return {
    status,
    headers: { ...headers, "request-id": requestId },
    body: { type: "error", error, request_id: requestId },
  };
}

/** What Anthropic's clients act on by its `error_code`. */
function detailsOf({ details: { metadata } }: Fault): JsonObject {
  return metadata?.error_code === undefined ? {} : { details: metadata };
}

/** `message` includes the wait of a 429. Anthropic's errors have no `param`, so the message names it. */
function wordingOf({ code, details: { param } }: Fault, message: string): string {
  if (code === "missing_api_key") {
    return "x-api-key header is required. Send your API key in it, or as `Authorization: Bearer YOUR_KEY`.";
  }
  if (code === "context_length_exceeded") return overflowWording(message);
  return param === undefined ? message : anthropicWording(code, param, message);
}

/** Claude Code and Cline recognize an overflow by how its text begins; the code is for callers of other protocols. */
function overflowWording(message: string): string {
  const said = message.replace(/^context_length_exceeded: /, "");
  return said.startsWith("prompt is too long") ? said : `prompt is too long: ${said}`;
}
