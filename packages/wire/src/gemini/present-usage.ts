// What a completion consumed and cost, as Gemini's answers show it: thoughts are not among the candidates' tokens there.
// `cost` is ours, in USD as in every other answer.
import type { JsonObject } from "@turnpike/base";
import { toUsdNumber } from "@turnpike/terms";
import type { Bill } from "../protocol/pivot.ts";

export function usageMetadata({ usage, costNanos }: Bill): JsonObject {
  const { promptTokens, completionTokens, reasoningTokens, cachedTokens } = usage;
  const { audioPromptTokens = 0 } = usage;
  const counts: JsonObject = {
    promptTokenCount: promptTokens,
    candidatesTokenCount: completionTokens - reasoningTokens,
    totalTokenCount: promptTokens + completionTokens,
    promptTokensDetails: [{ modality: "TEXT", tokenCount: promptTokens - audioPromptTokens }],
  };
  if (audioPromptTokens > 0) {
    counts.promptTokensDetails = [
      { modality: "TEXT", tokenCount: promptTokens - audioPromptTokens },
      { modality: "AUDIO", tokenCount: audioPromptTokens },
    ];
  }
  if (cachedTokens > 0) counts.cachedContentTokenCount = cachedTokens;
  if (reasoningTokens > 0) counts.thoughtsTokenCount = reasoningTokens;
  counts.cost = toUsdNumber(costNanos);
  return counts;
}
