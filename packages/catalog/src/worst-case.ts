// How much a call can cost at most, and how much output an amount of money covers. The
// two are exact inverses, so a hold made from one is never short of the other by a nano-dollar.

import { type Nanos, priceTokens } from "@turnpike/base";
import { boundAudio } from "./bound-prompt.ts";
import type { ModelRequest, Rates } from "./model.ts";

/** What a cache will do is not known beforehand, so every prompt token costs the highest rate of the call. */
function dearestPromptRate(price: Rates): bigint {
  const { inputNanosPerMillion, cachedInputNanosPerMillion, cacheWriteNanosPerMillion } = price;
  let dearest = inputNanosPerMillion;
  if (cachedInputNanosPerMillion > dearest) dearest = cachedInputNanosPerMillion;
  if (cacheWriteNanosPerMillion > dearest) dearest = cacheWriteNanosPerMillion;
  const { cacheWrite1hNanosPerMillion: longWrite = 0n } = price;
  if (longWrite > dearest) dearest = longWrite;
  return dearest;
}

/** What a call may use beside tokens of text, at most. */
export type ExtrasBound = {
  /** The part of the prompt that may be sound. */
  readonly audioPromptTokens: number;
  readonly answersInAudio: boolean;
  /** Of one answer, on top of its limit. */
  readonly rejectedTokens: number;
  /** For one answer. */
  readonly searches: number;
};

const nothingBeside: ExtrasBound = {
  audioPromptTokens: 0,
  answersInAudio: false,
  rejectedTokens: 0,
  searches: 0,
};

export function boundExtras(matched: ModelRequest): ExtrasBound {
  if (matched.operation === "embeddings" || matched.request.extras === undefined)
    return nothingBeside;
  const { predictionBytes, searches, answersInAudio } = matched.request.extras;
  // No token has less than a byte.
  const rejectedTokens = predictionBytes;
  return { audioPromptTokens: boundAudio(matched), answersInAudio, rejectedTokens, searches };
}

/** Millionths of a nano-dollar that do not depend on how long an answer is. */
function fixedPart(
  price: Rates,
  promptTokens: number,
  answers: number,
  extras: ExtrasBound,
): bigint {
  const dearest = dearestPromptRate(price);
  if (extras === nothingBeside) return BigInt(promptTokens) * dearest;
  const audioTokens = Math.min(extras.audioPromptTokens, promptTokens);
  const { audioInputNanosPerMillion: heard = dearest, webSearchNanosPerMillion: search = 0n } =
    price;
  return (
    BigInt(promptTokens - audioTokens) * dearest +
    BigInt(audioTokens) * dearestOf(heard, dearest) +
    BigInt(extras.rejectedTokens * answers) * price.outputNanosPerMillion +
    BigInt(extras.searches * answers) * search
  );
}

/** Of one output token of each answer. */
function outputPart(price: Rates, answers: number, { answersInAudio }: ExtrasBound): bigint {
  const { outputNanosPerMillion: written, audioOutputNanosPerMillion: spoken = 0n } = price;
  return (answersInAudio ? dearestOf(spoken, written) : written) * BigInt(answers);
}

function dearestOf(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

/** The most a call can cost: `choices` answers of `outputTokens` each to one prompt. */
export function worstCase(
  price: Rates,
  promptTokens: number,
  outputTokens: number,
  choices: number,
  extras = nothingBeside,
): Nanos {
  if (extras === nothingBeside) {
    return priceTokens([
      { tokens: promptTokens, nanosPerMillion: dearestPromptRate(price) },
      { tokens: outputTokens, nanosPerMillion: price.outputNanosPerMillion * BigInt(choices) },
    ]);
  }
  return priceTokens([
    { tokens: 1, nanosPerMillion: fixedPart(price, promptTokens, choices, extras) },
    { tokens: outputTokens, nanosPerMillion: outputPart(price, choices, extras) },
  ]);
}

export type OutputBound = {
  /** The most tokens one answer may have; no answer is longer than the context, whatever is asked. */
  readonly tokens: number;
  readonly answers: number;
  /** Whether the caller left the limit to us. */
  readonly isDefault: boolean;
};

const noOutput: OutputBound = { tokens: 0, answers: 1, isDefault: false };

/** What an upstream may write for a request. */
export function outputBound(matched: ModelRequest): OutputBound {
  if (matched.operation === "embeddings") return noOutput;
  const { model, request } = matched;
  const tokens = Math.min(request.maxTokens ?? model.maxOutputTokens, model.contextTokens);
  return { tokens, answers: request.choices, isDefault: request.maxTokens === undefined };
}

const mostTokens = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * The largest output limit per choice whose worst case is at most `moneyNanos`; undefined where
 * the money does not even cover the prompt and what else is billed whatever the answer. Free output has no limit but `MAX_SAFE_INTEGER`.
 */
export function affordableOutputTokens(
  price: Rates,
  promptTokens: number,
  choices: number,
  moneyNanos: Nanos,
  extras = nothingBeside,
): number | undefined {
  const left = moneyNanos * 1_000_000n - fixedPart(price, promptTokens, choices, extras);
  if (left < 0n) return undefined;
  const perToken = outputPart(price, choices, extras);
  const tokens = perToken === 0n ? mostTokens : left / perToken;
  return Number(tokens < mostTokens ? tokens : mostTokens);
}
