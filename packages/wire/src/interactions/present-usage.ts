// What an interaction consumed and cost: cached tokens are a part of the input, thoughts stand beside the output. `cost` is
// ours, in USD as in every other answer.
import type { JsonObject } from "@turnpike/base";
import { toUsdNumber } from "@turnpike/terms";
import type { Bill } from "../protocol/pivot.ts";

export function presentUsage({ usage, costNanos }: Bill): JsonObject {
  const { promptTokens, completionTokens, reasoningTokens, cachedTokens } = usage;
  const outputTokens = completionTokens - reasoningTokens;
  return {
    total_input_tokens: promptTokens,
    input_tokens_by_modality: byModality(promptTokens, {
      audio: usage.audioPromptTokens,
      image: usage.imagePromptTokens,
    }),
    total_cached_tokens: cachedTokens,
    ...(cachedTokens > 0 && {
      cached_tokens_by_modality: byModality(cachedTokens, { audio: usage.cachedAudioPromptTokens }),
    }),
    total_output_tokens: outputTokens,
    output_tokens_by_modality: byModality(outputTokens, {
      audio: usage.audioCompletionTokens,
      image: usage.imageCompletionTokens,
    }),
    total_thought_tokens: reasoningTokens,
    total_tool_use_tokens: 0,
    total_tokens: promptTokens + completionTokens,
    cost: toUsdNumber(costNanos),
  };
}

/** Everything that was not reported as something else is text. */
function byModality(
  total: number,
  parts: Readonly<Record<string, number | undefined>>,
): JsonObject[] {
  const counted: JsonObject[] = [];
  let rest = total;
  for (const [modality, reported = 0] of Object.entries(parts)) {
    const tokens = Math.min(reported, rest);
    rest -= tokens;
    if (tokens > 0) counted.push({ modality, tokens });
  }
  return rest > 0 || counted.length === 0
    ? [{ modality: "text", tokens: rest }, ...counted]
    : counted;
}
