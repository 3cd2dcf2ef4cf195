// The entries of `catalog.yaml` for models of every operation beside chat and embeddings: what only they have, and the prices
// that they may have.
import { z } from "zod";
import { defaultAudioTokensPerSecond, defaultImageTokens } from "../model.ts";
import { ratesOfOperation, tokens } from "./price-schema.ts";

const count = (most: number) => z.int("must be a whole number").min(0).max(most);

export const imageRates = ratesOfOperation([
  "image",
  "input",
  "cachedInput",
  "imageInput",
  "output",
  "imageOutput",
]);
export const speechRates = ratesOfOperation(["characters", "input", "output", "audioOutput"]);
export const transcriptionRates = ratesOfOperation([
  "audioMinute",
  "input",
  "audioInput",
  "output",
]);
export const rerankRates = ratesOfOperation(["searchUnits", "input"]);
export const moderationRates = ratesOfOperation(["input"], true);

/** A prompt of these models is short, so that few entries say how long it may be. */
const contextTokens = tokens.default(32_768);

export const imageFields = {
  contextTokens,
  maxImages: count(10).default(1),
  inputImages: count(16).default(0),
  imageTokens: tokens.default(defaultImageTokens),
  outputTokens: z.record(z.string().min(1), tokens).exactOptional(),
};

export const speechFields = {
  contextTokens,
  maxCharacters: count(50_000).default(4_096),
  voices: z.array(z.string().min(1)).default([]),
  audioTokensPerCharacter: z.number().min(0).max(100).default(10),
};

export const transcriptionFields = {
  contextTokens,
  maxOutputTokens: tokens.default(16_384),
  maxSeconds: count(86_400).default(1_500),
  minSeconds: count(600).exactOptional(),
  audioTokensPerSecond: count(1_000).default(defaultAudioTokensPerSecond),
};

export const moderationFields = { contextTokens };
