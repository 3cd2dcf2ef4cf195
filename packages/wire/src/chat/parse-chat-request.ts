// Reads a chat completion request: what the gateway must know about it, and a refusal with the exact
// path of an invalid value. The text stays the source of truth; nothing is re-serialized.

import { isObject, type JsonObject } from "@turnpike/base";
import type { RoutingPreferences } from "../caller/parse-provider-preferences.ts";
import { parseFallbackModels, parseRouting } from "../caller/parse-routing.ts";
import { type RequestedTier, requestedTier } from "../caller/service-tier.ts";
import { isGiven } from "../checks/check-value.ts";
import { withoutClientRecords } from "../checks/client-records.ts";
import { lookalikesOf } from "../fields/check-fields.ts";
import { columnOf } from "../fields/field-table.ts";
import { editJsonObject, type JsonMembers, memberText } from "../json/edit-json-object.ts";
import { withExactMembers } from "../json/exact-numbers.ts";
import { assertNoLookalikes, assertStorableText, parseJsonBody } from "../json/parse-json-body.ts";
import { hasCacheMark } from "../protocol/cache-marks.ts";
import { chatLanguage } from "../protocol/languages.ts";
import {
  expectsUsage,
  isOpenRouterClient,
  type RequestHeaders,
} from "../protocol/request-headers.ts";
import { checkChatFields } from "./check-chat-fields.ts";
import { replaceFunctions } from "./former-functions.ts";
import { measureExtras, type RequestExtras } from "./measure-extras.ts";
import { collectPromptText, measurePrompt } from "./measure-prompt.ts";
import { type PriceChange, priceChangingFields } from "./price-changing-fields.ts";

/** A part of a request that chat completions have no field for. */
export type Untranslatable = {
  /** Where it is in the caller's own body. */
  readonly param: string;
  /** Why, as the rest of a message that begins with `param`. */
  readonly problem: string;
};

export type ChatRequest = {
  readonly operation: "chat";
  /**
   * The language of `raw`. `parsed` is always a chat completions request with tools: another protocol
   * translates its own request into one, and functions become tools.
   */
  readonly language: string;
  /** The body as received. */
  readonly raw: string;
  readonly model: string;
  readonly stream: boolean;
  /** `stream_options.include_usage`, or OpenRouter's `usage.include`. */
  readonly includeUsage: boolean;
  /** True if its client expects OpenRouter's answers where they differ from OpenAI's. */
  readonly isForOpenRouter?: boolean;
  readonly showsProvider?: boolean;
  /** `max_completion_tokens ?? max_tokens`; undefined if neither is set. */
  readonly maxTokens: number | undefined;
  /** `n`, 1 by default. */
  readonly choices: number;
  readonly messageCount: number;
  /** Never less than the UTF-8 bytes of all text the model will read. */
  readonly textBytes: number;
  readonly imageCount: number;
  /** Path of the first image; undefined if there is none. */
  readonly firstImage: string | undefined;
  /** Files unpack to an unknown amount of text: bound a request that has any by the context. */
  readonly fileCount: number;
  /** The text a tokenizer should count; built when called. */
  readonly promptText: () => string;
  /** The caller's own JSON of the conversation, oldest turn first; what follows its beginning may differ. */
  readonly promptStart: () => string;
  /** Where the top-level members are in `raw`, for `editJsonObject`. */
  readonly members: JsonMembers;
  readonly parsed: JsonObject;
  /** About what it takes in memory besides its text and the texts in `parsed`. */
  readonly parsedBytes?: number;
  /** True if the caller asks for billed reasoning not to be shown, or only summarized. */
  readonly hidesReasoning: boolean;
  /** True if the caller asks for an answer in Anthropic's format without the text of its thinking. */
  readonly omitsThinking?: boolean;
  /** Fields that only an upstream of the same language supports; empty for a chat completions request. */
  readonly untranslatable: readonly Untranslatable[];
  /** The caller's own name for a field of `parsed`; absent if `parsed` is the caller's own body. */
  readonly callerParam?: (param: string) => string;
  /** True if it offers `functions`: calls are shown as the one `function_call`. */
  readonly callsFunctions?: boolean;
  /** Headers of the caller for an upstream of the same language, from an allow-list. */
  readonly passedHeaders: Readonly<Record<string, string>>;
  /** Fields that change the price beyond tokens; refuse them for a model that does not price them. */
  readonly priceChanging: readonly PriceChange[];
  /** Whether it marks what a prompt's cache should keep. */
  readonly hasCacheMarks: boolean;
  /** How much it may use besides text; absent if nothing. */
  readonly extras?: RequestExtras | undefined;
  /** The body in the caller's own language, where `parsed` is its translation. */
  readonly asked?: JsonObject;
  /** The service tier asked for; undefined is the standard one. */
  readonly serviceTier?: RequestedTier | undefined;
  /** Which providers may answer; undefined if the caller leaves that to the gateway. */
  readonly routing: RoutingPreferences | undefined;
  /** What to try, in order, when `model` fails. */
  readonly fallbackModels: readonly string[];
};

