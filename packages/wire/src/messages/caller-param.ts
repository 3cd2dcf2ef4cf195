// The caller's own names for fields of the chat completion its request was translated to: refusals
// after the translation would otherwise name fields that the caller never wrote.
import { isObject, type JsonObject } from "@turnpike/base";
import { namesIn } from "../fields/known-fields.ts";
import { messageOrigin } from "../protocol/message-origin.ts";
import type { TranslationNotes } from "./translate-blocks.ts";

const toolPath = /^tools(?:\.?\[(\d+)\]|\.(\d+))(.*)$/;

/** What Anthropic calls fields of a chat completion. */
const names = namesIn("messages");

/** `param` is a path in `pivot`, the translation of `body`; a name that both have stays unchanged. */
export function callerParam(
  param: string,
  body: JsonObject,
  pivot: JsonObject,
  notes: TranslationNotes,
): string {
  const origin = messageOrigin(param, pivot, notes.origins);
  if (origin !== undefined) return origin;
  const tool = toolPath.exec(param);
  if (tool !== null) return `tools[${tool[1] ?? tool[2]}]${toolMember(tool[3] ?? "")}`;
  if (/^response_format\b/.test(param)) return formatParam(param, body);
  if (param === "reasoning.effort") return names.get("reasoning_effort") ?? param;
  const [field = ""] = /^\w+/.exec(param) ?? [];
  const rest = param.slice(field.length);
  if (field === "tool_choice") return field + rest.replace(/^\.function\b/, "");
  if (param === "reasoning.max_tokens") return "thinking.budget_tokens";
  const own = names.get(field);
  return own === undefined ? param : own + rest;
}

function toolMember(rest: string): string {
  return rest.replace(/^\.function\b/, "").replace(/^\.parameters\b/, ".input_schema");
}

function formatParam(param: string, { output_config: config }: JsonObject): string {
  const own =
    isObject(config) && isObject(config.format) ? "output_config.format" : "output_format";
  return param.replace(/^response_format(?:\.json_schema)?/, own);
}
