// Gemini's whole answer, and the part kept for the bill if its client has disconnected.
import { isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import { type DeltaEvent, parseExactObject, setMembers } from "@turnpike/wire";
import type { UnreadAnswer, WholeAnswer } from "../../provider.ts";
import { brokenOff, unreadable } from "../../refusals/refuse.ts";
import { acceptBody } from "../accept-body.ts";
import { estimateTokens } from "../openai/count-tokens.ts";
import { writtenText } from "../written-text.ts";
import type { GeminiCall } from "./generation-config.ts";
import { countDeltas, parseResponse, ResponseMemory, readEnd } from "./parse-response.ts";
import { parseUsage } from "./parse-usage.ts";

/**
 * The object in `text`. Google's streaming endpoints send an error as the only entry of a list, which
 * becomes the `error` of an object: the reader of refusals looks into it.
 */
export function parseGeminiBody(text: string): JsonObject | undefined {
  const trimmed = text.trim();
  return parseExactObject(trimmed.startsWith("[") ? `{"error":${trimmed}}` : trimmed);
}

/** The responses of a body: one, or the list that Google's streaming endpoints write without `alt=sse`. */
function responsesOf(text: string): readonly unknown[] {
  const body = parseGeminiBody(text);
  const isList = text.trimStart().startsWith("[");
  return isList && Array.isArray(body?.error) ? body.error : [body];
}

/** Throws the Fault of an error, of a broken answer, or of a body that is not an answer. */
export function parseWhole(call: GeminiCall, text: string, headers: Headers): WholeAnswer {
  const memory = new ResponseMemory(call);
  const own = memory.isRelayed ? parseObject(text) : undefined;
  const responses = own === undefined ? responsesOf(text) : [own];
  const deltas: DeltaEvent[] = [];
  let usage: WholeAnswer["usage"];
  let upstreamId: string | undefined;
  for (const response of responses) {
    const body = acceptBody(isObject(response) ? response : undefined, call, headers);
    const read = parseResponse(body, memory);
    deltas.push(...read.deltas);
    usage = read.usage ?? usage;
    upstreamId ??= read.upstreamId;
  }
  // A candidate of one response is complete, even without a reason why it ended.
  if (responses.length > 1 && !memory.finished) throw brokenOff();
  const end = readEnd(memory);
  const [finish] = end.finishes;
  if (finish === undefined) throw unreadable();
  deltas.push(...end.deltas);
  return {
    kind: "whole",
    upstreamId,
    content: own === undefined ? { kind: "deltas", deltas } : relay(call, text, own),
    usage,
    finish,
    deliveredTokens: own === undefined ? countDeltas(deltas) : countWritten(own),
    ...(memory.images > 0 && { deliveredImages: memory.images }),
  };
}

/** A response of a caller's own language, unchanged except for its id and its model. */
function relay(call: GeminiCall, text: string, source: JsonObject): WholeAnswer["content"] {
  return { kind: "body", body: source, text: setMembers(text, nameAnswer(call)) };
}

/** The id and the model that callers are shown, as JSON texts. */
export function nameAnswer({ identity }: GeminiCall): Readonly<Record<string, string>> {
  return { modelVersion: JSON.stringify(identity.model), responseId: JSON.stringify(identity.id) };
}

/** How much a response delivers, by our own count. */
export function countWritten({ candidates }: JsonObject): number {
  const written: readonly unknown[] = Array.isArray(candidates) ? candidates : [];
  const contents = written.map((candidate) =>
    isObject(candidate) ? candidate.content : undefined,
  );
  return estimateTokens(Buffer.byteLength(writtenText(contents)));
}

/** From the small `members` of a body; undefined is one that was not a complete JSON object. */
export function parseUnread(
  call: GeminiCall,
  members: JsonObject | undefined,
  headers: Headers,
): UnreadAnswer {
  const body = acceptBody(members, call, headers);
  const usage = parseUsage(body.usageMetadata);
  return { kind: "unread", upstreamId: parseText(body.responseId), usage };
}
