// What is recorded of a call of which nothing is known but its route, for tests that charge calls without
// making them.
export const noFacts = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  usageSource: "none",
  maxTokens: null,
  status: 0,
  outcome: "",
  errorCode: null,
  finishReason: null,
  nativeFinishReason: null,
  upstreamId: null,
  attempts: [],
  firstByteMs: null,
  overheadMs: null,
  totalMs: null,
} as const;
