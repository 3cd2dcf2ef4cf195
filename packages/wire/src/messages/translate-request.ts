// A request of Anthropic's messages API as the equivalent chat completions request. Every field is
// translated, known to be harmless (docs/clients.md lists those), or noted as one that only Anthropic
// supports.
import { isObject, type JsonObject } from "@turnpike/base";
import { isPreference, ownFieldsOf, rewrittenFieldsOf } from "../fields/known-fields.ts";
import { isOwnTool } from "./tool-kinds.ts";
import { TranslationNotes, toolNameOf } from "./translate-blocks.ts";
import { translateMessages, translateSystem } from "./translate-messages.ts";

export type Translation = { readonly pivot: JsonObject; readonly notes: TranslationNotes };

const own = ownFieldsOf("messages");
const rewritten = rewrittenFieldsOf("messages");

export function translateRequest(body: JsonObject): Translation {
  const notes = new TranslationNotes();
  const pivot: JsonObject = {};
  const unknown: string[] = [];
  for (const key in body) {
    if (rewritten.has(key) || (body[key] ?? null) === null) continue;
    if (own.has(key) || isPreference(key)) pivot[key] = body[key];
    else unknown.push(key);
  }
  const system = translateSystem(body.system, notes);
  pivot.messages = [...system, ...translateMessages(body.messages, notes)];
  if (Array.isArray(body.stop_sequences) && body.stop_sequences.length > 0) {
    pivot.stop = body.stop_sequences;
  }
  if (isObject(body.metadata) && typeof body.metadata.user_id === "string") {
    pivot.user = body.metadata.user_id;
  }
  translateTools(body, pivot, notes);
  translateThinking(body, pivot, notes);
  translateOutput(body, pivot);
  if (body.max_tokens === 0) {
    notes.refuse("max_tokens", "only Anthropic fills its prompt cache without an answer (0)");
  }
  // Last: the first note is the refusal that the caller reads, and parts of fields say more.
  for (const key of unknown) notes.refuse(key, "only Anthropic supports this field");
  return { pivot, notes };
}

function translateTools(body: JsonObject, pivot: JsonObject, notes: TranslationNotes): void {
  if (Array.isArray(body.tools) && body.tools.length > 0) {
    pivot.tools = body.tools.flatMap((tool: unknown, index) => {
      if (!isObject(tool)) return [];
      if (isOwnTool(tool)) return [translateTool(tool, notes)];
      notes.refuse(`tools[${index}].type`, "only Anthropic's models support Anthropic's own tools");
      return [];
    });
  }
  const choice = body.tool_choice;
  if (!isObject(choice)) return;
  // Only together with tools: chat completions refuse a choice without tools.
  if (pivot.tools !== undefined) pivot.tool_choice = translateChoice(choice);
  if (pivot.tools !== undefined && choice.disable_parallel_tool_use === true) {
    pivot.parallel_tool_calls = false;
  }
}

function translateTool(tool: JsonObject, notes: TranslationNotes): JsonObject {
  const name = toolNameOf(tool.name);
  if (name !== tool.name) notes.toolNames.set(name, String(tool.name));
  const definition: JsonObject = { name };
  if (typeof tool.description === "string") definition.description = tool.description;
  definition.parameters = tool.input_schema;
  if (typeof tool.strict === "boolean") definition.strict = tool.strict;
  const translated: JsonObject = { type: "function", function: definition };
  if (isObject(tool.cache_control)) translated.cache_control = tool.cache_control;
  return translated;
}

function translateChoice({ type, name }: JsonObject): unknown {
  if (type === "any") return "required";
  return type === "tool" ? { type: "function", function: { name: toolNameOf(name) } } : type;
}

/** OpenRouter's `reasoning` is the only way to ask for thinking in chat completions. */
function translateThinking(body: JsonObject, pivot: JsonObject, notes: TranslationNotes): void {
  const { thinking } = body;
  if (!isObject(thinking)) return;
  if (thinking.type === "enabled") pivot.reasoning = { max_tokens: thinking.budget_tokens };
  else if (thinking.type === "adaptive") pivot.reasoning = { enabled: true };
  else if (thinking.type === "disabled") pivot.reasoning = { enabled: false };
  else notes.refuse("thinking.type", "only Anthropic supports this kind of thinking");
}

function translateOutput(body: JsonObject, pivot: JsonObject): void {
  const config = outputConfigOf(body);
  if (typeof config.effort === "string") pivot.reasoning_effort = config.effort;
  const format = isObject(config.format) ? config.format : body.output_format;
  if (!isObject(format)) return;
  const schema = { name: "output", schema: format.schema, strict: true };
  pivot.response_format = { type: "json_schema", json_schema: schema };
}

/** As it is for the answer to come: instructions in the conversation can change it. */
function outputConfigOf({ output_config: first, messages }: JsonObject): JsonObject {
  const config: JsonObject = isObject(first) ? { ...first } : {};
  for (const message of Array.isArray(messages) ? messages.filter(isObject) : []) {
    if (message.role === "system" && isObject(message.output_config)) {
      Object.assign(config, message.output_config);
    }
  }
  return config;
}
