// Identifies the conversation that a call belongs to, so that its calls reach the provider that has their
// prompt in its cache.
import type { ParsedRequest } from "../protocol/pivot.ts";

/** What a conversation keeps as it continues: the beginning of its prompt. */
const prefixChars = 1_024;

/** What the caller groups together, or else the beginning of the prompt. */
export function conversationOf({ parsed, promptStart }: ParsedRequest): string {
  const { prompt_cache_key: cacheKey, session_id: sessionId, user } = parsed;
  const named = cacheKey ?? sessionId ?? user;
  if (typeof named === "string") return named;
  return promptStart().slice(0, prefixChars);
}