/** Source: OpenAI's API reference, and its refusals as clients report them. Throws Fault. */
export function parseChatRequest(received: string, headers?: RequestHeaders): ChatRequest {
  const raw = withoutClientRecords(received);
  const { members, parsed, structureBytes } = parseJsonBody(raw);
  if (isMistralsRequired(parsed)) return parseChatRequest(requireTool(raw, members), headers);
  checkChatFields(parsed);
  assertNoLookalikes(members, chatFieldLike);
  assertStorableText(raw, parsed);
  const described = describeChatRequest(raw, members, parsed, structureBytes);
  const request = headers === undefined ? described : asAtOpenRouter(described, headers);
  const exact = isGiven(parsed.functions) ? withExactMembers(raw, parsed, ["functions"]) : parsed;
  const replaced = replaceFunctions(exact);
  if (replaced === undefined) return request;
  const { body, ...former } = replaced;
  return { ...request, parsed: body, ...former };
}

function asAtOpenRouter(request: ChatRequest, headers: RequestHeaders): ChatRequest {
  if (!expectsUsage(headers)) return request;
  const isForOpenRouter = isOpenRouterClient(headers);
  return { ...request, includeUsage: true, showsProvider: true, isForOpenRouter };
}

/** The field that a key would be mistaken for. */
export const chatFieldLike = lookalikesOf("chat");

const none: readonly never[] = [];
const noHeaders = {};

/** A request that has been checked; `raw` is the text of `parsed`. */
export function describeChatRequest(
  raw: string,
  members: JsonMembers,
  parsed: JsonObject,
  parsedBytes: number,
): ChatRequest {
  const size = measurePrompt(raw, members, parsed);
  const priceChanging = priceChangingFields(parsed, size.audioCount);
  const { model, messages, stream_options: streamOptions, usage } = parsed;
  return {
    operation: "chat",
    language: chatLanguage,
    raw,
    model: typeof model === "string" ? model : firstModel(parsed),
    stream: parsed.stream === true,
    includeUsage:
      (isObject(streamOptions) && streamOptions.include_usage === true) ||
      (isObject(usage) && usage.include === true),
    maxTokens: numberOf(parsed.max_completion_tokens) ?? numberOf(parsed.max_tokens),
    choices: numberOf(parsed.n) ?? 1,
    messageCount: Array.isArray(messages) ? messages.length : 0,
    textBytes: size.textBytes,
    imageCount: size.imageCount,
    firstImage: size.firstImage,
    fileCount: size.fileCount,
    promptText: () => collectPromptText(raw, members, parsed),
    promptStart: () => memberText(raw, members, "messages") ?? "",
    members,
    parsed,
    parsedBytes,
    hidesReasoning: hidesReasoning(parsed),
    untranslatable: none,
    passedHeaders: noHeaders,
    priceChanging,
    hasCacheMarks: hasCacheMark(parsed),
    extras: priceChanging.length === 0 ? undefined : measureExtras(parsed, size),
    serviceTier: requestedTier(parsed),
    routing: parseRouting(parsed),
    fallbackModels: parseFallbackModels(parsed),
  };
}

/** For a request that names its models only in a list. */
function firstModel({ models }: JsonObject): string {
  return Array.isArray(models) ? String(models[0]) : "";
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

const hides = columnOf(({ hidesReasoning: test }) => test);
const hidingFields = [...hides.keys()];

/**
 * True if `body` has a field with a value that may hide reasoning. The upstream bills it all the same, and what is not
 * shown cannot be counted, so such a stream is not billed by what was delivered.
 */
export function hidesReasoning(body: JsonObject): boolean {
  for (const name of hidingFields) {
    const value = body[name];
    if (isGiven(value) && hides.get(name)?.(value) === true) return true;
  }
  return false;
}

/** Mistral's word for a choice that requires a tool, which its SDK sends: it is read as OpenAI's. */
function isMistralsRequired({ tool_choice: choice }: JsonObject): boolean {
  return choice === "any";
}

/** `raw` is the text of a request with it. */
function requireTool(raw: string, members: JsonMembers): string {
  return editJsonObject(raw, members, { set: { tool_choice: JSON.stringify("required") } });
}
