// What a completion consumed, in the words of every upstream translated to one.

/** Cached and cache-written tokens are parts of the prompt, reasoning tokens of the completion. */
export type TokenUsage = {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
};
