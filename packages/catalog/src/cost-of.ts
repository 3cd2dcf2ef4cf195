// What a call costs, and which reported usage may be billed. The same tokens at the same
// price version always cost the same, with one rounding.

import { addTokens, costOfSum, type Nanos, type PricedSum } from "@turnpike/base";
import type { TokenUsage } from "@turnpike/wire";
import { promptMax } from "./bound-prompt.ts";
import type { ModelRequest, Rates } from "./model.ts";

/**
 * The bill of `usage`. Cached, cache-write and audio tokens are parts of the prompt: what an upstream
 * reports beyond the prompt itself is not charged. What is cached is billed as cached, audio or not; if an
 * upstream does not say which part of the audio was cached, as much as possible was.
 * Reasoning tokens and those of a rejected prediction are parts of the completion, at its price.
 */
export function costOf(price: Rates, usage: TokenUsage): Nanos {
  const cached = Math.min(usage.cachedTokens, usage.promptTokens);
  const cacheWrite = Math.min(usage.cacheWriteTokens, usage.promptTokens - cached);
  const longWrite = Math.min(usage.cacheWrite1hTokens ?? 0, cacheWrite);
  const longRate = price.cacheWrite1hNanosPerMillion ?? price.cacheWriteNanosPerMillion;
  const fresh = usage.promptTokens - cached - cacheWrite;
  const extras = hasExtras(usage) ? priceExtras(price, usage, fresh) : nothingBeside;
  let sum = addTokens(extras.sum, fresh - extras.audioPrompt, price.inputNanosPerMillion);
  sum = addTokens(sum, cached, price.cachedInputNanosPerMillion);
  sum = addTokens(sum, cacheWrite - longWrite, price.cacheWriteNanosPerMillion);
  sum = addTokens(sum, longWrite, longRate);
  const written = usage.completionTokens - extras.audioCompletion;
  return costOfSum(addTokens(sum, written, price.outputNanosPerMillion));
}

/** What only few calls have: what it costs, and the tokens that are not text. */
type Extras = {
  readonly audioPrompt: number;
  readonly audioCompletion: number;
  readonly sum: PricedSum;
};

const nothingBeside: Extras = { audioPrompt: 0, audioCompletion: 0, sum: 0 };

function hasExtras(usage: TokenUsage): boolean {
  const { audioPromptTokens: audioIn, audioCompletionTokens: audioOut, webSearches } = usage;
  return audioIn !== undefined || audioOut !== undefined || webSearches !== undefined;
}

function priceExtras(price: Rates, usage: TokenUsage, fresh: number): Extras {
  const audioInTokens = usage.audioPromptTokens ?? 0;
  const cachedAudio = usage.cachedAudioPromptTokens ?? usage.promptTokens - fresh;
  const audioPrompt = Math.min(Math.max(0, audioInTokens - cachedAudio), fresh);
  const audioCompletion = Math.min(usage.audioCompletionTokens ?? 0, usage.completionTokens);
  const audioIn = price.audioInputNanosPerMillion ?? price.inputNanosPerMillion;
  const audioOut = price.audioOutputNanosPerMillion ?? price.outputNanosPerMillion;
  let sum = addTokens(0, audioPrompt, audioIn);
  sum = addTokens(sum, audioCompletion, audioOut);
  sum = addTokens(sum, usage.webSearches ?? 0, price.webSearchNanosPerMillion ?? 0n);
  return { audioPrompt, audioCompletion, sum };
}

/**
 * Whether `usage` fits the context of the model: neither the prompt nor any of the answers can be
 * longer, and an embeddings model reads each input separately and has no output.
 */
export function isPossibleUsage(matched: ModelRequest, usage: TokenUsage): boolean {
  return (
    usage.promptTokens <= promptMax(matched) && usage.completionTokens <= completionMax(matched)
  );
}

/**
 * The part of `usage` that the context of the model allows. A report beyond it is billed by this, and never
 * by a count of ours that may be lower: the context in the catalog may be what is wrong.
 */
export function clampUsage(matched: ModelRequest, usage: TokenUsage): TokenUsage {
  const clamped = { ...usage };
  clamp(clamped, promptParts, promptMax(matched));
  clamp(clamped, completionParts, completionMax(matched));
  return clamped;
}

function completionMax(matched: ModelRequest): number {
  if (matched.operation === "embeddings") return 0;
  return matched.model.contextTokens * matched.request.choices;
}

const promptParts = [
  "promptTokens",
  "cachedTokens",
  "cacheWriteTokens",
  "cacheWrite1hTokens",
  "audioPromptTokens",
  "cachedAudioPromptTokens",
] as const;
const completionParts = [
  "completionTokens",
  "reasoningTokens",
  "audioCompletionTokens",
  "acceptedPredictionTokens",
  "rejectedPredictionTokens",
] as const;

type Counts = { -readonly [Name in keyof TokenUsage]: TokenUsage[Name] };
type CountName = (typeof promptParts)[number] | (typeof completionParts)[number];

function clamp(usage: Counts, names: readonly CountName[], most: number): void {
  for (const name of names) {
    const count = usage[name];
    if (count !== undefined && count > most) usage[name] = most;
  }
}
