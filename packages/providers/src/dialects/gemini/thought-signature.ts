// Gemini signs its thoughts, and expects the signatures back with the next turn. Those of tool calls are
// in `extra_content.google`, as in Google's own OpenAI-compatible API; all others are reasoning that only
// their provider can read, marked so that another provider's is never mistaken for one.
import { isObject, type JsonObject, readText } from "@turnpike/base";

const mark = "gemini:";

/** A signature as clients see it. */
export function markSignature(signature: string): string {
  return mark + signature;
}

/** The signature in what a client sent back; undefined if another provider wrote it. */
export function readSignature(data: unknown): string | undefined {
  const text = readText(data);
  return text?.startsWith(mark) ? text.slice(mark.length) : undefined;
}

/** The additional members of a signed tool call. */
export function signedCall(signature: string): JsonObject {
  return { extra_content: { google: { thought_signature: signature } } };
}

export function signatureOfCall(call: JsonObject): string | undefined {
  const extra = isObject(call.extra_content) ? call.extra_content : {};
  return isObject(extra.google) ? readText(extra.google.thought_signature) : undefined;
}

/**
 * Replaces a signature that the client has lost or another model never gave, without which Gemini 3
 * refuses a tool call of the history (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
export const missingSignature = "skip_thought_signature_validator";
