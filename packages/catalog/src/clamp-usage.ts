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
 * within its bounds; units of which nothing was used are not reported, since the call was answered. Undefined where tokens are
 * billed and the report has no tokens.
 */
export function fitUsage(
  modelRequest: ModelRequest,
  route: Route,
  reported: TokenUsage,
): { readonly usage: TokenUsage; readonly isClamped: boolean } | undefined {
  const rates = agreedPrice(modelRequest, route);
  const units = reportedUnits(modelRequest, reported);
  const isChat = modelRequest.operation === "chat";
  if (!isChat && hasNoTokens(reported) && billsTokens(modelRequest, route)) return undefined;
  const missing = missingUnits(modelRequest, rates, units);
  const all = [...units, ...missing];
  const usage =
    all.length === 0 ? reported : { ...reported, units: nameVariants(modelRequest, route, all) };
  if (isPossibleUsage(modelRequest, usage)) return { usage, isClamped: false };
  return { usage: clampUsage(modelRequest, usage), isClamped: true };
}

/** Without those of which nothing was used, and none below what is billed at least. */
function reportedUnits(modelRequest: ModelRequest, { units = [] }: TokenUsage) {
  const least = measuresOf(modelRequest).leastUnits?.(modelRequest) ?? [];
  const leastOf = (unit: UnitCount["unit"]) => least.find((one) => one.unit === unit)?.count ?? 0;
  return units.flatMap((one): readonly UnitCount[] =>
    one.count > 0 ? [{ ...one, count: Math.max(one.count, leastOf(one.unit)) }] : [],
  );
}

function hasNoTokens({ promptTokens, completionTokens }: TokenUsage): boolean {
  return promptTokens === 0 && completionTokens === 0;
}

/** Whether a call costs something by the token, beside its units. */
export function billsTokens(modelRequest: ModelRequest, route: Route): boolean {
  const rates = agreedPrice(modelRequest, route);
  return rateKinds.some((kind) => billedRate(rates, kind) > 0n);
}

/** Which tokens a report leaves out that a call plainly took: of its prompt, or of its answer. */
export type OmittedTokens = { readonly prompt: boolean; readonly output: boolean };

const nothingOmitted: OmittedTokens = { prompt: false, output: false };

/** `hasOutput` says whether anything of the answer passed here: a chat without any may have been refused. */
export function omittedTokens(
  modelRequest: ModelRequest,
  route: Route,
  { promptTokens, completionTokens }: TokenUsage,
  hasOutput: boolean,
): OmittedTokens {
  if (promptTokens > 0 && completionTokens > 0) return nothingOmitted;
  if (!billsTokens(modelRequest, route)) return nothingOmitted;
  const isAnswered = hasOutput || modelRequest.operation !== "chat";
  const hasWritten = hasOutput || measuresOf(modelRequest).unreported === "bound";
  return {
    prompt: isAnswered && promptTokens === 0,
    output: hasWritten && completionTokens === 0,
  };
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
