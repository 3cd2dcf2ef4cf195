// Images and files among the results of tools for services that read only text there: they follow the results in a
// message of the user.
import { isObject, type JsonObject } from "@turnpike/base";

/** `messages` itself where they have no media. */
export function moveMedia(messages: readonly JsonObject[]): readonly JsonObject[] {
  if (!messages.some(hasMedia)) return messages;
  const moved: JsonObject[] = [];
  let shown: JsonObject[] = [];
  for (const message of messages) {
    if (message.role !== "tool" && shown.length > 0) {
      moved.push({ role: "user", content: shown });
      shown = [];
    }
    if (hasMedia(message)) {
      for (const part of partsOf(message).filter(isMedia)) shown.push(part);
      moved.push(withoutMedia(message));
    } else moved.push(message);
  }
  if (shown.length > 0) moved.push({ role: "user", content: shown });
  return moved;
}

function hasMedia(message: JsonObject): boolean {
  return message.role === "tool" && partsOf(message).some(isMedia);
}

function withoutMedia(message: JsonObject): JsonObject {
  const texts = partsOf(message).filter((part) => !isMedia(part));
  const note = { type: "text", text: "(The result of this tool follows in the next message.)" };
  return { ...message, content: texts.length > 0 ? texts : [note] };
}

function partsOf({ content }: JsonObject): readonly JsonObject[] {
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function isMedia({ type }: JsonObject): boolean {
  return type === "image_url" || type === "file";
}
