// One completed request as `/v1/generation` shows it: OpenRouter's fields, and ours that answer
// "what did I pay, at which price, and what was tried".
import {
  formatUsd,
  type Nanos,
  type Operation,
  operationTable,
  toUsdNumber,
} from "@turnpike/terms";
import type { TokenUsage } from "../protocol/pivot.ts";

export type GenerationAttempt = {
  readonly provider: string;
  readonly model: string;
  /** HTTP status of the upstream; 0 if there was none. */
  readonly status: number;
  readonly firstByteMs: number | null;
  readonly error: string | null;
  /** Since the call was received; undefined for calls of earlier versions. */
  readonly startedMs?: number | undefined;
  /** Until the first byte or the failure; undefined for calls of earlier versions. */
  readonly waitedMs?: number | undefined;
};

export type GenerationView = {
  /** `gen-…` */
  readonly id: string;
  /** `chatcmpl-…`, the id of the answer's body. */
  readonly chatId: string;
  /** `req_…`, the `x-request-id` of the answer. */
  readonly requestId: string;
  readonly model: string;
  readonly provider: string;
  readonly upstreamId: string | null;
  readonly createdAt: Date;
  readonly origin: string;
  readonly operation: Operation;
  readonly userAgent: string | null;
  readonly app: string | null;
  /** Whom the application called for. */
  readonly endUser: string | null;
  /** `open`, `settled`, `released`, `expired`, `late_settled` or `refused`. */
  readonly state: string;
  readonly outcome: string;
  readonly errorCode: string | null;
  readonly streamed: boolean;
  /** The caller disconnected before the end. */
  readonly cancelled: boolean;
  readonly finishReason: string | null;
  readonly nativeFinishReason: string | null;
  readonly usage: TokenUsage;
  /** The tier it was billed at, for a call that asked for one. */
  readonly serviceTier: string | null;
  /** The fields of the request that the provider was asked without. */
  readonly ignored: readonly string[];
  /** `gen-…` of the call that was charged, for an answer from the response cache. */
  readonly cachedFrom: string | null;
  /** `upstream` as reported, `counted` by us, `none`. */
  readonly usageSource: string;
  /** What the account was charged. */
  readonly chargedNanos: Nanos;
  readonly heldNanos: Nanos;
  readonly priceId: string | null;
  /** What the account paid beside that price, in hundredths of a percent. */
  readonly markupBasisPoints: number | null;
  readonly firstByteMs: number | null;
  readonly overheadMs: number | null;
  readonly totalMs: number | null;
  readonly attempts: readonly GenerationAttempt[];
};

/**
 * Source: OpenRouter's `GET /generation`. Times are milliseconds, `total_cost` and `usage` USD as
 * JSON numbers.
 */
export function generationBody(view: GenerationView): Record<string, unknown> {
  return { data: { ...openRouterFields(view), ...ownFields(view) } };
}

function openRouterFields(view: GenerationView): Record<string, unknown> {
  const { usage, firstByteMs, totalMs } = view;
  const generationMs =
    totalMs === null || firstByteMs === null ? null : Math.max(totalMs - firstByteMs, 0);
  return {
    id: view.id,
    upstream_id: view.upstreamId,
    request_id: view.requestId,
    model: view.model,
    created_at: view.createdAt.toISOString(),
    provider_name: view.provider === "" ? null : view.provider,
    provider_responses: view.attempts.map((attempt) => ({
      provider_name: attempt.provider,
      model_permaslug: attempt.model,
      status: attempt.status === 0 ? null : attempt.status,
      latency: attempt.firstByteMs,
      is_byok: false,
    })),
    total_cost: toUsdNumber(view.chargedNanos),
    usage: toUsdNumber(view.chargedNanos),
    upstream_inference_cost: null,
    cache_discount: null,
    is_byok: false,
    tokens_prompt: usage.promptTokens,
    tokens_completion: usage.completionTokens,
    native_tokens_prompt: usage.promptTokens,
    native_tokens_completion: usage.completionTokens,
    native_tokens_reasoning: usage.reasoningTokens,
    native_tokens_cached: usage.cachedTokens,
    native_tokens_completion_images: usage.imageCompletionTokens ?? null,
    num_media_prompt: null,
    num_media_completion: null,
    num_input_audio_prompt: null,
    num_search_results: null,
    num_fetches: null,
    web_search_engine: null,
    latency: totalMs,
    generation_time: generationMs,
    moderation_latency: null,
    streamed: view.streamed,
    cancelled: view.cancelled,
    finish_reason: view.finishReason,
    native_finish_reason: view.nativeFinishReason,
    origin: view.origin,
    user_agent: view.userAgent,
    http_referer: null,
    app_id: null,
    external_user: view.endUser,
    session_id: null,
    workspace_id: null,
    preset_id: null,
    data_region: "global",
    api_type: operationTable[view.operation].apiType,
    router: null,
    service_tier: view.serviceTier,
  };
}

/** What only few calls have. */
function extraCounts(usage: TokenUsage): Record<string, unknown> {
  const { audioPromptTokens: audioIn, audioCompletionTokens: audioOut, webSearches } = usage;
  const { acceptedPredictionTokens: accepted, rejectedPredictionTokens: rejected } = usage;
  return {
    ...(audioIn !== undefined && { native_tokens_audio_prompt: audioIn }),
    ...(audioOut !== undefined && { native_tokens_audio_completion: audioOut }),
    ...(accepted !== undefined && { native_tokens_accepted_prediction: accepted }),
    ...(usage.imagePromptTokens !== undefined && {
      native_tokens_image_prompt: usage.imagePromptTokens,
    }),
    ...(usage.units !== undefined && { units: usage.units }),
    ...(rejected !== undefined && { native_tokens_rejected_prediction: rejected }),
    ...(webSearches !== undefined && { num_web_searches: webSearches }),
  };
}

/** -12.5 is a discount of an eighth; null is the list price. */
export function markupPercent({ markupBasisPoints }: GenerationView): number | null {
  return markupBasisPoints === null ? null : markupBasisPoints / 100;
}

function ownFields(view: GenerationView): Record<string, unknown> {
  return {
    chat_id: view.chatId,
    response_cache_source_id: view.cachedFrom,
    ignored_parameters: view.ignored,
    state: view.state,
    outcome: view.outcome,
    app: view.app,
    error_code: view.errorCode,
    usage_source: view.usageSource,
    native_tokens_cache_write: view.usage.cacheWriteTokens,
    ...extraCounts(view.usage),
    cost_usd: formatUsd(view.chargedNanos),
    held_usd: formatUsd(view.heldNanos),
    price_version: view.priceId,
    price_markup_percent: markupPercent(view),
    first_byte_ms: view.firstByteMs,
    overhead_ms: view.overheadMs,
    attempts: view.attempts.map((attempt) => ({
      provider: attempt.provider,
      model: attempt.model,
      status: attempt.status,
      first_byte_ms: attempt.firstByteMs,
      error: attempt.error,
      started_ms: attempt.startedMs ?? null,
      waited_ms: attempt.waitedMs ?? null,
    })),
  };
}
