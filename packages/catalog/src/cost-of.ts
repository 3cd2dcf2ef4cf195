// What a call costs, and which reported usage may be billed. The same tokens at the same
// price version always cost the same, with one rounding.

import { type Nanos, priceTokens } from "@turnpike/base";
import type { TokenUsage } from "@turnpike/wire";
import { promptMax } from "./bound-prompt.ts";
import type { ModelRequest, Rates } from "./model.ts";

/**
 * The bill of `usage`. Cached and cache-write tokens are parts of the prompt: what an upstream
 * reports beyond the prompt itself is not charged. Reasoning tokens are part of the completion.
 */
export function costOf(price: Rates, usage: TokenUsage): Nanos {
  const cached = Math.min(usage.cachedTokens, usage.promptTokens);
  const cacheWrite = Math.min(usage.cacheWriteTokens, usage.promptTokens - cached);
  const longWrite = Math.min(usage.cacheWrite1hTokens ?? 0, cacheWrite);
  const longRate = price.cacheWrite1hNanosPerMillion ?? price.cacheWriteNanosPerMillion;
  const fresh = usage.promptTokens - cached - cacheWrite;
  return priceTokens([
    { tokens: fresh, nanosPerMillion: price.inputNanosPerMillion },
    { tokens: cached, nanosPerMillion: price.cachedInputNanosPerMillion },
    { tokens: cacheWrite - longWrite, nanosPerMillion: price.cacheWriteNanosPerMillion },
    { tokens: longWrite, nanosPerMillion: longRate },
    { tokens: usage.completionTokens, nanosPerMillion: price.outputNanosPerMillion },
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
