// What does a completion cost, and which reported usage may be billed? The same tokens at the same
// price version always cost the same, with one rounding.

import { type Nanos, priceTokens } from "@turnpike/base";
import type { TokenUsage } from "@turnpike/wire";
import type { Model, Rates } from "./model.ts";

/**
 * The bill of `usage`. Cached and cache-write tokens are parts of the prompt: what an upstream
 * reports beyond the prompt itself is not charged. Reasoning tokens are part of the completion.
 */
export function costOf(price: Rates, usage: TokenUsage): Nanos {
  const cached = Math.min(usage.cachedTokens, usage.promptTokens);
  const cacheWrite = Math.min(usage.cacheWriteTokens, usage.promptTokens - cached);
  const fresh = usage.promptTokens - cached - cacheWrite;
  return priceTokens([
    { tokens: fresh, nanosPerMillion: price.inputNanosPerMillion },
    { tokens: cached, nanosPerMillion: price.cachedInputNanosPerMillion },
    { tokens: cacheWrite, nanosPerMillion: price.cacheWriteNanosPerMillion },
    { tokens: usage.completionTokens, nanosPerMillion: price.outputNanosPerMillion },
  ]);
}

/**
 * Whether `usage` fits the context of `model`: neither the prompt nor any of the `choices` can be
 * longer. What does not fit is a mistake upstream and must not be billed.
 */
export function isPossibleUsage(
  model: Pick<Model, "contextTokens">,
  choices: number,
  usage: TokenUsage,
): boolean {
  const { promptTokens, completionTokens } = usage;
  return promptTokens <= model.contextTokens && completionTokens <= model.contextTokens * choices;
}
