// Messages without the members that a service does not know.
import { isObject, type JsonObject } from "@turnpike/base";

/** `message`, its parts and its calls without the `dropped` members. */
export function withoutMembers(message: JsonObject, dropped: readonly string[]): JsonObject {
  const kept = omit(message, dropped);
  if (Array.isArray(message.content)) kept.content = omitFromEach(message.content, dropped);
  if (Array.isArray(message.tool_calls)) {
    kept.tool_calls = omitFromEach(message.tool_calls, dropped);
  }
  return kept;
}

export function omitFromEach(entries: readonly unknown[], dropped: readonly string[]): unknown[] {
  return entries.map((entry) => (isObject(entry) ? omit(entry, dropped) : entry));
}

export function omit(source: JsonObject, dropped: readonly string[]): JsonObject {
  const kept: JsonObject = {};
  for (const key in source) if (!dropped.includes(key)) kept[key] = source[key];
  return kept;
}
