// What a completion consumed and cost, as answers show it: OpenAI's counts with complete details,
// and OpenRouter's `cost`, which clients require to be a JSON number (USD).
import { type Nanos, toUsdNumber } from "@turnpike/terms";
import { answerHead } from "../protocol/answer-head.ts";
import type { AnswerIdentity, Bill, TokenUsage } from "../protocol/pivot.ts";

/**
 * OpenAI's `CompletionUsage` and OpenRouter's `ChatUsage`; `costNanos` is the charge. Searches are shown
 * if there were any, as at OpenRouter.
 */
export function usageBody(usage: TokenUsage, costNanos: Nanos): Record<string, unknown> {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      audio_tokens: usage.audioPromptTokens ?? 0,
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens,
      audio_tokens: usage.audioCompletionTokens ?? 0,
      accepted_prediction_tokens: usage.acceptedPredictionTokens ?? 0,
      rejected_prediction_tokens: usage.rejectedPredictionTokens ?? 0,
    },
    ...(usage.webSearches !== undefined && {
      server_tool_use: { web_search_requests: usage.webSearches },
    }),
    cost: toUsdNumber(costNanos),
    is_byok: false,
  };
}

/** OpenAI's `include_usage`: the chunk without choices that comes just before `[DONE]`, as JSON. */
export function usageChunk(identity: AnswerIdentity, bill: Bill): string {
  const head = answerHead(identity, "chat.completion.chunk");
  const usage = usageBody(bill.usage, bill.costNanos);
  return JSON.stringify({ ...head, choices: [], usage });
}
