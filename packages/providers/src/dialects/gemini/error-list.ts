// Google sends an error as an object or, on its streaming endpoints, as the one entry of a list.
import { type JsonObject, parseObject } from "@turnpike/base";

/** The object in `text`; a list becomes the `error` of one, which the reader of refusals looks into. */
export function parseGeminiBody(text: string): JsonObject | undefined {
  const trimmed = text.trim();
  return parseObject(trimmed.startsWith("[") ? `{"error":${trimmed}}` : trimmed);
}
