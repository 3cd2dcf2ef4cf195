// Reads a chat completion request: what the gateway must know of it, and a refusal with the exact
// path for what cannot be right. The text stays the source of truth; nothing is re-serialised.
import { Fault } from "@turnpike/base";
import { isObject, type JsonObject } from "../check-value.ts";
import { type JsonMembers, scanJsonObject } from "../edit-json-object.ts";
import { badValue, brokenJson } from "../refuse-body.ts";
import { checkChatFields } from "./check-chat-fields.ts";
import { hidesReasoning } from "./hides-reasoning.ts";
import { collectPromptText, measurePrompt } from "./measure-prompt.ts";
import { billedFieldLike, priceChangingFields } from "./price-changing-fields.ts";

export type ChatRequest = {
  /** The body as received. */
  readonly raw: string;
  readonly model: string;
  readonly stream: boolean;
  /** `stream_options.include_usage`. */
  readonly includeUsage: boolean;
  /** `max_completion_tokens ?? max_tokens`; undefined where neither is set. */
  readonly maxTokens: number | undefined;
  /** `n`, 1 by default. */
  readonly choices: number;
  readonly messageCount: number;
  /** Never less than the UTF-8 bytes of all text the model will read. */
  readonly textBytes: number;
  readonly imageCount: number;
  /** Path of the first image; undefined where there is none. */
  readonly firstImage: string | undefined;
  /** Files unpack to an unknown amount of text: bound a request that has any by the context. */
  readonly fileCount: number;
  /** The text a tokeniser should count; built when called. */
  readonly promptText: () => string;
  /** Where the top-level members lie in `raw`, for `editJsonObject`. */
  readonly members: JsonMembers;
  readonly parsed: JsonObject;
  /** True where the caller asks for billed reasoning not to be shown, or only summed up. */
  readonly hidesReasoning: boolean;
  /** Fields that change the price beyond tokens; refuse them for a model that does not price them. */
  readonly priceChanging: readonly string[];
};

/** Source: OpenAI's API reference, and its refusals as clients report them. Throws Fault. */
export function parseChatRequest(raw: string): ChatRequest {
  const members = scanJsonObject(raw);
  const parsed = parseObject(raw);
  checkChatFields(parsed);
  refuseLookalikes(members);
  refuseBrokenText(raw, parsed);
  const size = measurePrompt(raw, members, parsed);
  const { model, messages, stream_options: streamOptions } = parsed;
  return {
    raw,
    model: typeof model === "string" ? model : "",
    stream: parsed.stream === true,
    includeUsage: isObject(streamOptions) && streamOptions.include_usage === true,
    maxTokens: numberOf(parsed.max_completion_tokens) ?? numberOf(parsed.max_tokens),
    choices: numberOf(parsed.n) ?? 1,
    messageCount: Array.isArray(messages) ? messages.length : 0,
    textBytes: size.textBytes,
    imageCount: size.imageCount,
    firstImage: size.firstImage,
    fileCount: size.fileCount,
    promptText: () => collectPromptText(raw, members, parsed),
    members,
    parsed,
    hidesReasoning: hidesReasoning(parsed),
    priceChanging: priceChangingFields(parsed, size.audioCount),
  };
}

function parseObject(raw: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    throw brokenJson();
  }
  if (isObject(value)) return value;
  throw new Fault("invalid_type", "Invalid request body: expected one JSON object.");
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** The one kind of unknown field we refuse: an upstream might obey it where we did not read it. */
function refuseLookalikes(members: JsonMembers): void {
  for (const { key } of members) {
    const meant = billedFieldLike(key);
    if (meant === undefined) continue;
    const sentence = `Unknown parameter: '${key}'. Did you mean '${meant}'?`;
    throw new Fault("unknown_parameter", sentence, { param: key });
  }
}

const suspiciousEscape = /\\u(?:d[89a-f]|0000)/i;

/** NUL and lone surrogates: JSON can say them, UTF-8 or a database cannot. */
function refuseBrokenText(raw: string, body: JsonObject): void {
  if (!raw.isWellFormed()) throw brokenJson();
  if (!raw.includes("\\u") || !suspiciousEscape.test(raw)) return;
  const path = findBrokenText(body, "");
  if (path === undefined) return;
  throw badValue(path, "the text holds a NUL character or half of a surrogate pair.");
}

function findBrokenText(value: unknown, path: string): string | undefined {
  if (typeof value === "string") return isBroken(value) ? path : undefined;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = findBrokenText(item, `${path}[${index}]`);
      if (found !== undefined) return found;
    }
  } else if (isObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      if (isBroken(key)) return path;
      const found = findBrokenText(field, path === "" ? key : `${path}.${key}`);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function isBroken(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}
