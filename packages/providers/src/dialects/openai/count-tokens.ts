// Counts the output tokens of a piece of an answer. Answers without usage are billed by this count.

import type { OpenaiQuirks } from "./quirks.ts";

/** About four UTF-8 bytes a token, at least one for any text, zero for none. */
export function estimateTokens(utf8Bytes: number): number {
  return Math.ceil(utf8Bytes / 4);
}

/**
 * The longest token of OpenAI's public vocabularies has 61 bytes if it contains a letter or a
 * digit, and 128 bytes (a run of spaces) if it does not.
 */
const maxWordBytes = 64;
const maxTokenBytes = 128;
/** UTF-8 uses at most three bytes for a UTF-16 unit. */
const shortUnits = Math.floor(maxWordBytes / 3);
const letterOrDigit = /[\p{L}\p{N}]/u;
/** Tokenizers split before a space that begins a word: no token holds the end of the word before. */
const betweenWords = /\S +\S/;

/** Whether `text` can be a single token of any tokenizer in wide use. */
function canBeOneToken(text: string): boolean {
  if (text.indexOf(" ", 1) !== -1 && betweenWords.test(text)) return false;
  if (text.length <= shortUnits) return true;
  const bytes = Buffer.byteLength(text);
  return bytes <= maxWordBytes || (bytes <= maxTokenBytes && !letterOrDigit.test(text));
}

const space = 0x20;

/** Whether text of at least one byte can be a single token, without decoding it; false if it is unclear. */
export function isShortWord(bytes: Uint8Array, start: number, end: number): boolean {
  // With this few bytes, the text cannot have more units.
  if (end - start > shortUnits) return false;
  for (let at = start + 1; at < end; at += 1) if (bytes[at] === space) return false;
  return true;
}

/**
 * The tokens of one streamed delta that contains `text` (all its parts together). A provider that
 * streams token by token may still send several in one delta; then they are estimated from the text,
 * as at least two.
 */
export function countDelta(text: string, tokensPerDelta: OpenaiQuirks["tokensPerDelta"]): number {
  if (text === "") return 0;
  if (tokensPerDelta === "many") return estimateTokens(Buffer.byteLength(text));
  return canBeOneToken(text) ? 1 : Math.max(2, estimateTokens(Buffer.byteLength(text)));
}
