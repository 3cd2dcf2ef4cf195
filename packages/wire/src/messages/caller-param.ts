// The caller's own names for fields of the chat completion its request was translated to: refusals
// after the translation would otherwise name fields that the caller never wrote.
import { isObject, type JsonObject } from "@turnpike/base";
import { messageOrigin } from "../message-origin.ts";
import type { TranslationNotes } from "./translate-blocks.ts";

const toolPath = /^tools(?:\.?\[(\d+)\]|\.(\d+))(.*)$/;

/** Fields outside the conversation, in the order they are tried. */
const names: readonly (readonly [chat: RegExp, own: string])[] = [
  [/^parallel_tool_calls$/, "tool_choice.disable_parallel_tool_use"],
  [/^tool_choice\.function\b/, "tool_choice"],
  [/^reasoning(?:_|\.)effort$/, "output_config.effort"],
  [/^reasoning\.max_tokens$/, "thinking.budget_tokens"],
  [/^reasoning\b/, "thinking"],
  [/^stop\b/, "stop_sequences"],
  [/^user$/, "metadata.user_id"],
  [/^max_completion_tokens$/, "max_tokens"],
];

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
  for (const [chat, own] of names) if (chat.test(param)) return param.replace(chat, own);
  return param;
}

function toolMember(rest: string): string {
  return rest.replace(/^\.function\b/, "").replace(/^\.parameters\b/, ".input_schema");
}

function formatParam(param: string, { output_config: config }: JsonObject): string {
  const own =
    isObject(config) && isObject(config.format) ? "output_config.format" : "output_format";
  return param.replace(/^response_format(?:\.json_schema)?/, own);
}
