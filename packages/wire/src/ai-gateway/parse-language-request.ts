// Reads a call of a language model by the AI SDK: its model and its kind are in headers, its options are checked here by their own
// names, and it is translated into the chat completion that every dialect supports.
import { isObject, type JsonObject } from "@turnpike/base";
import { checkChatFields } from "../chat/check-chat-fields.ts";
import { type ChatRequest, describeChatRequest } from "../chat/parse-chat-request.ts";
import { missing, unsupported } from "../checks/body-fault.ts";
import { isGiven, list, type Rule } from "../checks/check-value.ts";
import { agentBounds, type JsonBounds, memberText } from "../json/edit-json-object.ts";
import { withExactMembers } from "../json/exact-numbers.ts";
import { assertStorableText, parseJsonBody } from "../json/parse-json-body.ts";
import { toolNameOf } from "../messages/translate-blocks.ts";
import { aiGatewayLanguage } from "../protocol/languages.ts";
import { CallNotes, type CallWarning, type Specification } from "./call-notes.ts";
import { prompt, responseFormat, tool, toolChoice } from "./check-prompt.ts";
import { translateGatewayOptions } from "./gateway-options.ts";
import { translateProviderOptions } from "./provider-options.ts";
import { translatePrompt } from "./translate-prompt.ts";

/** What the headers of a call say. */
export type LanguageTarget = {
  readonly model: string;
  readonly stream: boolean;
  readonly specification: Specification;
};

export type LanguageRequest = ChatRequest & {
  readonly specification: Specification;
  /** What the answer goes without. */
  readonly warnings: readonly CallWarning[];
  /** By the name a model sees, the caller's own names of tools that had to be renamed. */
  readonly toolNames: ReadonlyMap<string, string>;
};

export const modelHeader = "ai-language-model-id";

/** Members with inputs of tools and schemas, whose numbers are not interpreted here. */
const passedOn = ["prompt", "tools", "responseFormat"];

const toolsMax = 128;
const checks: Readonly<Record<string, Rule>> = {
  tools: list(tool, { max: toolsMax, of: "objects" }),
  toolChoice,
  responseFormat,
};

/** The body itself was bounded, and its translation has more names and levels than it. */
const translationBounds: JsonBounds = {
  depth: agentBounds.depth + 8,
  keys: 4 * agentBounds.keys,
  separators: 4 * agentBounds.separators,
  containers: 4 * agentBounds.containers,
};

/** Source: `LanguageModelV2CallOptions` to `LanguageModelV4CallOptions` of @ai-sdk/provider. Throws Fault. */
export function parseLanguageRequest(raw: string, target: LanguageTarget): LanguageRequest {
  const { members, parsed, structureBytes } = parseJsonBody(raw, agentBounds);
  if (target.model === "") throw missing(modelHeader);
  if (parsed.prompt === undefined) throw missing("prompt");
  prompt(parsed.prompt, "prompt");
  for (const [name, check] of Object.entries(checks)) {
    if (isGiven(parsed[name])) check(parsed[name], name);
  }
  assertStorableText(raw, parsed);
  const notes = new CallNotes();
  const chat = translateCall(withExactMembers(raw, parsed, passedOn), target, notes);
  const text = JSON.stringify(chat);
  const request = notes.naming(chat, () => readTranslation(text));
  return {
    ...request,
    language: aiGatewayLanguage,
    raw,
    members,
    // With all digits of its numbers.
    parsed: chat,
    // The body itself, and a translation with a text of its own.
    parsedBytes: structureBytes + (request.parsedBytes ?? 0) + text.length,
    promptStart: () => memberText(raw, members, "prompt") ?? "",
    firstImage: notes.firstImage,
    asked: parsed,
    callerParam: (param) => notes.callerParam(param, chat),
    specification: target.specification,
    warnings: notes.warnings,
    toolNames: notes.toolNames,
  };
}

function readTranslation(text: string): ChatRequest {
  const { members, parsed, structureBytes } = parseJsonBody(text, translationBounds);
  checkChatFields(parsed);
  assertStorableText(text, parsed);
  return describeChatRequest(text, members, parsed, structureBytes);
}

/** What differs from a chat completion in nothing but its name. */
const renamed: ReadonlyMap<string, string> = new Map([
  ["maxOutputTokens", "max_tokens"],
  ["temperature", "temperature"],
  ["topP", "top_p"],
  ["topK", "top_k"],
  ["presencePenalty", "presence_penalty"],
  ["frequencyPenalty", "frequency_penalty"],
  ["seed", "seed"],
  ["stopSequences", "stop"],
]);

