// Reads Gemini's token counts as what can be billed: thoughts are output, results of Google's own tools are
// input, and cached tokens are part of the prompt. Some services count thoughts among the candidates, which only the
// total shows. Counts that cannot be billed mean "no usage", never a guess.
import { isObject, type JsonObject } from "@turnpike/base";
import type { TokenUsage } from "@turnpike/wire";
import { outputOf, parseCount } from "../openai/parse-usage.ts";

/** `usageMetadata` of an answer; undefined when it is missing or one of its counts cannot be billed. */
export function parseUsage(usage: unknown): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const prompt = parseCount(usage.promptTokenCount);
  // As in all JSON of protocol buffers, a count of zero is omitted.
  const toolUse = parseCount(usage.toolUsePromptTokenCount ?? 0);
  const candidates = parseCount(usage.candidatesTokenCount ?? 0);
  const thoughts = parseCount(usage.thoughtsTokenCount ?? 0);
  if (prompt === undefined || toolUse === undefined) return undefined;
  if (candidates === undefined || thoughts === undefined) return undefined;
  const promptTokens = parseCount(prompt + toolUse);
  if (promptTokens === undefined) return undefined;
  const { totalTokenCount: total } = usage;
  const completionTokens = outputOf(candidates, thoughts, promptTokens, total, true);
  const counts: TokenUsage = {
    promptTokens,
    completionTokens,
    cachedTokens: Math.min(parseCount(usage.cachedContentTokenCount) ?? 0, promptTokens),
    cacheWriteTokens: 0,
    reasoningTokens: Math.min(thoughts, completionTokens),
  };
  return addAudio(addImages(counts, usage), usage);
}

/** With the images of the answer. */
function addImages(counts: TokenUsage, usage: JsonObject): TokenUsage {
  const tokens = countModality(usage.candidatesTokensDetails, "IMAGE") ?? 0;
  if (tokens === 0) return counts;
  return { ...counts, imageCompletionTokens: Math.min(tokens, counts.completionTokens) };
}

/** With the audio of the prompt, and the cached part of it if `cacheTokensDetails` reports it. */
function addAudio(counts: TokenUsage, usage: JsonObject): TokenUsage {
  const tokens = Math.min(
    countModality(usage.promptTokensDetails, "AUDIO") ?? 0,
    counts.promptTokens,
  );
  if (tokens === 0) return counts;
  const cached = countModality(usage.cacheTokensDetails, "AUDIO");
  return {
    ...counts,
    audioPromptTokens: tokens,
    ...(cached !== undefined && { cachedAudioPromptTokens: Math.min(cached, tokens) }),
  };
}

/** Undefined without a list of modalities. Source: `ModalityTokenCount` of Google's API. */
export function countModality(details: unknown, modality: "AUDIO" | "IMAGE"): number | undefined {
  if (!Array.isArray(details)) return undefined;
  let tokens = 0;
  for (const part of details) {
    if (isObject(part) && part.modality === modality) tokens += parseCount(part.tokenCount) ?? 0;
  }
  return tokens;
}
