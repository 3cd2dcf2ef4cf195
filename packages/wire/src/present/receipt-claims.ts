// What a receipt states about one finished call. It names the call and no one: neither account, nor key, nor person,
// nor anything of the prompt or of the answer.
import { formatUsd } from "@turnpike/terms";
import { type GenerationView, markupPercent } from "./present-generation.ts";

/** Members that are undefined are absent. Amounts are decimal strings in USD, times are ISO 8601 in UTC. */
export function receiptClaims(view: GenerationView): Record<string, unknown> {
  const { usage } = view;
  return {
    generation_id: view.id,
    request_id: view.requestId,
    created_at: view.createdAt.toISOString(),
    operation: view.operation,
    model: view.model,
    provider: view.provider === "" ? null : view.provider,
    upstream_id: view.upstreamId,
    state: view.state,
    outcome: view.outcome,
    service_tier: view.serviceTier,
    cached_from: view.cachedFrom,
    usage: {
      source: view.usageSource,
      prompt_tokens: usage.promptTokens,
      completion_tokens: usage.completionTokens,
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      reasoning_tokens: usage.reasoningTokens,
      audio_prompt_tokens: usage.audioPromptTokens,
      audio_completion_tokens: usage.audioCompletionTokens,
      image_prompt_tokens: usage.imagePromptTokens,
      image_completion_tokens: usage.imageCompletionTokens,
      web_searches: usage.webSearches,
      units: usage.units,
    },
    price_version: view.priceId,
    price_markup_percent: markupPercent(view),
    cost_usd: formatUsd(view.chargedNanos),
    attempts: view.attempts.map(({ provider, model, status, error }) => ({
      provider,
      model,
      status: status === 0 ? null : status,
      error,
    })),
  };
}
