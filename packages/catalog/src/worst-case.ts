// How much a call can cost at most, and how much output an amount of money covers. The
// two are exact inverses, so a hold computed from one never falls short of the other by a nano-dollar.

import { addTokens, costOfSum, type Nanos, type Rates } from "@turnpike/terms";
import type { ModelRequest } from "./model.ts";
import { boundUnits } from "./operations/bound-unit.ts";
import {
  type ExtrasBound,
  measuresOf,
  nothingBeside,
  type OutputBound,
} from "./operations/measures.ts";

/**
 * What a cache will do is not known in advance, so every prompt token costs the highest rate of the
 * call.
 */
function highestPromptRate(price: Rates): bigint {
  const { inputNanosPerMillion, cachedInputNanosPerMillion, cacheWriteNanosPerMillion } = price;
  let highest = inputNanosPerMillion;
  if (cachedInputNanosPerMillion > highest) highest = cachedInputNanosPerMillion;
  if (cacheWriteNanosPerMillion > highest) highest = cacheWriteNanosPerMillion;
  const { cacheWrite1hNanosPerMillion: longWrite = 0n } = price;
  if (longWrite > highest) highest = longWrite;
  return highest;
}

export function boundExtras(modelRequest: ModelRequest): ExtrasBound {
  return measuresOf(modelRequest).extras(modelRequest);
}

/** Millionths of a nano-dollar that do not depend on how long an answer is. */
function fixedPart(
  price: Rates,
  promptTokens: number,
  answers: number,
  extras: ExtrasBound,
): bigint {
  const text = highestPromptRate(price);
  if (extras === nothingBeside) return BigInt(promptTokens) * text;
  const { imageInputNanosPerMillion: imageIn = text } = price;
  const highest = extras.readsImages ? higherOf(imageIn, text) : text;
  const audioTokens = Math.min(extras.audioPromptTokens, promptTokens);
  const { audioInputNanosPerMillion: audioIn = highest, webSearchNanosPerMillion: search = 0n } =
    price;
  return (
    BigInt(promptTokens - audioTokens) * highest +
    BigInt(audioTokens) * higherOf(audioIn, highest) +
    BigInt(extras.rejectedTokens * answers) * price.outputNanosPerMillion +
    BigInt(extras.searches * answers) * search +
    BigInt(boundUnits(price, extras.units))
  );
}

/** Of one output token of each answer. */
function outputPart(price: Rates, answers: number, extras: ExtrasBound): bigint {
  return outputRate(price, extras) * BigInt(answers);
}

/** A model that can answer with images may do so unasked. */
function outputRate(price: Rates, { answersIn }: ExtrasBound): bigint {
  const { outputNanosPerMillion: written } = price;
  const { audioOutputNanosPerMillion: audio, imageOutputNanosPerMillion: image } = price;
  const silent = image === undefined ? written : higherOf(image, written);
  return answersIn === "audio" && audio !== undefined ? higherOf(audio, silent) : silent;
}

/** The highest rates at which a token of the prompt, and one of an answer, can be billed. */
export function highestRates(
  price: Rates,
  extras: ExtrasBound,
): { readonly inputNanosPerMillion: bigint; readonly outputNanosPerMillion: bigint } {
  const prompt = highestPromptRate(price);
  const { audioInputNanosPerMillion: audio = prompt } = price;
  return {
    inputNanosPerMillion: extras.audioPromptTokens > 0 ? higherOf(audio, prompt) : prompt,
    outputNanosPerMillion: outputPart(price, 1, extras),
  };
}

function higherOf(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

/** The most a call can cost: `choices` answers of `outputTokens` each to one prompt. */
export function worstCase(
  price: Rates,
  promptTokens: number,
  outputTokens: number,
  choices: number,
  extras = nothingBeside,
): Nanos {
  if (extras === nothingBeside && choices === 1) {
    const prompt = addTokens(0, promptTokens, highestPromptRate(price));
    return costOfSum(addTokens(prompt, outputTokens, outputRate(price, extras)));
  }
  const prompt = addTokens(0, 1, fixedPart(price, promptTokens, choices, extras));
  return costOfSum(addTokens(prompt, outputTokens, outputPart(price, choices, extras)));
}

/** What an answer without usage is taken to have written. */
export function unreportedOutput(modelRequest: ModelRequest): "text" | "audio" | "bound" {
  return measuresOf(modelRequest).unreported;
}

/** What an upstream may write for a request. */
export function outputBound(modelRequest: ModelRequest): OutputBound {
  return measuresOf(modelRequest).output(modelRequest);
}

const mostTokens = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * The largest output limit per choice whose worst case is at most `moneyNanos`; undefined if
 * the money does not even cover the prompt and whatever else is billed for any answer. Free output has no
 * limit but `MAX_SAFE_INTEGER`.
 */
export function affordableOutputTokens(
  price: Rates,
  promptTokens: number,
  choices: number,
  moneyNanos: Nanos,
  extras = nothingBeside,
): number | undefined {
  const left = moneyNanos * 1_000_000n - fixedPart(price, promptTokens, choices, extras);
  if (left < 0n) return undefined;
  const perToken = outputPart(price, choices, extras);
  const tokens = perToken === 0n ? mostTokens : left / perToken;
  return Number(tokens < mostTokens ? tokens : mostTokens);
}

/** The longest prompt that the money covers, with no answer at all. */
export function affordablePromptTokens(price: Rates, moneyNanos: Nanos): number {
  const perToken = highestPromptRate(price);
  const tokens = perToken === 0n ? mostTokens : (moneyNanos * 1_000_000n) / perToken;
  return Number(tokens < mostTokens ? tokens : mostTokens);
}
