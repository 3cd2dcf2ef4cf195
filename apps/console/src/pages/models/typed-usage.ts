// The fields of the cost calculator: those that the model has a price for, and the usage that is meant by what is typed.
// What is part of the input or the output is typed as such and never exceeds it.
import { type BilledUsage, type RateKind, rateKinds, type StatedPrices } from "@turnpike/terms";
import type { Answers } from "../../lib/api.ts";
import { hasOutput } from "./model-query.ts";

type Detail = Answers["models"]["detail"];
export type PricedModel = StatedPrices & Pick<Detail, "operation" | "serviceTiers">;
export type Typed = Record<RateKind, string>;

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
} as const satisfies Record<RateKind, string>;

export function initialUsage(model: PricedModel): Typed {
  const none = Object.fromEntries(rateKinds.map((kind) => [kind, "0"])) as Typed;
  const output = hasOutput(model) ? "500" : "0";
  return { ...none, input: "1000", output };
}

/** A model without output bills only its input. */
export function fieldsOf(model: PricedModel): readonly RateKind[] {
  if (!hasOutput(model)) return ["input"];
  const lists = [model, ...model.serviceTiers].flatMap(({ prices, longPrompts = [] }) => [
    prices,
    ...longPrompts.map((long) => long.prices),
  ]);
  return rateKinds.filter((kind) => {
    // What is written to a cache for minutes costs what other input does, unless the catalog says more.
    if (kind === "cacheWrite") return lists.some((list) => list.cacheWriteUsd !== list.inputUsd);
    return lists.some((list) => list[`${kind}Usd` as const] !== undefined);
  });
}

const partsOfInput = [
  "imageInput",
  "audioInput",
  "cachedInput",
  "cacheWrite",
  "cacheWrite1h",
] as const;

export function checkUsage(typed: Typed): Partial<Record<RateKind, string>> {
  const errors: Partial<Record<RateKind, string>> = {};
  let parts = 0;
  for (const kind of rateKinds) {
    if (parseCount(typed[kind]) === undefined) errors[kind] = "Enter a whole number.";
  }
  const input = parseCount(typed.input) ?? Number.POSITIVE_INFINITY;
  for (const kind of partsOfInput) {
    const before = parts;
    parts += countOf(typed[kind]);
    if (before > input || parts <= input) continue;
    errors[kind] = before === 0 ? "Can't exceed input tokens." : "The parts exceed input tokens.";
  }
  const output = parseCount(typed.output) ?? Number.POSITIVE_INFINITY;
  if (countOf(typed.audioOutput) > output) errors.audioOutput = "Can't exceed output tokens.";
  if (countOf(typed.imageOutput) > output) errors.imageOutput = "Can't exceed output tokens.";
  return errors;
}

export function usageOf(typed: Typed): BilledUsage {
  const cacheWrite1hTokens = countOf(typed.cacheWrite1h);
  return {
    promptTokens: countOf(typed.input),
    cachedTokens: countOf(typed.cachedInput),
    cacheWriteTokens: countOf(typed.cacheWrite) + cacheWrite1hTokens,
    cacheWrite1hTokens,
    audioPromptTokens: countOf(typed.audioInput),
    // What is typed as cached or written is no audio.
    cachedAudioPromptTokens: 0,
    completionTokens: countOf(typed.output),
    audioCompletionTokens: countOf(typed.audioOutput),
    imagePromptTokens: countOf(typed.imageInput),
    imageCompletionTokens: countOf(typed.imageOutput),
    webSearches: countOf(typed.webSearch),
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
