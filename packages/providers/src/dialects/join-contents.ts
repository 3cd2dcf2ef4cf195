// Contents of several messages as one: texts become one text, anything else one list of parts. What is joined is
// collected first, so that joining is work in proportion to it.
import type { JsonObject } from "@turnpike/base";

/** A message, or the result of a call, with what further ones add to its content. */
export type Growing = { message: JsonObject; readonly added: unknown[] };

export function growing(message: JsonObject): Growing {
  return { message, added: [] };
}

/** A caller may send several results of one call: it failed if one of them says so. */
export function addResult(first: Growing, { content, is_error: failed }: JsonObject): void {
  first.added.push(content);
  if (failed === true && first.message.is_error !== true) {
    first.message = { ...first.message, is_error: true };
  }
}

/** The message itself where nothing was added. */
export function joinAdded({ message, added }: Growing): JsonObject {
  if (added.length === 0) return message;
  return { ...message, content: joinContents([message.content, ...added]) };
}

function joinContents(contents: readonly unknown[]): unknown {
  const isText = contents.every((content) => typeof content === "string");
  if (isText) return contents.filter((text) => text !== "").join("\n\n");
  return contents.flatMap(partsOf);
}

function partsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
}
