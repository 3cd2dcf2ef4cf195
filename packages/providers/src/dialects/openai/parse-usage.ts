// Reads the token counts of an upstream that can be billed: integers from 0 to a cap. Anything else
// means "no usage", never a guess. Parts of a sum never exceed the sum.

import { isObject, type JsonObject, parseText } from "@turnpike/base";
import type { ChatRequest, TokenUsage } from "@turnpike/wire";
import type { OpenaiQuirks } from "./quirks.ts";

/** No context is longer, so a larger count is read as this one: more than any call can have used. */
const maxTokens = 10_000_000;

/** A count that can be billed; undefined for anything else. */
export function parseCount(value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) return undefined;
  return Math.min(value, maxTokens);
}

/**
 * The output of an answer whose thinking may be counted in `reported` or apart from it: what `total` leaves for it,
 * or without a total, as the upstream is known to count.
 */
export function outputOf(
  reported: number,
  thinking: number,
  input: number,
  total: unknown,
  isApart: boolean,
): number {
  const most = reported + thinking;
  // A total of zero is omitted or a placeholder.
  const counted = parseCount(total) || undefined;
  const output = counted === undefined ? (isApart ? most : reported) : counted - input;
  return Math.min(Math.max(output, reported), most, maxTokens);
}

const noDetails: JsonObject = {};

/**
 * Reads a `usage` object in OpenAI's shape or one of its known variants; undefined when it is
 * missing or its totals cannot be billed. An explicit 0 is a count like any other.
 */
export function parseUsage(usage: unknown, quirks: OpenaiQuirks): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const promptTokens = parseCount(usage.prompt_tokens);
  const reported = parseCount(usage.completion_tokens);
  if (promptTokens === undefined || reported === undefined) return undefined;

  const prompt: JsonObject = isObject(usage.prompt_tokens_details)
    ? usage.prompt_tokens_details
    : noDetails;
  const completion: JsonObject = isObject(usage.completion_tokens_details)
    ? usage.completion_tokens_details
    : noDetails;
  const cached =
    parseCount(prompt.cached_tokens) ??
    parseCount(usage.prompt_cache_hit_tokens) ??
    parseCount(usage.num_cached_tokens) ??
    parseCount(usage.cached_tokens) ??
    0;
  const cacheWrite =
    parseCount(prompt.cache_write_tokens) ?? parseCount(usage.cache_creation_input_tokens) ?? 0;
  const reasoning =
    parseCount(completion.reasoning_tokens) ?? parseCount(usage.reasoning_tokens) ?? 0;
  const isApart = quirks.reasoningTokens === "apart";
  const { total_tokens: total } = usage;
  const completionTokens = outputOf(reported, reasoning, promptTokens, total, isApart);
  const cachedTokens = Math.min(cached, promptTokens);
  const counts: TokenUsage = {
    promptTokens,
    completionTokens,
    cachedTokens,
    cacheWriteTokens: Math.min(cacheWrite, promptTokens - cachedTokens),
    reasoningTokens: Math.min(reasoning, completionTokens),
  };
  return addExtras(counts, prompt, completion);
}

/** Counts that most answers report as 0, or not at all. */
function addExtras(usage: TokenUsage, prompt: JsonObject, completion: JsonObject): TokenUsage {
  const { promptTokens, completionTokens } = usage;
  const audioIn = parseCount(prompt.audio_tokens) ?? 0;
  const audioOut = parseCount(completion.audio_tokens) ?? 0;
  const accepted = parseCount(completion.accepted_prediction_tokens) ?? 0;
  const rejected = parseCount(completion.rejected_prediction_tokens) ?? 0;
  const imageOut = parseCount(completion.image_tokens) ?? 0;
  if (audioIn + audioOut + imageOut + accepted + rejected === 0) return usage;
  return {
    ...usage,
    ...(audioIn > 0 && { audioPromptTokens: Math.min(audioIn, promptTokens) }),
    ...(audioOut > 0 && { audioCompletionTokens: Math.min(audioOut, completionTokens) }),
    ...(imageOut > 0 && { imageCompletionTokens: Math.min(imageOut, completionTokens) }),
    ...(accepted > 0 && { acceptedPredictionTokens: Math.min(accepted, completionTokens) }),
    ...(rejected > 0 && { rejectedPredictionTokens: Math.min(rejected, completionTokens) }),
  };
}

/**
 * `usage` with the service tier that answered, for a call that asks for one, because it decides the
 * price.
 */
export function withServiceTier(
  usage: TokenUsage | undefined,
  { serviceTier }: ChatRequest,
  reported: unknown,
): TokenUsage | undefined {
  const name = serviceTier === undefined ? undefined : parseText(reported);
  return usage === undefined || name === undefined ? usage : { ...usage, serviceTier: name };
}

/**
 * `usage` with its searches, for a call that asks for them. Only search models take such calls, and they search
 * for every answer, whether it cites a page or not. Source: OpenAI's guide to web search with chat completions.
 */
export function withSearches(
  usage: TokenUsage | undefined,
  { extras }: ChatRequest,
  answers: number,
): TokenUsage | undefined {
  if (usage === undefined || extras === undefined || extras.searches === 0) return usage;
  return { ...usage, webSearches: extras.searches * answers };
}
