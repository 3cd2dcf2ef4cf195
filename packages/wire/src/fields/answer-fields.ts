// The fields that say how long an answer is, in which form, and what is reported of it.

import { isObject } from "@turnpike/base";
import { stopsMax } from "@turnpike/terms";
import { functionName } from "../chat/check-tools.ts";
import { badValue } from "../checks/body-fault.ts";
import {
  anyObject,
  anyText,
  boolean,
  integer,
  list,
  object,
  oneOf,
  rule,
  tagged,
  textOr,
} from "../checks/check-value.ts";
import { generationConfig } from "../gemini/check-contents.ts";
import {
  generationConfig as configOfInteractions,
  responseFormat as responseFormatOfInteractions,
  responseMimeType,
  responseModalities,
} from "../interactions/check-settings.ts";
import { jsonSchema, outputConfig } from "../messages/check-blocks.ts";
import { textFormat } from "../responses/text-format.ts";
import {
  everywhere,
  type FieldTable,
  isEmpty,
  isOff,
  isOne,
  isZero,
  onlyInChats,
  onlyNeutral,
  useChats,
} from "./request-field.ts";

const tokenLimit = integer(1, 2 ** 31 - 1);
/** 0 only fills the prompt cache. */
const tokenLimitOfMessages = integer(0, 2 ** 31 - 1);

const bias = integer(-100, 100);
const tokenId = /^\d{1,9}$/;

const logitBias = rule(
  { object: { propertyNames: { pattern: tokenId.source }, values: bias.bounds } },
  (value, path) => {
    anyObject(value, path);
    if (!isObject(value)) return;
    for (const [token, amount] of Object.entries(value)) {
      const shown = `${path}.${token.slice(0, 32)}`;
      if (!tokenId.test(token)) throw badValue(shown, "a key must be the id of a token.");
      bias(amount, shown);
    }
  },
);

const responseFormat = tagged("type", {
  text: anyObject,
  json_object: anyObject,
  json_schema: object({
    required: {
      json_schema: object({
        required: { name: functionName },
        optional: { description: anyText, schema: anyObject, strict: boolean },
      }),
    },
  }),
});

export const answerFields: FieldTable = {
  max_tokens: {
    rule: "pass",
    of: {
      chat: { check: tokenLimit, isExactName: true },
      messages: { check: tokenLimitOfMessages, isReadByParser: true, isExactName: true },
      completions: { check: tokenLimit, isReadByParser: true },
    },
    names: { responses: "max_output_tokens", gemini: "generationConfig.maxOutputTokens" },
    to: everywhere,
    listed: "always",
  },
  max_completion_tokens: {
    rule: "pass",
    of: {
      chat: { check: tokenLimit, isExactName: true },
      completions: { refused: useChats },
    },
    names: {
      responses: "max_output_tokens",
      messages: "max_tokens",
      gemini: "generationConfig.maxOutputTokens",
    },
    to: everywhere,
    listed: "always",
  },
  max_output_tokens: {
    rule: "pass",
    of: { responses: { check: tokenLimit, isExactName: true, inChat: "translated" } },
  },
  stop: {
    rule: "pass",
    of: {
      chat: { check: textOr(list(anyText, { max: stopsMax, of: "strings" }), "strings") },
      responses: { bindsAnswer: true },
    },
    names: { messages: "stop_sequences", gemini: "generationConfig.stopSequences" },
    to: everywhere,
    asksForNothing: isEmpty,
    listed: "always",
  },
  stop_sequences: {
    rule: "pass",
    of: { messages: { check: list(anyText, { of: "strings" }), inChat: "translated" } },
  },
  n: {
    rule: "pass",
    of: {
      chat: { check: integer(1, 128), isExactName: true },
      responses: { refused: onlyInChats },
    },
    names: { gemini: "generationConfig.candidateCount" },
    to: { gemini: true },
    asksForNothing: isOne,
    isTakenEverywhere: true,
  },
  logit_bias: { rule: "pass", of: { chat: { check: logitBias } }, asksForNothing: isEmpty },
  logprobs: {
    rule: "pass",
    of: {
      chat: { check: boolean },
      responses: { refused: onlyInChats },
      // A chat completion reports them in another shape. 0 asks for those of the chosen tokens.
      completions: onlyNeutral(false),
    },
    names: { gemini: "generationConfig.responseLogprobs" },
    to: { gemini: true, responses: true },
    asksForNothing: isOff,
    listed: { without: "reasoning" },
  },
  top_logprobs: {
    rule: "pass",
    of: {
      chat: { check: integer(0, 20) },
      responses: { check: integer(0, 20), inChat: "translated", bindsAnswer: true },
      completions: { refused: useChats },
    },
    names: { gemini: "generationConfig.logprobs" },
    to: { gemini: true, responses: true },
    asksForNothing: isZero,
    listed: { without: "reasoning" },
  },
  response_format: {
    rule: "pass",
    of: {
      chat: { check: responseFormat },
      interactions: { check: responseFormatOfInteractions, inChat: "translated" },
      completions: { refused: useChats },
    },
    names: { responses: "text.format", gemini: "generationConfig.responseSchema" },
    to: everywhere,
    asksForNothing: (value) => isObject(value) && value.type === "text",
    listed: { with: "json_schema" },
    // OpenRouter's word for its schemas.
    alsoListedAs: "structured_outputs",
  },
  text: {
    rule: "pass",
    of: {
      responses: {
        check: object({ optional: { format: textFormat, verbosity: anyText } }),
        inChat: "translated",
        bindsAnswer: true,
      },
    },
  },
  generationConfig: {
    rule: "pass",
    of: { gemini: { check: generationConfig, inChat: "translated" } },
  },
  generation_config: {
    rule: "pass",
    of: {
      gemini: { inChat: "translated" },
      interactions: { check: configOfInteractions, inChat: "translated" },
    },
  },
  // What `response_format` has replaced.
  response_mime_type: {
    rule: "pass",
    of: { interactions: { check: responseMimeType, inChat: "translated" } },
  },
  response_modalities: {
    rule: "pass",
    of: { interactions: { check: responseModalities, inChat: "translated" } },
  },
  output_config: {
    rule: "pass",
    of: { messages: { check: outputConfig, inChat: "translated" } },
  },
  output_format: {
    rule: "pass",
    of: { messages: { check: jsonSchema, inChat: "translated" } },
  },
  verbosity: {
    rule: "preference",
    of: { chat: { check: anyText } },
    names: { responses: "text.verbosity" },
    to: { responses: true },
    listed: "declared",
    isOpenaisHint: true,
  },
  moderation: {
    rule: "pass",
    of: {
      chat: { check: anyObject },
      responses: {
        refused: {
          why: "Moderation of inputs and outputs is not supported. Remove it from the request.",
        },
        inChat: "nothing",
      },
    },
  },
  truncation: {
    rule: "pass",
    of: { responses: { check: oneOf(["auto", "disabled"]), inChat: "nothing" }, embeddings: {} },
  },
  suffix: {
    rule: "refuse",
    of: { completions: onlyNeutral("") },
  },
  echo: {
    rule: "pass",
    of: {
      chat: { isForeign: true },
      completions: onlyNeutral(false),
    },
  },
};
