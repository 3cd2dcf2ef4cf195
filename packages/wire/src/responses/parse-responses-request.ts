// Reads a request for a response: checks each field, refuses what needs stored responses, and translates the rest
// into the chat completion that every dialect supports. The caller's own text is kept with it.
import { type Fault, isObject, type JsonObject, parseText } from "@turnpike/base";
import {
  type ChatRequest,
  chatFieldLike,
  describeChatRequest,
  type Untranslatable,
} from "../chat/parse-chat-request.ts";
import { badValue, brokenRule, missing } from "../checks/body-fault.ts";
import { isGiven } from "../checks/check-value.ts";
import { withoutClientRecords } from "../checks/client-records.ts";
import {
  assertNoRefusedField,
  checkFields,
  lookalikesOf,
  refusalsOf,
  ruleOf,
  rulesOf,
} from "../fields/check-fields.ts";
import { rewrittenFieldsOf } from "../fields/known-fields.ts";
import { agentBounds, findMembers, memberText } from "../json/edit-json-object.ts";
import { withExactMembers } from "../json/exact-numbers.ts";
import { assertNoLookalikes, assertStorableText, parseJsonBody } from "../json/parse-json-body.ts";
import { responsesLanguage } from "../protocol/languages.ts";
import { isPrivate, type Memory } from "../protocol/memory.ts";
import type { RequestHeaders } from "../protocol/request-headers.ts";
import { callerParam } from "./caller-param.ts";
import { askForSummary, compactionLanguage, sealSummary, withoutTrigger } from "./compaction.ts";
import { applyConfigurationUpdates } from "./configuration-update.ts";
import { askForImages, imageToolType } from "./image-tool.ts";
import { type OfferedTools, ToolOffer } from "./offered-tools.ts";
import { withPlainArguments } from "./plain-arguments.ts";
import { rewriteItems } from "./rewrite-items.ts";
import { translateItems } from "./translate-items.ts";

export type ResponsesRequest = ChatRequest & {
  /** The body as the caller sent it, without the tools that were dropped and with updated settings. */
  readonly asked: JsonObject;
  readonly offered: OfferedTools;
  /** The fields of `asked` that are not as in `raw`. */
  readonly changedFields: readonly string[];
  /** Whether later requests may refer to the items of its answer. */
  readonly keepsItems: boolean;
  /** What of it is kept, and what it continues; absent if nothing. */
  readonly memory?: Memory;
  /** Of a request for a compaction: `encrypted_content` of an item with this summary. */
  readonly sealSummary?: (summary: string) => string;
};

const fieldLike = lookalikesOf("responses");
const refusals = refusalsOf("responses");
const checkModel = ruleOf("responses", "model");
const checkInput = ruleOf("responses", "input");
const rules = rulesOf("responses");

/** Members with inputs of tools and schemas, whose numbers are not interpreted here. */
const passedOn = ["input", "tools", "text"];

/** Source: OpenAI's API reference (`POST /responses`). Throws Fault. */
export function parseResponsesRequest(received: string, headers: RequestHeaders): ResponsesRequest {
  const raw = withoutClientRecords(received);
  const { members, parsed, structureBytes } = parseJsonBody(raw, agentBounds);
  const exact = withExactMembers(raw, parsed, passedOn);
  const offering = withPlainArguments(omitSearchOfCodex(rewriteItems(exact, headers), headers));
  assertNoRefusedField(refusals, offering);
  const toCompact = withoutTrigger(offering.input);
  checkResponsesFields(toCompact === undefined ? offering : { ...offering, input: toCompact });
  const settled = applyConfigurationUpdates(offering);
  const asked = toCompact === undefined ? settled : askForSummary(settled, toCompact);
  assertNoLookalikes(members, fieldLike);
  assertStorableText(raw, asked);
  const offer = collectTools(asked);
  const { messages, firstImage, origins } = translateItems(asked.instructions, asked.input);
  const pivot = translateFields(asked, offer, messages);
  const text = JSON.stringify(pivot);
  const pivotMembers = findMembers(text);
  assertNoLookalikes(pivotMembers, chatFieldLike);
  // The translation has a text of its own, and values whose texts are those of the caller's.
  const parsedBytes = 2 * structureBytes + text.length;
  const chat = describeChatRequest(text, pivotMembers, pivot, parsedBytes);
  return {
    ...chat,
    language: responsesLanguage,
    raw,
    members,
    asked,
    promptStart: () => memberText(raw, members, "input") ?? "",
    textBytes: chat.textBytes + boundAdditions(offer.names, messages),
    firstImage,
    untranslatable: findUntranslatable(asked),
    callerParam: (param) => callerParam(param, pivot, new Map([...origins, ...offer.origins])),
    offered: offer.names,
    changedFields: changeable.filter((field) => asked[field] !== exact[field]),
    keepsItems: keepsItems(asked, chat),
    ...(toCompact !== undefined && compaction(headers)),
  };
}

