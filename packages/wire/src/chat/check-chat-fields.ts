// The top-level fields of a chat completion request as one table, after
// `CreateChatCompletionRequest` in OpenAI's openapi.yaml. Fields that are not in it pass unchanged; sets
// that upstreams keep extending (effort) are open here.

import { isObject, type JsonObject } from "@turnpike/base";
import type { Bounds, FieldBounds } from "../bounds.ts";
import {
  anyObject,
  anyText,
  boolean,
  boundsOf,
  decimal,
  integer,
  list,
  noPath,
  object,
  oneOf,
  type Rule,
  rule,
  tagged,
  text,
  textOr,
  textOrObject,
} from "../check-value.ts";
import { badValue, brokenRule, missing, tooLong } from "../refuse-body.ts";
import { requestableTiers } from "../service-tier.ts";
import { messages } from "./check-messages.ts";
import { functionChoice, functionName, functions, toolChoice, tools } from "./check-tools.ts";

const maxTokens = integer(1, 2 ** 31 - 1);

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

const metadataValue = text({ maxLength: 512 });
const metadataPairsMax = 16;
const metadataKeyCharsMax = 64;

const metadataBounds: Bounds = {
  object: {
    maxProperties: metadataPairsMax,
    propertyNames: { maxLength: metadataKeyCharsMax },
    values: metadataValue.bounds,
  },
};

/** At most 16 pairs of short texts. */
export const metadata = rule(metadataBounds, (value, path) => {
  anyObject(value, path);
  if (!isObject(value)) return;
  const pairs = Object.entries(value);
  if (pairs.length > metadataPairsMax) {
    throw badValue(path, `too many properties. Expected at most ${metadataPairsMax}.`);
  }
  for (const [key, content] of pairs) {
    if (key.length > metadataKeyCharsMax) throw tooLong(path, metadataKeyCharsMax, key.length);
    metadataValue(content, `${path}.${key}`);
  }
});

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

const voice = textOrObject(anyText, object({ required: { id: anyText } }));
const textParts = list(tagged("type", { text: object({ required: { text: anyText } }) }), {
  of: "objects",
});

const webSearchOptions = object({
  optional: {
    search_context_size: oneOf(["low", "medium", "high"]),
    user_location: tagged("type", {
      approximate: object({ required: { approximate: anyObject } }),
    }),
  },
});

/** OpenAI takes four. Those that a provider does not take are looked for in its answer. */
const stopsMax = 64;

const model = text({ nonEmpty: true, maxLength: 128 });

const optional = new Map<string, Rule>(
  Object.entries({
    max_completion_tokens: maxTokens,
    max_tokens: maxTokens,
    temperature: decimal(0, 2),
    top_p: decimal(0, 1),
    frequency_penalty: decimal(-2, 2),
    presence_penalty: decimal(-2, 2),
    n: integer(1, 128),
    stop: textOr(list(anyText, { max: stopsMax, of: "strings" }), "strings"),
    seed: integer(-(2 ** 63), 2 ** 63),
    logit_bias: logitBias,
    logprobs: boolean,
    top_logprobs: integer(0, 20),
    stream: boolean,
    stream_options: object({ optional: { include_usage: boolean, include_obfuscation: boolean } }),
    tools,
    tool_choice: toolChoice,
    parallel_tool_calls: boolean,
    functions,
    function_call: functionChoice,
    response_format: responseFormat,
    reasoning_effort: anyText,
    // OpenRouter's.
    reasoning: object({
      optional: {
        ...{ effort: anyText, max_tokens: integer(0, 2 ** 31 - 1), summary: anyText },
        ...{ exclude: boolean, enabled: boolean },
      },
    }),
    usage: object({ optional: { include: boolean } }),
    verbosity: anyText,
    modalities: list(oneOf(["text", "audio", "image"]), { of: "strings" }),
    audio: object({ required: { voice, format: anyText } }),
    prediction: tagged("type", {
      content: object({ required: { content: textOr(textParts, "objects") } }),
    }),
    service_tier: oneOf(requestableTiers),
    store: boolean,
    metadata,
    user: anyText,
    safety_identifier: text({ maxLength: 64 }),
    prompt_cache_key: anyText,
    prompt_cache_retention: anyText,
    prompt_cache_options: anyObject,
    web_search_options: webSearchOptions,
    moderation: anyObject,
  }),
);

export const chatFieldNames: readonly string[] = [...optional.keys()];

export const chatBounds: FieldBounds = {
  ...{ model: model.bounds, messages: messages.bounds },
  ...boundsOf(optional),
};

/** What the field of that name may be, besides null; undefined for one that is not known here. */
export function chatFieldRule(name: string): Rule | undefined {
  return optional.get(name);
}

/** Checks every known field and the rules between them; null means absent. Throws Fault. */
export function checkChatFields(body: JsonObject): void {
  if (body.model !== undefined) model(body.model, "model");
  else if (!Array.isArray(body.models) || body.models.length === 0) throw missing("model");
  if (body.messages === undefined) throw missing("messages");
  try {
    checkFields(body, false);
  } catch (thrown) {
    checkFields(body, true);
    throw thrown;
  }
  checkRulesBetweenFields(body);
}

/** Without paths the Fault says only that something is refused. */
function checkFields(body: JsonObject, withPaths: boolean): void {
  messages(body.messages, withPaths ? "messages" : noPath);
  for (const key in body) {
    const value = body[key];
    if (value !== null) optional.get(key)?.(value, withPaths ? key : noPath);
  }
}

function checkRulesBetweenFields(body: JsonObject): void {
  refuseTwoEfforts(body);
  if (body.stream !== true && isObject(body.stream_options)) {
    throw brokenRule(
      "stream_options",
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    );
  }
  if (body.logprobs !== true && Number(body.top_logprobs) > 0) {
    throw brokenRule(
      "top_logprobs",
      "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.",
    );
  }
  const wantsAudio = Array.isArray(body.modalities) && body.modalities.includes("audio");
  if (wantsAudio && !isObject(body.audio)) throw missing("audio");
}

/** Both are the same wish, in OpenRouter's words and in OpenAI's. */
function refuseTwoEfforts({ reasoning, reasoning_effort: effort }: JsonObject): void {
  if (!isObject(reasoning) || typeof reasoning.effort !== "string") return;
  if (typeof effort !== "string" || effort === reasoning.effort) return;
  throw brokenRule(
    "reasoning_effort",
    "'reasoning_effort' and 'reasoning.effort' ask for different efforts. Send one of them.",
  );
}
