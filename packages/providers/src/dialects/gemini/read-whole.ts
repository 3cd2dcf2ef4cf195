// Gemini's whole answer, and the part kept for the bill if its client has disconnected.
import { isObject, type JsonObject, readText } from "@turnpike/base";
import { parseExactObject } from "@turnpike/wire";
import type { UnreadAnswer, WholeAnswer } from "../../provider.ts";
import { unreadable } from "../../refusals/refuse.ts";
import { acceptBody } from "../accept-body.ts";
import type { GeminiCall } from "./generation-config.ts";
import { ResponseMemory, readResponse } from "./read-response.ts";
import { readUsage } from "./read-usage.ts";

/**
 * The object in `text`. Google's streaming endpoints send an error as the only entry of a list, which
 * becomes the `error` of an object: the reader of refusals looks into it.
 */
export function parseGeminiBody(text: string): JsonObject | undefined {
  const trimmed = text.trim();
  return parseExactObject(trimmed.startsWith("[") ? `{"error":${trimmed}}` : trimmed);
}

/** Throws the Fault of an error, of a broken answer, or of a body that is not an answer. */
export function readWhole(call: GeminiCall, text: string, headers: Headers): WholeAnswer {
  const source = acceptBody(parseGeminiBody(text), call, headers);
  const read = readResponse(withFinishes(source), new ResponseMemory(call));
  const [finish] = read.finishes;
  if (finish === undefined) throw unreadable();
  return {
    kind: "whole",
    upstreamId: read.upstreamId,
    content: { kind: "deltas", deltas: read.deltas },
    usage: read.usage,
    finish,
    deliveredTokens: read.tokens,
  };
}

/** A candidate of a whole answer is complete, even without a finish reason. */
function withFinishes(source: JsonObject): JsonObject {
  if (!Array.isArray(source.candidates)) return source;
  const candidates = source.candidates.map((candidate: unknown) =>
    isObject(candidate)
      ? { ...candidate, finishReason: readText(candidate.finishReason) ?? "STOP" }
      : candidate,
  );
  return { ...source, candidates };
}

/** From the small `members` of a body; undefined is one that was not a complete JSON object. */
export function readUnread(
  call: GeminiCall,
  members: JsonObject | undefined,
  headers: Headers,
): UnreadAnswer {
  const body = acceptBody(members, call, headers);
  const usage = readUsage(body.usageMetadata);
  return { kind: "unread", upstreamId: readText(body.responseId), usage };
}
