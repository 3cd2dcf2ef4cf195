// Which reported usage may be billed: never more than the context of its model allows.

import { billedRate, type Rates, rateKinds, type UnitCount } from "@turnpike/terms";
import type { TokenUsage } from "@turnpike/wire";
import { agreedPrice } from "./agreed-price.ts";
import { promptMax } from "./bound-prompt.ts";
import type { ModelRequest, Route } from "./model.ts";
import { countsOf } from "./operations/bound-unit.ts";
import { billedVariant } from "./operations/image-measures.ts";
import { measuresOf } from "./operations/measures.ts";
import { formOf } from "./operations/price-variants.ts";

/** The same counts, images with the name of the entry that they are billed by at a route. */
export function nameVariants(
  modelRequest: ModelRequest,
  route: Route,
  counts: readonly UnitCount[],
): readonly UnitCount[] {
  if (modelRequest.operation !== "image") return counts;
  const rates = agreedPrice(modelRequest, route);
  return counts.map(({ unit, count, variant: said = "" }) => {
    const variant = billedVariant(modelRequest, rates, formOf(said));
    return { unit, count, ...(variant !== undefined && { variant }) };
  });
}

/**
 * What a call may be billed for of a report: with what has a price and was not reported, by the names of the price list, and
 * within its bounds. Undefined for a report of units alone where tokens are billed: it says nothing of those.
 */
export function fitUsage(
  modelRequest: ModelRequest,
  route: Route,
  reported: TokenUsage,
): { readonly usage: TokenUsage; readonly isClamped: boolean } | undefined {
  const rates = agreedPrice(modelRequest, route);
  const { units = [] } = reported;
  if (units.length > 0 && hasNoTokens(reported) && billsTokens(modelRequest, rates)) {
    return undefined;
  }
  const missing = missingUnits(modelRequest, rates, units);
  const all = [...units, ...missing];
  const usage =
    all.length === 0 ? reported : { ...reported, units: nameVariants(modelRequest, route, all) };
  if (isPossibleUsage(modelRequest, usage)) return { usage, isClamped: false };
  return { usage: clampUsage(modelRequest, usage), isClamped: true };
}

function hasNoTokens({ promptTokens, completionTokens }: TokenUsage): boolean {
  return promptTokens === 0 && completionTokens === 0;
}

/** Whether a call of this operation costs something by the token, beside its units. */
function billsTokens({ operation }: ModelRequest, rates: Rates): boolean {
  if (operation === "chat") return true;
  return rateKinds.some((kind) => billedRate(rates, kind) > 0n);
}

/** Our own count of what has a price and is in no report. */
function missingUnits(
  modelRequest: ModelRequest,
  { units: priced = [] }: Rates,
  reported: readonly UnitCount[],
): readonly UnitCount[] {
  if (priced.length === 0) return [];
  const counted = usualUnits(modelRequest, { tokens: 0, isWhole: true });
  return counted.filter(
    ({ unit }) =>
      priced.some((rate) => rate.unit === unit) && !reported.some((one) => one.unit === unit),
  );
}

/** The units of an answer that reports none. */
export function usualUnits(
  modelRequest: ModelRequest,
  delivered: { readonly tokens: number; readonly isWhole: boolean },
): readonly UnitCount[] {
  const measures = measuresOf(modelRequest);
  const own = measures.deliveredUnits?.(modelRequest, delivered);
  return own ?? countsOf(measures.extras(modelRequest).units);
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
