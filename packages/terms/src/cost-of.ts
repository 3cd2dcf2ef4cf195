// What the tokens and other units of a call cost: for the hold, the bill, its lines and the calculator of the console. The same usage
// at the same rates always costs the same, with one rounding, and the lines of a bill sum to it exactly.
import { addTokens, costOfSum, type Nanos, type PricedSum } from "./amounts.ts";
import { type RateKind, type Rates, rateKinds } from "./rates.ts";
import { type UnitCount, type UnitRate, unitRateOf } from "./units.ts";

/**
 * What is billed of a call. Cached, cache-write and audio tokens are parts of the prompt: what an upstream reports
 * beyond the prompt itself is not charged. Reasoning tokens and those of a rejected prediction are parts of the
 * completion, at its price.
 */
export type BilledUsage = {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  /** The part of them that is kept for an hour and not for minutes, if an upstream reports it. */
  readonly cacheWrite1hTokens?: number;
  /** The parts of the prompt and of the completion that are audio. */
  readonly audioPromptTokens?: number;
  /** The cached part of the prompt's audio, if an upstream reports it. */
  readonly cachedAudioPromptTokens?: number;
  readonly audioCompletionTokens?: number;
  /** The parts of the prompt and of the completion that are images. */
  readonly imagePromptTokens?: number;
  readonly imageCompletionTokens?: number;
  /** Searches that the provider ran, billed per search. */
  readonly webSearches?: number;
  /** What is billed by other units. */
  readonly units?: readonly UnitCount[];
};

/** How much of a usage is billed at the rate of a kind. Every token counts as one kind. */
export function countOf(kind: RateKind, usage: BilledUsage): number {
  switch (kind) {
    case "cachedInput":
      return Math.min(usage.cachedTokens, usage.promptTokens);
    case "cacheWrite":
      return writtenToCache(usage) - countOf("cacheWrite1h", usage);
    case "cacheWrite1h":
      return Math.min(usage.cacheWrite1hTokens ?? 0, writtenToCache(usage));
    case "audioInput":
      return freshAudio(usage);
    case "imageInput":
      return Math.min(usage.imagePromptTokens ?? 0, uncached(usage) - freshAudio(usage));
    case "input":
      return uncached(usage) - freshAudio(usage) - countOf("imageInput", usage);
    case "imageOutput":
      return Math.min(
        usage.imageCompletionTokens ?? 0,
        usage.completionTokens - countOf("audioOutput", usage),
      );
    case "audioOutput":
      return Math.min(usage.audioCompletionTokens ?? 0, usage.completionTokens);
    case "output":
      return usage.completionTokens - countOf("audioOutput", usage) - countOf("imageOutput", usage);
    case "webSearch":
      return usage.webSearches ?? 0;
  }
}

function writtenToCache(usage: BilledUsage): number {
  return Math.min(usage.cacheWriteTokens, usage.promptTokens - countOf("cachedInput", usage));
}

function uncached(usage: BilledUsage): number {
  return usage.promptTokens - countOf("cachedInput", usage) - writtenToCache(usage);
}

/**
 * What is cached is billed as cached, audio or not; if an upstream does not say which part of the audio was cached,
 * as much as possible was.
 */
function freshAudio(usage: BilledUsage): number {
  const { audioPromptTokens: audio } = usage;
  if (audio === undefined) return 0;
  const fresh = uncached(usage);
  const cached = usage.cachedAudioPromptTokens ?? usage.promptTokens - fresh;
  return Math.min(Math.max(0, audio - cached), fresh);
}

/** What a million of a kind are billed at: what has no rate of its own costs what text costs, and a search nothing. */
export function billedRate(rates: Rates, kind: RateKind): bigint {
  switch (kind) {
    case "input":
      return rates.inputNanosPerMillion;
    case "cachedInput":
      return rates.cachedInputNanosPerMillion;
    case "cacheWrite":
      return rates.cacheWriteNanosPerMillion;
    case "cacheWrite1h":
      return rates.cacheWrite1hNanosPerMillion ?? rates.cacheWriteNanosPerMillion;
    case "imageInput":
      return rates.imageInputNanosPerMillion ?? rates.inputNanosPerMillion;
    case "imageOutput":
      return rates.imageOutputNanosPerMillion ?? rates.outputNanosPerMillion;
    case "audioInput":
      return rates.audioInputNanosPerMillion ?? rates.inputNanosPerMillion;
    case "output":
      return rates.outputNanosPerMillion;
    case "audioOutput":
      return rates.audioOutputNanosPerMillion ?? rates.outputNanosPerMillion;
    case "webSearch":
      return rates.webSearchNanosPerMillion ?? 0n;
  }
}

/**
 * What a million of a unit are billed at. A variant without a price was refused before it was asked for; if an upstream
 * reports one all the same, it costs what the dearest does.
 */
export function billedUnitRate(
  { units: rates = [] }: Pick<Rates, "units">,
  counted: Pick<UnitCount, "unit" | "variant">,
): bigint {
  return unitRateOf(rates, counted) ?? dearestOf(rates, counted.unit);
}

function dearestOf(rates: readonly UnitRate[], unit: UnitCount["unit"]): bigint {
  let dearest = 0n;
  for (const rate of rates) {
    if (rate.unit === unit && rate.nanosPerMillion > dearest) dearest = rate.nanosPerMillion;
  }
  return dearest;
}

export function costOf(rates: Rates, usage: BilledUsage): Nanos {
  let sum: PricedSum = 0;
  for (const kind of rateKinds) {
    sum = addTokens(sum, countOf(kind, usage), billedRate(rates, kind));
  }
  return costOfSum(addUnits(sum, rates, usage.units));
}

/** `sum` and the price of these units. */
export function addUnits(
  sum: PricedSum,
  rates: Rates,
  counts: readonly UnitCount[] = [],
): PricedSum {
  let total = sum;
  for (const counted of counts) {
    total = addTokens(total, counted.count, billedUnitRate(rates, counted));
  }
  return total;
}
