// The usage a scripted answer reports: the true count, or one of the ways in which providers get it
// wrong. "Right" means prompt tokens by `countPromptTokens` and one completion token per delta.
import type { Script } from "./read-script.ts";

export type TokenCounts = { prompt: number; completion: number; reasoning: number; cached: number };

/** What to report, in order: nothing, one usage, or two of which the last is right. */
export function reportUsage(kind: Script["usage"], counts: TokenCounts): readonly unknown[] {
  if (typeof kind === "object") return [kind];
  const { prompt, completion } = counts;
  switch (kind ?? "right") {
    case "right":
      return [usageOf(counts)];
    case "missing":
      return [];
    case "null":
      return [null];
    case "zero":
      return [usageOf({ prompt: 0, completion: 0, reasoning: 0, cached: 0 })];
    case "negative":
      return [plainUsage(-prompt, -completion)];
    case "huge":
      return [plainUsage(1e18, 1e18)];
    case "float":
      return [plainUsage(prompt + 0.5, completion + 0.5)];
    case "string":
      return [plainUsage(String(prompt), String(completion))];
    case "twice":
      return [usageOf({ ...counts, completion: Math.floor(completion / 2) }), usageOf(counts)];
  }
}

function usageOf({ prompt, completion, reasoning, cached }: TokenCounts): unknown {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  };
}

function plainUsage(prompt: number | string, completion: number | string): unknown {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt };
}
