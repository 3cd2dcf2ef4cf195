// Which reported usage may be billed: never more than the context of its model allows.

import type { TokenUsage } from "@turnpike/wire";
import { promptMax } from "./bound-prompt.ts";
import type { ModelRequest } from "./model.ts";

/**
 * Whether `usage` fits the context of the model: neither the prompt nor any of the answers can be
 * longer, and an embeddings model reads each input separately and has no output.
 */
export function isPossibleUsage(modelRequest: ModelRequest, usage: TokenUsage): boolean {
  return (
    usage.promptTokens <= promptMax(modelRequest) &&
    usage.completionTokens <= completionMax(modelRequest)
  );
}

/**
 * The part of `usage` that the context of the model allows. A report beyond it is billed by this, and never
 * by a count of ours that may be lower: the context in the catalog may be what is wrong.
 */
export function clampUsage(modelRequest: ModelRequest, usage: TokenUsage): TokenUsage {
  const clamped = { ...usage };
  clamp(clamped, promptParts, promptMax(modelRequest));
  clamp(clamped, completionParts, completionMax(modelRequest));
  return clamped;
}

function completionMax(modelRequest: ModelRequest): number {
  if (modelRequest.operation === "embeddings") return 0;
  return modelRequest.model.contextTokens * modelRequest.request.choices;
}

const promptParts = [
  "promptTokens",
  "cachedTokens",
  "cacheWriteTokens",
  "cacheWrite1hTokens",
  "audioPromptTokens",
  "cachedAudioPromptTokens",
] as const;
const completionParts = [
  "completionTokens",
  "reasoningTokens",
  "audioCompletionTokens",
  "acceptedPredictionTokens",
  "rejectedPredictionTokens",
] as const;

type Counts = { -readonly [Name in keyof TokenUsage]: TokenUsage[Name] };
type CountName = (typeof promptParts)[number] | (typeof completionParts)[number];

function clamp(usage: Counts, names: readonly CountName[], most: number): void {
  for (const name of names) {
    const count = usage[name];
    if (count !== undefined && count > most) usage[name] = most;
  }
}
