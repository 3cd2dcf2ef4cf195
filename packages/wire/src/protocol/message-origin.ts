// Where the messages of a translated request come from: a path into the chat completion leads to a part, a
// call or a message, which was made of something in the caller's own body.
import { isObject, type JsonObject } from "@turnpike/base";

/** Paths in the caller's own body, of objects of the translation. */
export type Origins = ReadonlyMap<JsonObject, string>;

const messagePath = /^messages(?:\.?\[(\d+)\]|\.(\d+))(.*)$/;
const memberPath = /^\.(content|tool_calls)(?:\.?\[(\d+)\]|\.(\d+))/;

/**
 * That of the part or the call in `param`, a path in `pivot`, else that of its message; members inside have
 * other names. Undefined for any other path, and for what the caller did not write.
 */
export function messageOrigin(
  param: string,
  pivot: JsonObject,
  origins: Origins,
): string | undefined {
  const [, bracketed, dotted, rest = ""] = messagePath.exec(param) ?? [];
  const message = at(pivot.messages, bracketed ?? dotted ?? "");
  if (!isObject(message)) return undefined;
  const [, list = "", bracketedPart, dottedPart] = memberPath.exec(rest) ?? [];
  const part = at(message[list], bracketedPart ?? dottedPart ?? "");
  return (isObject(part) ? origins.get(part) : undefined) ?? origins.get(message);
}

function at(list: unknown, position: string): unknown {
  return Array.isArray(list) && position !== "" ? list[Number(position)] : undefined;
}
