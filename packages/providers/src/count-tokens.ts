// How many output tokens does a piece of an answer carry, by our own count? Bills of answers
// without usage rest on it.

import type { ProviderQuirks } from "./provider.ts";

/** About four UTF-8 bytes a token, at least one for any text, none for nothing. */
export function estimateTokens(utf8Bytes: number): number {
  return Math.ceil(utf8Bytes / 4);
}

/** The tokens of one streamed delta that carries `text` (all its parts together). */
export function countDelta(text: string, tokensPerDelta: ProviderQuirks["tokensPerDelta"]): number {
  if (text === "") return 0;
  return tokensPerDelta === "one" ? 1 : estimateTokens(Buffer.byteLength(text));
}
