// The fields that are for records, abuse checks and caches. No answer depends on them.
import { isObject } from "@turnpike/base";
import { badValue, tooLong } from "../checks/body-fault.ts";
import type { Bounds } from "../checks/bounds.ts";
import { anyObject, anyText, boolean, object, rule, text } from "../checks/check-value.ts";
import { safetySettings } from "../gemini/check-contents.ts";
import { safetySettings as safetySettingsOfInteractions } from "../interactions/check-settings.ts";
import {
  dropped,
  each,
  type FieldTable,
  foreign,
  ignoredElsewhere,
  isOff,
  own,
} from "./request-field.ts";

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

const openaiMaxChars = 64;

export const recordFields: FieldTable = {
  user: {
    rule: "preference",
    of: {
      chat: { check: anyText },
      responses: { check: anyText },
      embeddings: { check: anyText, isExactName: true },
    },
    names: { messages: "metadata.user_id" },
    to: { anthropic: true, responses: "user" },
    isTakenEverywhere: true,
    isOpenaisHint: true,
    openaiMaxChars,
  },
  safety_identifier: {
    rule: "preference",
    of: {
      chat: { check: text({ maxLength: openaiMaxChars }) },
      responses: { check: text({ maxLength: 128 }) },
      embeddings: own,
    },
    to: { anthropic: true, responses: true },
    isTakenEverywhere: true,
    isOpenaisHint: true,
    openaiMaxChars,
  },
  metadata: {
    rule: "preference",
    of: {
      chat: { check: metadata },
      responses: { check: metadata, inChat: "nothing" },
      messages: {
        check: object({ optional: { user_id: anyText } }),
        inChat: "translated",
      },
      embeddings: own,
    },
    to: { responses: "metadata" },
    isTakenEverywhere: true,
  },
  store: {
    rule: "preference",
    of: {
      chat: { check: boolean },
      responses: { check: boolean, isExactName: true, inChat: "nothing" },
      // The answer says whether it is stored.
      interactions: { check: boolean, isExactName: true, inChat: "nothing" },
    },
    asksForNothing: isOff,
    isTakenEverywhere: true,
  },
  // Anthropic's.
  cache_control: {
    rule: "preference",
    of: { chat: foreign, messages: own },
    to: { anthropic: "cache_control" },
    isTakenEverywhere: true,
    schema: {
      description: `Marks the end of what the provider should cache, for Anthropic's models. An entry that lives for an hour needs a model with a price for it. ${ignoredElsewhere}`,
      type: ["object", "null"],
    },
  },
  prompt_cache_key: {
    rule: "preference",
    of: { chat: { check: anyText }, responses: { check: anyText } },
    to: { responses: true },
    isTakenEverywhere: true,
    isOpenaisHint: true,
    openaiMaxChars,
  },
  prompt_cache_retention: {
    rule: "preference",
    of: { chat: { check: anyText }, responses: { check: anyText } },
    to: { responses: true },
    isTakenEverywhere: true,
    isOpenaisHint: true,
  },
  prompt_cache_options: {
    rule: "preference",
    of: { chat: { check: anyObject }, responses: { check: anyObject } },
    to: { responses: true },
    isTakenEverywhere: true,
    isOpenaisHint: true,
  },
  // Google's filters, which no other provider has, and what its bills are grouped by.
  safetySettings: {
    rule: "pass",
    of: { gemini: { check: safetySettings, inChat: "nothing" } },
  },
  safety_settings: {
    rule: "pass",
    of: {
      gemini: dropped,
      interactions: { check: safetySettingsOfInteractions, inChat: "nothing" },
    },
  },
  labels: { rule: "pass", of: { gemini: dropped, interactions: dropped } },
  // Codex's ids of its installation and its turns.
  client_metadata: {
    rule: "pass",
    of: { responses: { check: anyObject, inChat: "nothing" } },
  },
  // Ids of the caller's own, and what separates its part of a cache.
  request_id: { rule: "pass", of: { chat: foreign, embeddings: own } },
  ...each(["user_id", "cache_salt", "prompt_cache_isolation_key"], {
    rule: "pass",
    of: { chat: foreign },
  }),
  // What explains a cache of Anthropic's, and has its models judge the calls of tools for the client.
  ...each(["diagnostics", "betas", "safeguards"], { rule: "pass", of: { messages: dropped } }),
  // Of Claude in a cloud; the dialect replaces or removes them.
  ...each(["anthropic_beta", "anthropic_version"], { rule: "pass", of: { messages: foreign } }),
};