/**
 * Checks the fields, each by its own rule; others are those of a chat completion, or are passed on. Null means absent.
 * Throws Fault.
 */
function checkResponsesFields(body: JsonObject): void {
  if (!isGiven(body.model)) throw missing("model");
  checkModel(body.model, "model");
  if (!isGiven(body.input)) throw missing("input");
  checkInput(body.input, "input");
  checkFields(rules, body);
  if (body.stream !== true && isObject(body.stream_options)) {
    throw brokenRule(
      "stream_options",
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    );
  }
}

/** What the caller is shown of a summary is sealed, like hidden reasoning. */
function compaction(headers: RequestHeaders) {
  return {
    language: compactionLanguage,
    hidesReasoning: true,
    sealSummary: (summary: string) => sealSummary(summary, headers),
  };
}

const changeable = ["tools", "reasoning", "text", "input"];

function keepsItems({ store }: JsonObject, chat: ChatRequest): boolean {
  return store !== false && !isPrivate(chat);
}

/** `context` has no effect without stored responses. */
const knownReasoning = new Set(["effort", "summary", "generate_summary", "context"]);

/** What only an upstream with `/responses` supports. */
function findUntranslatable({ reasoning }: JsonObject): Untranslatable[] {
  if (!isObject(reasoning)) return [];
  const unknown = Object.keys(reasoning).filter(
    (name) => !knownReasoning.has(name) && (reasoning[name] ?? null) !== null,
  );
  const problem = "a chat completion has no counterpart for it";
  return unknown.map((name) => ({ param: `reasoning.${name}`, problem }));
}

/** More than a dialect adds if a function represents a custom tool, or a note replaces an image. */
const additionMaxBytes = 512;

function boundAdditions(offered: OfferedTools, messages: readonly JsonObject[]): number {
  let additions = 0;
  for (const { kind } of offered.values()) if (kind === "custom") additions += 1;
  for (const { role, content } of messages) {
    if (role === "tool" && Array.isArray(content)) additions += 1;
  }
  return additions * additionMaxBytes;
}

/**
 * Codex offers `web_search` with every request unless its configuration says otherwise, and works
 * without it; the response shows that it was not among the tools.
 */
function omitSearchOfCodex(body: JsonObject, headers: RequestHeaders): JsonObject {
  const isCodex = headers.get("originator")?.startsWith("codex") === true;
  if (!isCodex || !Array.isArray(body.tools)) return body;
  const tools = body.tools.filter((tool) => !isObject(tool) || tool.type !== "web_search");
  return tools.length === body.tools.length ? body : { ...body, tools };
}

/** From `tools`, and from the items that add further ones in the course of a conversation. */
function collectTools({ tools, input }: JsonObject): ToolOffer {
  const offer = new ToolOffer();
  offer.addAll(tools, "tools");
  if (!Array.isArray(input)) return offer;
  input.forEach((item: unknown, index) => {
    if (!isObject(item)) return;
    const brings = item.type === "additional_tools" || item.type === "tool_search_output";
    if (brings) offer.addAll(item.tools, `input[${index}].tools`);
  });
  return offer;
}

const rewritten = rewrittenFieldsOf("responses");

