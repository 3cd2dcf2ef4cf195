// The caller's own names for fields of the chat completion its request was translated to: what is refused
// behind the translation would otherwise name fields that the caller never wrote.
import { isObject, type JsonObject } from "@turnpike/base";
import type { TranslationNotes } from "./translate-blocks.ts";

const messagePath = /^messages(?:\.?\[(\d+)\]|\.(\d+))(.*)$/;
const memberPath = /^\.(content|tool_calls)(?:\.?\[(\d+)\]|\.(\d+))/;
const toolPath = /^tools(?:\.?\[(\d+)\]|\.(\d+))(.*)$/;

/** Fields outside of the conversation, in the order they are tried. */
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

/** `param` is a path in `pivot`, the translation of `body`; a name that both have stays as it is. */
export function callerParam(
  param: string,
  body: JsonObject,
  pivot: JsonObject,
  notes: TranslationNotes,
): string {
  const [, bracketed, dotted, rest = ""] = messagePath.exec(param) ?? [];
  const position = bracketed ?? dotted;
  if (position !== undefined)
    return messageParam(at(pivot.messages, position), rest, notes) ?? param;
  const tool = toolPath.exec(param);
  if (tool !== null) return `tools[${tool[1] ?? tool[2]}]${toolMember(tool[3] ?? "")}`;
  if (/^response_format\b/.test(param)) return formatParam(param, body);
  for (const [chat, own] of names) if (chat.test(param)) return param.replace(chat, own);
  return param;
}

/** The block that a part or a call was made of, else the message; members inside have other names. */
function messageParam(message: unknown, rest: string, notes: TranslationNotes): string | undefined {
  if (!isObject(message)) return undefined;
  const [, list = "", bracketed, dotted] = memberPath.exec(rest) ?? [];
  const part = at(message[list], bracketed ?? dotted ?? "");
  return (isObject(part) ? notes.origins.get(part) : undefined) ?? notes.origins.get(message);
}

function at(list: unknown, position: string): unknown {
  return Array.isArray(list) && position !== "" ? list[Number(position)] : undefined;
}

function toolMember(rest: string): string {
  return rest.replace(/^\.function\b/, "").replace(/^\.parameters\b/, ".input_schema");
}

function formatParam(param: string, { output_config: config }: JsonObject): string {
  const own =
    isObject(config) && isObject(config.format) ? "output_config.format" : "output_format";
  return param.replace(/^response_format(?:\.json_schema)?/, own);
}
