// Counts the tokens of a text by one of OpenAI's public tokenisers. An upper estimate, in time
// proportional to the text for any content; other requests run meanwhile.

import { CountQueue } from "./count-queue.ts";
import type { Model, Tokenizer } from "./model.ts";

export type Encoding = Exclude<Tokenizer, "bytes">;

type Counter = typeof import("gpt-tokenizer/encoding/o200k_base").countTokens;

/** Loading takes half a second and 60 MB each: in the first call that needs it, not at every start. */
const counters: Readonly<Record<Encoding, () => Promise<{ readonly countTokens: Counter }>>> = {
  o200k_base: () => import("gpt-tokenizer/encoding/o200k_base"),
  cl100k_base: () => import("gpt-tokenizer/encoding/cl100k_base"),
  p50k_base: () => import("gpt-tokenizer/encoding/p50k_base"),
  r50k_base: () => import("gpt-tokenizer/encoding/r50k_base"),
};

/** The tokeniser to estimate with: that of most models if the model's own is not known. */
export function encodingOf({ tokenizer }: Model): Encoding {
  return tokenizer === "bytes" ? "o200k_base" : tokenizer;
}

/**
 * A tokeniser's merge is quadratic in an unbroken run (a minute for 64 Ki Chinese characters), so
 * it is only given this many characters at a time. Where a run is cut in two, at most a token or
 * two are counted in excess.
 */
const sliceChars = 128;

/** Of the process: every text is counted through it. */
const queue = new CountQueue();

/** What looks like a control token is counted as ordinary text and never refused. */
const asText = { disallowedSpecial: new Set<string>() };

export type CountOptions = {
  readonly encoding: Encoding;
  readonly limit?: number;
  /** Whose turn the count takes: the caller's. */
  readonly account?: string;
};

/** Counts `text`, but no further than `limit` tokens. */
export async function countText(
  text: string,
  { encoding, limit = Number.POSITIVE_INFINITY, account = "" }: CountOptions,
): Promise<number> {
  const { countTokens } = await counters[encoding]();
  let tokens = 0;
  let start = 0;
  await queue.run(account, () => {
    const slice = sliceAt(text, start);
    tokens += countTokens(slice, asText);
    start += slice.length;
    return start < text.length && tokens < limit;
  });
  return Math.min(tokens, limit);
}

/** Ends before a space if it can, because tokens end there anyway; never inside a surrogate pair. */
function sliceAt(text: string, start: number): string {
  const slice = text.slice(start, start + sliceChars);
  if (start + slice.length === text.length) return slice;
  const space = slice.lastIndexOf(" ");
  if (space > 0) return slice.slice(0, space);
  const last = slice.charCodeAt(slice.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? slice.slice(0, -1) : slice;
}
