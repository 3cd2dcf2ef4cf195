// How much a call can cost at most, and how much output an amount of money covers. The
// two are exact inverses, so a hold made from one is never short of the other by a nano-dollar.

import { type Nanos, priceTokens } from "@turnpike/base";
import type { ModelRequest, Rates } from "./model.ts";

/** What a cache will do is not known beforehand, so every prompt token costs the highest rate. */
function dearestPromptRate(price: Rates): bigint {
  const { inputNanosPerMillion, cachedInputNanosPerMillion, cacheWriteNanosPerMillion } = price;
  let dearest = inputNanosPerMillion;
  if (cachedInputNanosPerMillion > dearest) dearest = cachedInputNanosPerMillion;
  if (cacheWriteNanosPerMillion > dearest) dearest = cacheWriteNanosPerMillion;
  const { cacheWrite1hNanosPerMillion: longWrite = 0n } = price;
  if (longWrite > dearest) dearest = longWrite;
  return dearest;
}

/** The most a call can cost: `choices` answers of `outputTokens` each to one prompt. */
export function worstCase(
  price: Rates,
  promptTokens: number,
  outputTokens: number,
  choices: number,
): Nanos {
  return priceTokens([
    { tokens: promptTokens, nanosPerMillion: dearestPromptRate(price) },
    { tokens: outputTokens, nanosPerMillion: price.outputNanosPerMillion * BigInt(choices) },
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
export function outputBound(asked: ModelRequest): OutputBound {
  if (asked.operation === "embeddings") return noOutput;
  const { model, request } = asked;
  const tokens = Math.min(request.maxTokens ?? model.maxOutputTokens, model.contextTokens);
  return { tokens, answers: request.choices, isDefault: request.maxTokens === undefined };
}

const mostTokens = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * The largest output limit per choice whose worst case is at most `moneyNanos`; undefined where
 * the money does not even cover the prompt. Free output has no limit but `MAX_SAFE_INTEGER`.
 */
export function affordableOutputTokens(
  price: Rates,
  promptTokens: number,
  choices: number,
  moneyNanos: Nanos,
): number | undefined {
  const left = moneyNanos * 1_000_000n - BigInt(promptTokens) * dearestPromptRate(price);
  if (left < 0n) return undefined;
  const perToken = price.outputNanosPerMillion * BigInt(choices);
  const tokens = perToken === 0n ? mostTokens : left / perToken;
  return Number(tokens < mostTokens ? tokens : mostTokens);
}
