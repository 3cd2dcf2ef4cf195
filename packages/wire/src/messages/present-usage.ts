// What a completion consumed and cost, as Anthropic's answers show it: cached tokens are not part of
// `input_tokens` there. `cost` is ours, in USD as in every other answer.
import type { JsonObject } from "@turnpike/base";
import { toUsdNumber } from "@turnpike/terms";
import type { Bill } from "../protocol/pivot.ts";

export function messagesUsage({ usage, costNanos }: Bill): JsonObject {
  const { promptTokens, cachedTokens, cacheWriteTokens, completionTokens, reasoningTokens } = usage;
  const { cacheWrite1hTokens = 0 } = usage;
  return {
    input_tokens: promptTokens - cachedTokens - cacheWriteTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWriteTokens - cacheWrite1hTokens,
      ephemeral_1h_input_tokens: cacheWrite1hTokens,
    },
    output_tokens: completionTokens,
    output_tokens_details: { thinking_tokens: reasoningTokens },
    cost: toUsdNumber(costNanos),
  };
}

/** Members that every usage has but only Anthropic can fill. Source: `Usage` of Anthropic's SDK. */
const absent = { service_tier: null, server_tool_use: null, inference_geo: null };

/** The usage of an answer that was translated. */
export function translatedUsage(bill: Bill): JsonObject {
  return { ...absent, ...messagesUsage(bill) };
}

/** Before the answer has ended: nothing is counted yet. */
export const unknownUsage: JsonObject = {
  ...absent,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
};
