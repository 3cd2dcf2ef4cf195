// The caller's own names for fields of the chat completion its request was translated to: refusals
// after the translation would otherwise name fields that the caller never wrote.
import { isObject, type JsonObject } from "@turnpike/base";
import { namesIn } from "../fields/known-fields.ts";
import type { TranslationNotes } from "../messages/translate-blocks.ts";
import { messageOrigin } from "../protocol/message-origin.ts";
import { searchPath } from "./translate-tools.ts";

const toolPath = /^tools(?:\.?\[(\d+)\]|\.(\d+))(.*)$/;

/** What Gemini calls fields of a chat completion. */
const names = namesIn("gemini");

/** `param` is a path in `pivot`, the translation of `body`; a name that both have stays unchanged. */
export function callerParam(
  param: string,
  body: JsonObject,
  pivot: JsonObject,
  { origins }: TranslationNotes,
): string {
  const origin = messageOrigin(param, pivot, origins);
  if (origin !== undefined) return origin;
  const [, bracketed, dotted, member = ""] = toolPath.exec(param) ?? [];
  const tools: readonly unknown[] = Array.isArray(pivot.tools) ? pivot.tools : [];
  const tool = tools[Number(bracketed ?? dotted ?? -1)];
  const declared = isObject(tool) ? origins.get(tool) : undefined;
  // A path in the caller's own tools begins in the same way.
  if (declared !== undefined && !member.startsWith(".functionDeclarations"))
    return declared + member.replace(/^\.function\b/, "");
  if (param === "service_tier") return "serviceTier";
  if (param === "web_search_options") return searchPath(body) ?? param;
  if (param === "reasoning.effort") return "generationConfig.thinkingConfig.thinkingLevel";
  if (param === "reasoning.max_tokens") return "generationConfig.thinkingConfig.thinkingBudget";
  const [field = ""] = /^\w+/.exec(param) ?? [];
  return names.get(field) ?? param;
}
