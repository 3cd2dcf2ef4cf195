// The fields of the cost calculator: those that the model has a price for, and the usage that is meant by what is typed.
// What is part of the input or the output is typed as such and never exceeds it.
import {
  type BilledUsage,
  type RateKind,
  rateKinds,
  type StatedPrices,
  type Unit,
  type UsdRates,
  unitNames,
} from "@turnpike/terms";
import type { Answers } from "../../lib/api.ts";
import { tokenPriceOf } from "../../product/prices/shown-prices.ts";

type Detail = Answers["models"]["detail"];
export type PricedModel = StatedPrices & Pick<Detail, "operation" | "serviceTiers">;
export type Counted = RateKind | Unit;
export type Typed = Record<Counted, string> & {
  /** Of what is billed by such as its size. */
  readonly variants: Partial<Record<Unit, string>>;
};

export const fieldLabels = {
  input: "Input tokens",
  imageInput: "Image input tokens",
  audioInput: "Audio input tokens",
  cachedInput: "Cached input tokens",
  cacheWrite: "Cache write tokens",
  cacheWrite1h: "Cache write tokens, 1 hour",
  output: "Output tokens",
  imageOutput: "Image output tokens",
  audioOutput: "Audio output tokens",
  webSearch: "Web searches",
  images: "Images",
  audioMilliseconds: "Seconds of audio",
  characters: "Characters",
  searchUnits: "Search units",
} as const satisfies Record<Counted, string>;

/** How many parts that are counted one typed unit has. */
const partsTyped: Readonly<Partial<Record<Unit, number>>> = { audioMilliseconds: 1_000 };

/** What a usual request has, of what the model is billed by. */
const usual: Readonly<Partial<Record<Counted, string>>> = {
  input: "1000",
  output: "500",
  images: "1",
  audioMilliseconds: "60",
  characters: "1000",
  searchUnits: "1",
};

/** The cast is safe because every kind and unit gets a text. */
export function initialUsage(model: PricedModel): Typed {
  const fields = fieldsOf(model);
  const texts = [...rateKinds, ...unitNames].map((field) => {
    return [field, fields.includes(field) ? (usual[field] ?? "0") : "0"];
  });
  const variants = unitNames.map((unit) => [unit, variantsOf(model, unit)[0]]);
  return { ...Object.fromEntries(texts), variants: Object.fromEntries(variants) } as Typed;
}

/** What the model is billed by, tokens first. */
export function fieldsOf(model: PricedModel): readonly Counted[] {
  const lists = listsOf(model);
  const { operation } = model;
  const kinds = rateKinds.filter((kind) => {
    // What is written to a cache for minutes costs what other input does, unless the catalog says more.
    const own = lists.filter(
      (list) => kind !== "cacheWrite" || list.cacheWriteUsd !== list.inputUsd,
    );
    return own.some((prices) => tokenPriceOf({ operation, prices }, kind) !== undefined);
  });
  const billed = unitNames.filter((name) =>
    lists.some(({ units = [] }) => units.some(({ unit }) => unit === name)),
  );
  return [...kinds, ...billed];
}

/** The forms of a unit that have prices of their own. */
export function variantsOf(model: PricedModel, of: Unit): readonly string[] {
  const variants = listsOf(model).flatMap(({ units = [] }) =>
    units.flatMap(({ unit, variant }) => (unit === of && variant !== undefined ? [variant] : [])),
  );
  return [...new Set(variants)];
}

function listsOf(model: PricedModel): readonly UsdRates[] {
  return [model, ...model.serviceTiers].flatMap(({ prices, longPrompts = [] }) => [
    prices,
    ...longPrompts.map((long) => long.prices),
  ]);
}

const partsOfInput = [
  "imageInput",
  "audioInput",
  "cachedInput",
  "cacheWrite",
  "cacheWrite1h",
] as const;

/** `fields` are those that can be typed. */
export function checkUsage(
  typed: Typed,
  fields: readonly Counted[],
): Partial<Record<Counted, string>> {
  const errors: Partial<Record<Counted, string>> = {};
  const mostOf = (kind: "input" | "output") =>
    (fields.includes(kind) ? parseCount(typed[kind]) : undefined) ?? Number.POSITIVE_INFINITY;
  let parts = 0;
  for (const field of fields) {
    if (parseCount(typed[field]) === undefined) errors[field] = "Enter a whole number.";
  }
  const input = mostOf("input");
  for (const kind of partsOfInput) {
    const before = parts;
    parts += countOf(typed[kind]);
    if (before > input || parts <= input) continue;
    errors[kind] = before === 0 ? "Can't exceed input tokens." : "The parts exceed input tokens.";
  }
  const output = mostOf("output");
  if (countOf(typed.audioOutput) > output) errors.audioOutput = "Can't exceed output tokens.";
  if (countOf(typed.imageOutput) > output) errors.imageOutput = "Can't exceed output tokens.";
  return errors;
}

export function usageOf(typed: Typed): BilledUsage {
  const cacheWrite1hTokens = countOf(typed.cacheWrite1h);
  const input = partsOfInput.reduce((sum, kind) => sum + countOf(typed[kind]), 0);
  const output = countOf(typed.audioOutput) + countOf(typed.imageOutput);
  return {
    // A model may be billed by parts of its input or output only.
    promptTokens: Math.max(countOf(typed.input), input),
    cachedTokens: countOf(typed.cachedInput),
    cacheWriteTokens: countOf(typed.cacheWrite) + cacheWrite1hTokens,
    cacheWrite1hTokens,
    audioPromptTokens: countOf(typed.audioInput),
    // What is typed as cached or written is no audio.
    cachedAudioPromptTokens: 0,
    completionTokens: Math.max(countOf(typed.output), output),
    audioCompletionTokens: countOf(typed.audioOutput),
    imagePromptTokens: countOf(typed.imageInput),
    imageCompletionTokens: countOf(typed.imageOutput),
    webSearches: countOf(typed.webSearch),
    units: unitNames.flatMap((unit) => {
      const count = countOf(typed[unit]) * (partsTyped[unit] ?? 1);
      return count === 0 ? [] : [{ unit, variant: typed.variants[unit], count }];
    }),
  };
}

function countOf(text: string): number {
  return parseCount(text) ?? 0;
}

/** `1,000`, `1 000` and `1000`; undefined for everything else. */
function parseCount(text: string): number | undefined {
  const digits = text.replace(/[,\s]/g, "");
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}
