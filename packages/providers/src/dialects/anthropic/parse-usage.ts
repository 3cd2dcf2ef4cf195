// Reads the token counts of Anthropic's API that can be billed. `input_tokens` excludes cached and
// cache-written tokens there; for us they are parts of the prompt.
import { isObject, type JsonObject } from "@turnpike/base";
import type { TokenUsage } from "@turnpike/wire";
import { parseCount } from "../openai/parse-usage.ts";

/**
 * Undefined when a total is missing or cannot be billed. Source:
 * https://docs.claude.com/en/docs/build-with-claude/prompt-caching (tracking cache performance).
 */
export function parseAnthropicUsage(usage: unknown): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const input = parseCount(usage.input_tokens);
  const completionTokens = parseCount(usage.output_tokens);
  const cachedTokens = parseCount(usage.cache_read_input_tokens ?? 0);
  const cacheWriteTokens = parseCacheWrite(usage);
  if (input === undefined || completionTokens === undefined) return undefined;
  if (cachedTokens === undefined || cacheWriteTokens === undefined) return undefined;
  const promptTokens = parseCount(input + cachedTokens + cacheWriteTokens);
  if (promptTokens === undefined) return undefined;
  const details = isObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  const creation = isObject(usage.cache_creation) ? usage.cache_creation : {};
  const longWrites = parseCount(creation.ephemeral_1h_input_tokens ?? 0) ?? 0;
  const thinking = parseCount(details.thinking_tokens) ?? 0;
  return {
    promptTokens,
    completionTokens,
    cachedTokens,
    cacheWriteTokens,
    ...(longWrites > 0 && { cacheWrite1hTokens: Math.min(longWrites, cacheWriteTokens) }),
    reasoningTokens: Math.min(thinking, completionTokens),
  };
}

/** The total, or the sum over both lifetimes if only those are reported. */
function parseCacheWrite(usage: JsonObject): number | undefined {
  const total = usage.cache_creation_input_tokens ?? undefined;
  if (total !== undefined || !isObject(usage.cache_creation)) return parseCount(total ?? 0);
  const { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long } =
    usage.cache_creation;
  const [shortTokens, longTokens] = [parseCount(short ?? 0), parseCount(long ?? 0)];
  if (shortTokens === undefined || longTokens === undefined) return undefined;
  return parseCount(shortTokens + longTokens);
}

/** What is known after another report: later counts are totals, null ones change nothing. */
export function mergeUsage(known: JsonObject, reported: unknown): JsonObject {
  if (!isObject(reported)) return known;
  const merged = { ...known };
  for (const key in reported) if ((reported[key] ?? null) !== null) merged[key] = reported[key];
  return merged;
}
