// The fields that say how tokens are chosen, all of them preferences. `logit_bias` is not among them: it forbids words
// and forces them.
import { decimal, integer } from "../checks/check-value.ts";
import {
  each,
  type FieldTable,
  foreign,
  ignoredElsewhere,
  isOne,
  isZero,
} from "./request-field.ts";

export const samplingFields: FieldTable = {
  temperature: {
    rule: "preference",
    of: {
      chat: { check: decimal(0, 2) },
      responses: { check: decimal(0, 2) },
      messages: { check: decimal(0, 1) },
    },
    names: { gemini: "generationConfig.temperature" },
    to: { anthropic: true, gemini: "temperature", responses: "temperature" },
    listed: "always",
  },
  top_p: {
    rule: "preference",
    of: {
      chat: { check: decimal(0, 1) },
      responses: { check: decimal(0, 1) },
      messages: { check: decimal(0, 1) },
    },
    names: { gemini: "generationConfig.topP" },
    to: { anthropic: "top_p", gemini: "topP", responses: "top_p" },
    listed: "always",
  },
  top_k: {
    rule: "preference",
    of: { chat: foreign, messages: { check: integer(0, 2 ** 31 - 1) } },
    names: { gemini: "generationConfig.topK" },
    to: { anthropic: "top_k", gemini: "topK" },
    asksForNothing: isZero,
    listed: "always",
    schema: {
      description: `Chooses only among this many likeliest tokens. ${ignoredElsewhere}`,
      type: ["integer", "null"],
    },
  },
  seed: {
    rule: "preference",
    of: { chat: { check: integer(-(2 ** 63), 2 ** 63) } },
    names: { gemini: "generationConfig.seed" },
    to: { gemini: true },
    listed: "always",
  },
  frequency_penalty: {
    rule: "preference",
    of: { chat: { check: decimal(-2, 2) } },
    names: { gemini: "generationConfig.frequencyPenalty" },
    to: { gemini: "frequencyPenalty" },
    asksForNothing: isZero,
    listed: "always",
  },
  presence_penalty: {
    rule: "preference",
    of: { chat: { check: decimal(-2, 2) } },
    names: { gemini: "generationConfig.presencePenalty" },
    to: { gemini: "presencePenalty" },
    asksForNothing: isZero,
    listed: "always",
  },
  min_p: {
    rule: "preference",
    of: { chat: foreign },
    asksForNothing: isZero,
    listed: "declared",
    schema: {
      description: `Chooses only among tokens with at least this share of the likeliest one's probability: 0 to 1, which is not checked here. ${ignoredElsewhere}`,
      type: ["number", "null"],
    },
  },
  top_a: {
    rule: "preference",
    of: { chat: foreign },
    asksForNothing: isZero,
    listed: "declared",
    schema: {
      description: `As \`min_p\`, with the square of the likeliest one's probability: 0 to 1, which is not checked here. ${ignoredElsewhere}`,
      type: ["number", "null"],
    },
  },
  repetition_penalty: {
    rule: "preference",
    of: { chat: foreign },
    asksForNothing: isOne,
    listed: "declared",
    schema: {
      description: `Makes tokens that occurred less likely; 1 changes nothing. ${ignoredElsewhere}`,
      type: ["number", "null"],
    },
  },
  ...each(
    [
      "typical_p",
      "random_seed",
      "repeat_penalty",
      "repeat_last_n",
      "mirostat",
      "mirostat_tau",
      "mirostat_eta",
      "mirostat_target",
      "mirostat_lr",
      "dry_multiplier",
      "dry_base",
      "dry_allowed_length",
      "xtc_probability",
      "xtc_threshold",
      "samplers",
      "dynatemp_range",
      "dynatemp_exponent",
      "top_n_sigma",
      "tfs_z",
    ],
    { rule: "preference", of: { chat: foreign } },
  ),
};
