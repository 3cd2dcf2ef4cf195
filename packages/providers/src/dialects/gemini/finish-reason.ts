// Maps Gemini's finish reason to one of OpenAI's. Gemini says STOP after a call as well; a reason
// that means a broken answer is a failure, not a finish reason.
import type { FinishReason } from "@turnpike/wire";

const meanings: Readonly<Record<string, "length" | "content_filter" | "failure">> = {
  MAX_TOKENS: "length",
  SAFETY: "content_filter",
  RECITATION: "content_filter",
  LANGUAGE: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  IMAGE_SAFETY: "content_filter",
  IMAGE_PROHIBITED_CONTENT: "content_filter",
  IMAGE_RECITATION: "content_filter",
  MALFORMED_FUNCTION_CALL: "failure",
  MALFORMED_RESPONSE: "failure",
  UNEXPECTED_TOOL_CALL: "failure",
  TOO_MANY_TOOL_CALLS: "failure",
  MISSING_THOUGHT_SIGNATURE: "failure",
};

/** What a candidate has said by the time it stops. */
export type Said = "calls" | "text" | "nothing";

/** Unknown reasons mean "stop". OTHER is a failure if nothing was said. */
export function translateFinishReason(native: string, said: Said): FinishReason | "failure" {
  const meaning = Object.hasOwn(meanings, native) ? meanings[native] : undefined;
  if (meaning !== undefined) return meaning;
  if (native === "OTHER" && said === "nothing") return "failure";
  return said === "calls" ? "tool_calls" : "stop";
}
