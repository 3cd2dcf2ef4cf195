// Reads Gemini's token counts as what can be billed: thoughts are output, results of Google's own tools are
// input, and cached tokens are a part of the prompt. What cannot be billed means "no usage", never a guess.
import { isObject } from "@turnpike/base";
import type { TokenUsage } from "@turnpike/wire";
import { readCount } from "../openai/read-usage.ts";

/** `usageMetadata` of an answer; undefined when it is missing or one of its counts cannot be billed. */
export function readUsage(usage: unknown): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const prompt = readCount(usage.promptTokenCount);
  // As in all JSON of protocol buffers, a count of zero is left out.
  const toolUse = readCount(usage.toolUsePromptTokenCount ?? 0);
  const candidates = readCount(usage.candidatesTokenCount ?? 0);
  const thoughts = readCount(usage.thoughtsTokenCount ?? 0);
  if (prompt === undefined || toolUse === undefined) return undefined;
  if (candidates === undefined || thoughts === undefined) return undefined;
  const promptTokens = readCount(prompt + toolUse);
  const completionTokens = readCount(candidates + thoughts);
  if (promptTokens === undefined || completionTokens === undefined) return undefined;
  return {
    promptTokens,
    completionTokens,
    cachedTokens: Math.min(readCount(usage.cachedContentTokenCount) ?? 0, promptTokens),
    cacheWriteTokens: 0,
    reasoningTokens: thoughts,
    ...readAudio(usage.promptTokensDetails, promptTokens),
  };
}

/** Source: `ModalityTokenCount` of Google's API. */
function readAudio(details: unknown, most: number): Pick<TokenUsage, "audioPromptTokens"> {
  if (!Array.isArray(details)) return {};
  let tokens = 0;
  for (const part of details) {
    if (isObject(part) && part.modality === "AUDIO") tokens += readCount(part.tokenCount) ?? 0;
  }
  return tokens === 0 ? {} : { audioPromptTokens: Math.min(tokens, most) };
}