/** What is read besides, or asks for nothing: the SDK repeats its headers in the body. */
const read: ReadonlySet<string> = new Set([
  ...renamed.keys(),
  "prompt",
  "tools",
  "toolChoice",
  "responseFormat",
  "reasoning",
  "providerOptions",
  "headers",
  "includeRawChunks",
]);

function translateCall(body: JsonObject, target: LanguageTarget, notes: CallNotes): JsonObject {
  const chat: JsonObject = { model: target.model, stream: target.stream };
  notes.name("model", modelHeader);
  notes.name("messages", "prompt");
  for (const [name, chatName] of renamed) {
    if (isGiven(body[name])) chat[chatName] = body[name];
    notes.name(chatName, name);
  }
  if (Array.isArray(chat.stop) && chat.stop.length === 0) delete chat.stop;
  chat.messages = translatePrompt(body.prompt, notes);
  translateTools(body, chat, notes);
  translateFormat(body.responseFormat, chat, notes);
  translateReasoning(body.reasoning, chat, notes);
  translateGatewayOptions(body, chat, notes);
  translateProviderOptions(body, chat, notes);
  for (const name of Object.keys(body)) {
    if (!read.has(name) && isGiven(body[name])) notes.warn(name, "This option is not known here.");
  }
  return chat;
}

/** Searches of the web, which chat completions have a field for; by what the ids of the SDK's providers end with. */
const search = /[._](?:web_search(?:_preview|_\d+)?|google_search|perplexity_search)$/;

function translateTools(body: JsonObject, chat: JsonObject, notes: CallNotes): void {
  const offered = Array.isArray(body.tools) ? body.tools.filter(isObject) : [];
  const tools: JsonObject[] = [];
  for (const [index, entry] of offered.entries()) {
    const path = `tools[${index}]`;
    if (entry.type === "function") {
      notes.name(`tools[${tools.length}]`, path);
      notes.name(`tools[${tools.length}].function`, path);
      notes.name(`tools[${tools.length}].function.parameters`, `${path}.inputSchema`);
      tools.push(translateTool(entry, notes));
    } else if (search.test(String(entry.id))) {
      chat.web_search_options = {};
      notes.name("web_search_options", path);
    } else throw unsupported(`${path}.id`, "Providers run no tools here. Offer a function.");
  }
  notes.name("tools", "tools");
  if (tools.length === 0) return;
  chat.tools = tools;
  // Only together with tools: chat completions refuse a choice without tools.
  if (isObject(body.toolChoice)) chat.tool_choice = translateChoice(body.toolChoice);
  notes.name("tool_choice", "toolChoice");
}

function translateTool(entry: JsonObject, notes: CallNotes): JsonObject {
  const name = toolNameOf(entry.name);
  if (name !== entry.name) notes.toolNames.set(name, String(entry.name));
  const definition: JsonObject = { name };
  if (typeof entry.description === "string") definition.description = entry.description;
  definition.parameters = entry.inputSchema;
  if (isGiven(entry.strict)) definition.strict = entry.strict;
  return { type: "function", function: definition };
}

function translateChoice({ type, toolName }: JsonObject): unknown {
  if (type !== "tool") return type;
  return { type: "function", function: { name: toolNameOf(toolName) } };
}

const defaultSchemaName = "response";

function translateFormat(format: unknown, chat: JsonObject, notes: CallNotes): void {
  notes.name("response_format", "responseFormat");
  if (!isObject(format) || format.type !== "json") return;
  const { schema, name, description } = format;
  if (!isObject(schema)) {
    chat.response_format = { type: "json_object" };
    return;
  }
  notes.name("response_format.json_schema", "responseFormat");
  const named = typeof name === "string" && name !== "" ? toolNameOf(name) : defaultSchemaName;
  const described = typeof description === "string" ? { description } : {};
  chat.response_format = {
    type: "json_schema",
    json_schema: { name: named, ...described, schema },
  };
}

/** The effort of specification 4, which outweighs no option of a provider. */
function translateReasoning(effort: unknown, chat: JsonObject, notes: CallNotes): void {
  if (!isGiven(effort) || effort === "provider-default") return;
  chat.reasoning = effort === "none" ? { enabled: false } : { effort };
  notes.name("reasoning.effort", "reasoning");
  notes.name("reasoning", "reasoning");
}
