// What a provider may write to its prompt cache for a request, and charge for: this decides which of the prices
// of a cache can be on a bill.
import { type ChatRequest, chatLanguage, messagesLanguage } from "@turnpike/wire";
import { dialectOf } from "./dialects/dialect-of.ts";
import type { Target } from "./provider.ts";

/** `short` for minutes, `long` for up to an hour. */
export type CacheWrites = "none" | "short" | "long";

/**
 * Anthropic caches what the caller marks and nothing else. Others cache as they like, and for minutes: marks
 * change that only where they reach a provider that knows them.
 */
export function cacheWritesOf({ provider }: Target, request: ChatRequest): CacheWrites {
  const { language } = dialectOf({ provider, request });
  const isAnthropic = language === messagesLanguage;
  // A translation leaves marks out, except for services that speak OpenRouter's superset.
  const knowsMarks =
    language === chatLanguage &&
    provider.kind === "openai-compatible" &&
    provider.quirks.controlFields === "obeys";
  const arePassed = isAnthropic || knowsMarks || language === request.language;
  const isLong = request.priceChanging.some(({ kind }) => kind === "long_cache");
  if (arePassed && isLong) return "long";
  return isAnthropic && !request.hasCacheMarks ? "none" : "short";
}
