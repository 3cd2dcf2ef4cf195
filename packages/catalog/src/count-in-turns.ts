// Counts the tokens of a text by one of OpenAI's public tokenizers, in time proportional to the text for any
// content, and in turns with the other texts of this thread.
import { boundScript } from "./bound-script.ts";
import { CountQueue } from "./count-queue.ts";
import type { Tokenizer } from "./model.ts";

export type Encoding = Exclude<Tokenizer, "bytes">;

type Counter = typeof import("gpt-tokenizer/encoding/o200k_base").countTokens;

/** Loading takes half a second and 60 MB each: for the first text that needs it, not at every start. */
const counters: Readonly<Record<Encoding, () => Promise<{ readonly countTokens: Counter }>>> = {
  o200k_base: () => import("gpt-tokenizer/encoding/o200k_base"),
  cl100k_base: () => import("gpt-tokenizer/encoding/cl100k_base"),
  p50k_base: () => import("gpt-tokenizer/encoding/p50k_base"),
  r50k_base: () => import("gpt-tokenizer/encoding/r50k_base"),
};

/**
 * A tokenizer's merge is quadratic in an unbroken run (a minute for 64 Ki Chinese characters), so
 * it is only given this many characters at a time. Where a run is cut in two, at most a token or
 * two are counted in excess.
 */
const sliceChars = 128;

/** Of the thread: every text is counted through it. */
const queue = new CountQueue();

/** What looks like a control token is counted as ordinary text and never refused. */
const asText = { disallowedSpecial: new Set<string>() };

export type CountJob = {
  readonly text: string;
  readonly encoding: Encoding;
  /** Counts no further than this many tokens. */
  readonly limit: number;
  /** Whose turn the count takes: the caller's. */
  readonly account: string;
  /** Counts the most tokens that any tokenizer makes of the text. */
  readonly isBound: boolean;
};

export type TextCount = {
  readonly tokens: number;
  /** How long counting took, without what others counted meanwhile. */
  readonly spentMs: number;
};

/** Ends early, with what it has counted by then, once `isCancelled` returns true. */
export async function countInTurns(
  { text, encoding, limit, account, isBound }: CountJob,
  isCancelled: () => boolean = () => false,
): Promise<TextCount> {
  const { countTokens } = await counters[encoding]();
  const count = (slice: string) => countTokens(slice, asText);
  let tokens = 0;
  let start = 0;
  let spentMs = 0;
  await queue.run(account, () => {
    if (isCancelled()) return false;
    const startedAtMs = performance.now();
    const slice = sliceAt(text, start);
    tokens += isBound ? boundScript(slice, count) : count(slice);
    start += slice.length;
    spentMs += performance.now() - startedAtMs;
    return start < text.length && tokens < limit;
  });
  return { tokens: Math.min(tokens, limit), spentMs };
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