function translateFields(
  asked: JsonObject,
  offer: ToolOffer,
  messages: readonly JsonObject[],
): JsonObject {
  const chat: JsonObject = {};
  for (const key in asked) if (!rewritten.has(key)) chat[key] = asked[key];
  chat.messages = messages;
  const choice = translateToolChoice(asked.tool_choice, offer);
  const tools = offer.definitions;
  if (offer.imageTool !== undefined && asked.tool_choice !== "none") {
    Object.assign(chat, askForImages(offer.imageTool, wantsOnlyImages(asked.tool_choice, tools)));
  }
  if (tools.length > 0) chat.tools = tools;
  if (choice !== undefined) chat.tool_choice = choice;
  if (tools.length > 0 && typeof asked.parallel_tool_calls === "boolean") {
    chat.parallel_tool_calls = asked.parallel_tool_calls;
  }
  if (typeof asked.max_output_tokens === "number") {
    chat.max_completion_tokens = asked.max_output_tokens;
  }
  const effort = isObject(asked.reasoning) ? parseText(asked.reasoning.effort) : undefined;
  if (effort !== undefined) chat.reasoning_effort = effort;
  return Object.assign(chat, translateText(asked.text), translateLogprobs(asked));
}

function translateText(text: unknown): JsonObject {
  if (!isObject(text)) return {};
  const fields: JsonObject = {};
  const verbosity = parseText(text.verbosity);
  if (verbosity !== undefined) fields.verbosity = verbosity;
  if (!isObject(text.format) || text.format.type === "text") return fields;
  const { type, ...schema } = text.format;
  fields.response_format = type === "json_schema" ? { type, json_schema: schema } : { type };
  return fields;
}

function translateLogprobs({ top_logprobs: top, include }: JsonObject): JsonObject {
  const asks = Array.isArray(include) && include.includes("message.output_text.logprobs");
  const count = typeof top === "number" ? top : 0;
  if (!asks && count === 0) return {};
  return count > 0 ? { logprobs: true, top_logprobs: count } : { logprobs: true };
}

/**
 * `tool_choice` as chat completions spell it. A list of allowed tools becomes the list of the offered tools: for a
 * model that is the same, and every upstream supports it. Undefined omits the field. Throws the Fault of a tool that is
 * not offered.
 */
function translateToolChoice(choice: unknown, offer: ToolOffer): unknown {
  if (isObject(choice)) {
    if (choice.type === imageToolType) {
      if (offer.imageTool !== undefined) return undefined;
      throw noImageTool("tool_choice.type");
    }
    return choice.type === "allowed_tools" ? allow(choice, offer) : choiceOf(choice, offer);
  }
  if (offer.definitions.length > 0) return choice ?? undefined;
  // Upstreams refuse a choice without tools, even the one that is their default.
  if (choice === "required" && offer.imageTool === undefined)
    throw badValue("tool_choice", "'required' needs at least one tool.");
  return undefined;
}

function wantsOnlyImages(choice: unknown, functions: readonly JsonObject[]): boolean {
  if (!isObject(choice)) return choice === "required" && functions.length === 0;
  if (choice.type === imageToolType) return true;
  return choice.mode === "required" && functions.length === 0;
}

function choiceOf(choice: JsonObject, offer: ToolOffer): JsonObject {
  const name = findChosen(choice, offer, "tool_choice.name");
  // The client's search is a function to the model.
  const type = offer.names.get(name)?.kind === "custom" ? "custom" : "function";
  return { type, [type]: { name } };
}

function allow(choice: JsonObject, offer: ToolOffer): unknown {
  const allowed = Array.isArray(choice.tools) ? choice.tools.filter(isObject) : [];
  const functions = allowed.filter(({ type }) => type !== imageToolType);
  if (functions.length === allowed.length) offer.imageTool = undefined;
  else if (offer.imageTool === undefined) throw noImageTool("tool_choice.tools");
  const names = functions.map((tool, index) =>
    findChosen(tool, offer, `tool_choice.tools[${index}].name`),
  );
  offer.keepOnly(new Set(names));
  // Upstreams refuse a choice without tools.
  return names.length > 0 ? choice.mode : undefined;
}

function noImageTool(path: string): Fault {
  return badValue(path, `the tool '${imageToolType}' is not in 'tools'.`);
}

function findChosen(tool: JsonObject, offer: ToolOffer, path: string): string {
  const name = parseText(tool.name) ?? "";
  const found = offer.find(name, parseText(tool.namespace));
  if (found !== undefined) return found;
  throw badValue(path, `the tool '${name.slice(0, 100)}' is not in 'tools'.`);
}
