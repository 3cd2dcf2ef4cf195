// What a completion consumed and cost, as answers show it: OpenAI's counts with complete details,
// and OpenRouter's `cost`, which clients require to be a JSON number (USD).
import { type Nanos, toUsdNumber } from "@turnpike/base";
import { isObject } from "./check-value.ts";
import type { TokenUsage } from "./token-usage.ts";

/**
 * The `usage` object of wire-format §2 and peers §2.2. `original` is the upstream's own usage, from
 * which counts that we do not bill (audio, prediction) are taken over. `costNanos` is the charge.
 */
export function usageBody(
  usage: TokenUsage,
  costNanos: Nanos,
  original?: unknown,
): Record<string, unknown> {
  const prompt = detailsOf(original, "prompt_tokens_details");
  const completion = detailsOf(original, "completion_tokens_details");
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      audio_tokens: prompt("audio_tokens"),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens,
      audio_tokens: completion("audio_tokens"),
      accepted_prediction_tokens: completion("accepted_prediction_tokens"),
      rejected_prediction_tokens: completion("rejected_prediction_tokens"),
    },
    cost: toUsdNumber(costNanos),
    is_byok: false,
    cost_details: { upstream_inference_cost: null },
  };
}

function detailsOf(original: unknown, name: string): (count: string) => number {
  const details = isObject(original) ? original[name] : undefined;
  return (count) => {
    const value = isObject(details) ? details[count] : undefined;
    return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
  };
}
