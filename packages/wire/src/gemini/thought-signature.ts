// Signatures of thoughts. Gemini signs its own, marked in chat completions so that another provider's are never mistaken for
// them; what other providers need back of their reasoning is sealed in the same member, as bytes that survive either alphabet
// of base64.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import {
  type KeptReasoning,
  openReasoning,
  sealReasoning,
} from "../responses/encrypted-reasoning.ts";

const mark = "gemini:";

/** A signature of Gemini's as clients of other APIs see it. */
export function markSignature(signature: string): string {
  return mark + signature;
}

/** The signature in what a client sent back; undefined if another provider wrote it. */
export function parseSignature(data: unknown): string | undefined {
  const text = parseText(data);
  return text?.startsWith(mark) ? text.slice(mark.length) : undefined;
}

/**
 * Replaces a signature that the client has lost or another model never gave, without which Gemini 3
 * refuses a tool call of the history (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
export const missingSignature = "skip_thought_signature_validator";

/** Google documents both. They say that there is no signature. */
const placeholders = [missingSignature, "context_engineering_is_the_way_to_go"];

export function isPlaceholder(signature: string): boolean {
  return (
    placeholders.includes(signature) ||
    (signature.length < 64 && placeholders.includes(Buffer.from(signature, "base64").toString()))
  );
}

/** What a provider other than Gemini needs back. */
export function sealSignature(kept: KeptReasoning): string {
  return Buffer.from(sealReasoning(kept)).toString("base64");
}

/** "turnpike1", in either alphabet. */
const sealedPrefix = "dHVybnBpa2Ux";

export function isSealedSignature(signature: string): boolean {
  return signature.startsWith(sealedPrefix);
}

/** Undefined for a signature that is not one of ours. Throws Fault as `openReasoning` does. */
export function openSignature(signature: string): KeptReasoning | undefined {
  if (!isSealedSignature(signature)) return undefined;
  return openReasoning(Buffer.from(signature, "base64").toString());
}

/** Members of a call that have no other content than Gemini's own signature. */
export function signatureInCall(extra: JsonObject): string | undefined {
  const { extra_content: content, ...others } = extra;
  if (Object.keys(others).length > 0) return undefined;
  const google = isObject(content) ? content.google : undefined;
  return isObject(google) ? parseText(google.thought_signature) : undefined;
}

/** The members that a call with Gemini's own signature has in a chat completion, as in Google's own API of that kind. */
export function signedMembers(signature: string): JsonObject {
  return { extra_content: { google: { thought_signature: signature } } };
}
