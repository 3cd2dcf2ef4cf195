// The pivot of a request with the numbers of its schemas as the caller wrote them, for dialects that translate it.
import type { JsonObject } from "@turnpike/base";
import { withExactMembers } from "../json/exact-numbers.ts";
import { chatLanguage } from "../protocol/languages.ts";
import type { ChatRequest } from "./parse-chat-request.ts";

/** The chat completion that a request was parsed to, for a dialect that translates it. */
export function exactPivot({ language, raw, parsed }: ChatRequest): JsonObject {
  // Protocols that translate their own requests have kept the digits.
  if (language !== chatLanguage) return parsed;
  return withExactMembers(raw, parsed, ["tools", "response_format"]);
}
