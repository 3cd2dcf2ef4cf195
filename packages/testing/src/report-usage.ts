// The usage a scripted answer reports: the true count, or one of the ways in which providers get it
// wrong. "Right" means prompt tokens by `countPromptTokens` and one completion token per delta.
import type { Script } from "./parse-script.ts";

/** How an API writes its counts. */
export type UsageShape = {
  readonly of: (counts: TokenCounts) => unknown;
  /** Only totals, which may be of any type. */
  readonly plain: (prompt: number | string, completion: number | string) => unknown;
};

export type TokenCounts = {
  prompt: number;
  completion: number;
  reasoning: number;
  cached: number;
  /** The field in which an API reports what was written to a cache, and for which lifetime. */
  cacheWrite?: number;
  cacheWrite1h?: number;
};

/** What to report, in order: nothing, one usage, or two of which the last is right. */
export function reportUsage(
  kind: Script["usage"],
  counts: TokenCounts,
  shape: UsageShape,
): readonly unknown[] {
  if (typeof kind === "object") return [kind];
  const { prompt, completion } = counts;
  switch (kind ?? "right") {
    case "right":
      return [shape.of(counts)];
    case "missing":
      return [];
    case "null":
      return [null];
    case "zero":
      return [shape.of({ prompt: 0, completion: 0, reasoning: 0, cached: 0 })];
    case "negative":
      return [shape.plain(-prompt, -completion)];
    case "huge":
      return [shape.plain(1e18, 1e18)];
    case "float":
      return [shape.plain(prompt + 0.5, completion + 0.5)];
    case "string":
      return [shape.plain(String(prompt), String(completion))];
    case "twice":
      return [shape.of({ ...counts, completion: Math.floor(completion / 2) }), shape.of(counts)];
  }
}

export const openaiUsage: UsageShape = {
  of: ({ prompt, completion, reasoning, cached }) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  }),
  plain: (prompt, completion) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt,
  }),
};
