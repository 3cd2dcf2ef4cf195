// Blocks of thinking, and whether Claude may have signed one. Claude refuses a conversation with any other: what it signs
// is long base64, so other models' signatures are recognized by their form, and the rest by Claude's refusal
// (retry-without-thinking.ts).
import { isObject, type JsonObject } from "@turnpike/base";

const types: readonly unknown[] = ["thinking", "redacted_thinking"];

export function isThinking(block: unknown): block is JsonObject {
  return isObject(block) && types.includes(block.type);
}

/** Ours of Google's and OpenAI's have a colon (`gemini:`). */
const base64 = /^[A-Za-z0-9+/_=-]+$/;
/** Identifiers and digests of Kimi, DeepSeek, MiniMax and GLM. */
const hexadecimal = /^[0-9a-f-]{8,}$/i;
/** What OpenAI encrypts begins with a version and a time. */
const openais = "gAAAA";

/** Whether Claude may have written it, of a signature or of redacted thinking. */
export function mayBeClaudes(signed: unknown): boolean {
  if (typeof signed !== "string" || !base64.test(signed)) return false;
  return !hexadecimal.test(signed) && !signed.startsWith(openais);
}

/** What a block is recognized by: the signature of thinking, or all of what is redacted. */
export function signatureOf({ data, signature }: JsonObject): unknown {
  return data ?? signature;
}
