// Reads a request of Anthropic's messages API: checked, measured, and translated for the routes whose
// upstream has another API. The text stays the source of truth for those with this one.

import { isObject, type JsonObject } from "@turnpike/base";
import { type ChatRequest, describeChatRequest } from "../chat/parse-chat-request.ts";
import type { PriceChange } from "../chat/price-changing-fields.ts";
import { withoutClientRecords } from "../checks/client-records.ts";
import { lookalikesOf } from "../fields/check-fields.ts";
import {
  agentBounds,
  findMembers,
  type JsonMembers,
  memberText,
} from "../json/edit-json-object.ts";
import { withExactMembers } from "../json/exact-numbers.ts";
import { assertNoLookalikes, assertStorableText, parseJsonBody } from "../json/parse-json-body.ts";
import { hasCacheMark } from "../protocol/cache-marks.ts";
import { messagesLanguage } from "../protocol/languages.ts";
import type { RequestHeaders } from "../protocol/request-headers.ts";
import { isSealedReasoning } from "../responses/encrypted-reasoning.ts";
import { passedHeaders } from "./allowed-betas.ts";
import { callerParam } from "./caller-param.ts";
import { checkMessagesFields } from "./check-messages-fields.ts";
import { findLongCache, pricedFields } from "./priced-fields.ts";
import { isOwnTool, tokensPerAnthropicTool } from "./tool-kinds.ts";
import type { TranslationNotes } from "./translate-blocks.ts";
import { translateRequest } from "./translate-request.ts";

export type MessagesRequest = ChatRequest & {
  /** By the name a model sees, the caller's own names of tools that had to be renamed. */
  readonly toolNames: ReadonlyMap<string, string>;
};

/** Members with inputs of tools and schemas, whose numbers are not interpreted here. */
const passedOn = ["messages", "tools", "output_config", "output_format"];

const fieldLike = lookalikesOf("messages");

/** Source: `MessageCreateParams` of Anthropic's SDK. Throws Fault. */
export function parseMessagesRequest(raw: string, headers: RequestHeaders): MessagesRequest {
  return read(raw, headers, true);
}

/** A request whose tokens are to be counted: it needs no limit. Throws Fault. */
export function parseCountRequest(raw: string, headers: RequestHeaders): ChatRequest {
  return read(raw, headers, false);
}

function read(received: string, headers: RequestHeaders, needsMaxTokens: boolean): MessagesRequest {
  const raw = withoutClientRecords(received);
  const { members, parsed, structureBytes } = parseJsonBody(raw, agentBounds);
  checkMessagesFields(parsed, needsMaxTokens);
  assertNoLookalikes(members, fieldLike);
  assertStorableText(raw, parsed);
  const exact = withExactMembers(raw, parsed, passedOn);
  const { pivot, notes } = translateRequest(exact);
  const text = JSON.stringify(pivot);
  // The translation has a text of its own, and values whose texts are those of the caller's.
  const parsedBytes = 2 * structureBytes + text.length;
  const chat = describeChatRequest(text, findMembers(text), pivot, parsedBytes);
  const longCache = findLongCache(parsed);
  const priceChanging: PriceChange[] = [
    ...pricedFields(parsed),
    ...chat.priceChanging.filter(({ kind }) => kind !== "long_cache"),
  ];
  if (longCache !== undefined) priceChanging.push({ kind: "long_cache", name: longCache });
  const own = new Set(notes.untranslatable.map(({ param }) => param));
  for (const { name } of priceChanging) own.add(name);
  if (notes.firstImage !== undefined) own.add(notes.firstImage);
  return {
    ...chat,
    language: messagesLanguage,
    ...(notes.hasSealed ? withoutSealed(exact) : { raw, members }),
    promptStart: () => memberText(raw, members, "messages") ?? "",
    textBytes: Math.max(chat.textBytes, boundText(raw, members, parsed, notes)),
    firstImage: notes.firstImage,
    hidesReasoning: chat.hidesReasoning || hidesThinking(parsed),
    omitsThinking: isObject(parsed.thinking) && parsed.thinking.display === "omitted",
    untranslatable: notes.untranslatable,
    passedHeaders: passedHeaders(headers),
    priceChanging,
    hasCacheMarks: hasCacheMark(parsed),
    asked: parsed,
    toolNames: notes.toolNames,
    callerParam: (param) => (own.has(param) ? param : callerParam(param, parsed, pivot, notes)),
  };
}

/** The body for an upstream of this language, which cannot read the blocks that we encoded. */
function withoutSealed(body: JsonObject): Pick<ChatRequest, "raw" | "members"> {
  const messages: unknown[] = Array.isArray(body.messages) ? body.messages : [];
  const readable = messages.map((message) => {
    if (!isObject(message) || !Array.isArray(message.content)) return message;
    const content: unknown[] = message.content;
    return { ...message, content: content.filter((block) => !isSealed(block)) };
  });
  const raw = JSON.stringify({ ...body, messages: readable });
  return { raw, members: findMembers(raw) };
}

function isSealed(block: unknown): boolean {
  if (!isObject(block) || block.type !== "redacted_thinking") return false;
  return typeof block.data === "string" && isSealedReasoning(block.data);
}

/** What an upstream of this language reads, including the blocks that are not translated. */
function boundText(
  raw: string,
  members: JsonMembers,
  { tools }: JsonObject,
  { imageBytes }: TranslationNotes,
): number {
  const known = Array.isArray(tools) ? tools : [];
  const foreign = known.filter((tool: unknown) => isObject(tool) && !isOwnTool(tool)).length;
  const toolBytes = Buffer.byteLength(memberText(raw, members, "tools") ?? "");
  // Definitions are rendered again for the model.
  const bytes = Buffer.byteLength(raw) + toolBytes - imageBytes;
  return bytes + foreign * tokensPerAnthropicTool;
}

/** Thinking that is omitted or summarized is still billed. */
function hidesThinking({ thinking }: JsonObject): boolean {
  return isObject(thinking) && (thinking.display ?? "full") !== "full";
}
