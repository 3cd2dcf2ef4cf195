// The caller's own names for fields of the chat completion its request was translated to: what is refused
// behind the translation would otherwise name fields that the caller never wrote.
import { isObject, type JsonObject } from "@turnpike/base";
import { namesIn } from "../fields/known-fields.ts";
import { messageOrigin, type Origins } from "../protocol/message-origin.ts";

const toolPath = /^tools(?:\.?\[(\d+)\]|\.(\d+))\.(?:function|custom)\b(.*)$/;

/** What the Responses API calls fields of a chat completion. */
const names = namesIn("responses");

/** `param` is a path in `pivot`, the translation; a name that both have stays as it is. */
export function callerParam(param: string, pivot: JsonObject, origins: Origins): string {
  const origin = messageOrigin(param, pivot, origins) ?? toolOrigin(param, pivot, origins);
  if (origin !== undefined) return origin;
  if (param === "logprobs") return pivot.top_logprobs === undefined ? "include" : "top_logprobs";
  const [field = ""] = /^\w+/.exec(param) ?? [];
  const rest = param.slice(field.length);
  if (field === "tool_choice") return field + rest.replace(/^\.(?:function|custom)\b/, "");
  const own = names.get(field);
  if (own === undefined) return param;
  if (field === "messages") return own;
  return own + (field === "response_format" ? rest.replace(/^\.json_schema\b/, "") : rest);
}

/** Only members of a definition: a path that ends before them is the same in an upstream's own words. */
function toolOrigin(param: string, { tools }: JsonObject, origins: Origins): string | undefined {
  const [, bracketed, dotted, rest = ""] = toolPath.exec(param) ?? [];
  const position = bracketed ?? dotted;
  if (position === undefined || !Array.isArray(tools)) return undefined;
  const tool: unknown = tools[Number(position)];
  const origin = isObject(tool) ? origins.get(tool) : undefined;
  return origin === undefined
    ? undefined
    : origin + rest.replace(/^\.format\.grammar\b/, ".format");
}
