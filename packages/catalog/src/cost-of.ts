// What a call costs, and which reported usage may be billed. The same tokens at the same
// price version always cost the same, with one rounding.

import { type Nanos, priceTokens } from "@turnpike/base";
import type { TokenUsage } from "@turnpike/wire";
import { promptMax } from "./bound-prompt.ts";
import type { ModelRequest, Rates } from "./model.ts";

/**
 * The bill of `usage`. Cached, cache-write and sound tokens are parts of the prompt: what an upstream
 * reports beyond the prompt itself is not charged. What is cached is billed as cached, sound or not.
 * Reasoning tokens and those of a rejected prediction are parts of the completion, at its price.
 */
export function costOf(price: Rates, usage: TokenUsage): Nanos {
  const cached = Math.min(usage.cachedTokens, usage.promptTokens);
  const cacheWrite = Math.min(usage.cacheWriteTokens, usage.promptTokens - cached);
  const longWrite = Math.min(usage.cacheWrite1hTokens ?? 0, cacheWrite);
  const longRate = price.cacheWrite1hNanosPerMillion ?? price.cacheWriteNanosPerMillion;
  const fresh = usage.promptTokens - cached - cacheWrite;
  const heard = price.audioInputNanosPerMillion ?? price.inputNanosPerMillion;
  const audioPrompt = Math.min(usage.audioPromptTokens ?? 0, fresh);
  const spoken = price.audioOutputNanosPerMillion ?? price.outputNanosPerMillion;
  const audioCompletion = Math.min(usage.audioCompletionTokens ?? 0, usage.completionTokens);
  const completion = usage.completionTokens - audioCompletion;
  return priceTokens([
    { tokens: fresh - audioPrompt, nanosPerMillion: price.inputNanosPerMillion },
    { tokens: cached, nanosPerMillion: price.cachedInputNanosPerMillion },
    { tokens: cacheWrite - longWrite, nanosPerMillion: price.cacheWriteNanosPerMillion },
    { tokens: longWrite, nanosPerMillion: longRate },
    { tokens: completion, nanosPerMillion: price.outputNanosPerMillion },
    { tokens: audioPrompt, nanosPerMillion: heard },
    { tokens: audioCompletion, nanosPerMillion: spoken },
    { tokens: usage.webSearches ?? 0, nanosPerMillion: price.webSearchNanosPerMillion ?? 0n },
  ]);
}

/**
 * Whether `usage` fits the context of the model: neither the prompt nor any of the answers can be
 * longer, and an embeddings model reads each input by itself and writes nothing. What does not fit is a
 * mistake upstream and must not be billed.
 */
export function isPossibleUsage(asked: ModelRequest, usage: TokenUsage): boolean {
  const { promptTokens, completionTokens } = usage;
  if (promptTokens > promptMax(asked)) return false;
  if (asked.operation === "embeddings") return completionTokens === 0;
  return completionTokens <= asked.model.contextTokens * asked.request.choices;
}
