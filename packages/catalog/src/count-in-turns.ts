// Counts the tokens of a text by one of OpenAI's public tokenizers, in time proportional to the text for any
// content, and in turns with the other texts of this thread.
import { boundScript, type CountText } from "./bound-script.ts";
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

/** For the bound of a text: the tokenizer that knows English and code, but no other language. */
const oldEncoding = "p50k_base";

/** Some tokenizers begin every text with a token of their own. */
const tokensOfBeginning = 1;

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
  const count = await loadCounter(encoding);
  const countSlice = isBound ? boundBy(count, await loadCounter(oldEncoding)) : count;
  let tokens = isBound && text !== "" ? tokensOfBeginning : 0;
  let start = 0;
  let spentMs = 0;
  await queue.run(account, () => {
    if (isCancelled()) return false;
    const startedAtMs = performance.now();
    const slice = sliceAt(text, start);
    tokens += countSlice(slice);
    start += slice.length;
    spentMs += performance.now() - startedAtMs;
    return start < text.length && tokens < limit;
  });
  return { tokens: Math.min(tokens, limit), spentMs };
}

async function loadCounter(encoding: Encoding): Promise<CountText> {
  const { countTokens } = await counters[encoding]();
  return (slice) => countTokens(slice, asText);
}

function boundBy(count: CountText, countOld: CountText): CountText {
  return (slice) => boundScript(slice, count, countOld);
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
