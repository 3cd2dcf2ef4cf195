// Which reported usage may be billed: never more than the context of its model allows.

import type { UnitCount } from "@turnpike/terms";
import type { TokenUsage } from "@turnpike/wire";
import { promptMax } from "./bound-prompt.ts";
import type { ModelRequest } from "./model.ts";
import { cheaperVariant, dearestVariant } from "./operations/image-measures.ts";
import { measuresOf } from "./operations/measures.ts";

/** The same counts, images priced by the form they turned out to have, which costs no more than what was held. */
export function nameVariants(
  modelRequest: ModelRequest,
  counts: readonly UnitCount[],
): readonly UnitCount[] {
  if (modelRequest.operation !== "image") return counts;
  const { model, request } = modelRequest;
  const held = dearestVariant(model.price, request);
  return counts.map(({ unit, count, variant: said = "" }) => {
    const [quality, size] = said.includes("/") ? said.split("/") : [undefined, undefined];
    const found = dearestVariant(model.price, { quality, size });
    const variant = cheaperVariant(model.price, held, found);
    return { unit, count, ...(variant !== undefined && { variant }) };
  });
}

/** What a call may be billed for of a report: with the names of what its price list has, and within its bounds. */
export function fitUsage(
  modelRequest: ModelRequest,
  reported: TokenUsage,
): { readonly usage: TokenUsage; readonly isClamped: boolean } {
  const { units } = reported;
  const usage =
    units === undefined ? reported : { ...reported, units: nameVariants(modelRequest, units) };
  if (isPossibleUsage(modelRequest, usage)) return { usage, isClamped: false };
  return { usage: clampUsage(modelRequest, usage), isClamped: true };
}

/**
 * Whether `usage` fits the context of the model: neither the prompt nor any of the answers can be
 * longer, and an embeddings model reads each input separately and has no output.
 */
export function isPossibleUsage(modelRequest: ModelRequest, usage: TokenUsage): boolean {
  return (
    usage.promptTokens <= promptMax(modelRequest) &&
    usage.completionTokens <= completionMax(modelRequest) &&
    (usage.units === undefined || usage.units.every((counted) => isWithin(modelRequest, counted)))
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
  if (usage.units === undefined) return clamped;
  const units = usage.units.map((counted) => {
    return { ...counted, count: Math.min(counted.count, boundOf(modelRequest, counted)) };
  });
  return { ...clamped, units };
}

function completionMax(modelRequest: ModelRequest): number {
  return measuresOf(modelRequest).completionMax(modelRequest);
}

/** What a call is held for, of this unit. */
function boundOf(modelRequest: ModelRequest, { unit }: UnitCount): number {
  const { units } = measuresOf(modelRequest).extras(modelRequest);
  return units.find((bound) => bound.unit === unit)?.count ?? 0;
}

function isWithin(modelRequest: ModelRequest, counted: UnitCount): boolean {
  return counted.count <= boundOf(modelRequest, counted);
}

const promptParts = [
  "promptTokens",
  "cachedTokens",
  "cacheWriteTokens",
  "cacheWrite1hTokens",
  "audioPromptTokens",
  "cachedAudioPromptTokens",
  "imagePromptTokens",
] as const;
const completionParts = [
  "completionTokens",
  "reasoningTokens",
  "audioCompletionTokens",
  "imageCompletionTokens",
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
