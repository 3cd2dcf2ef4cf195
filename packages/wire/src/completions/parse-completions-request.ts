// Reads a request of OpenAI's older completions endpoint and translates it into the chat completion that
// every dialect supports: the prompt becomes the only message of the user.
import type { JsonObject } from "@turnpike/base";
import { type ChatRequest, parseChatRequest } from "../chat/parse-chat-request.ts";
import { emptyArray, missing, unsupported, wrongType } from "../checks/body-fault.ts";
import { text } from "../checks/check-value.ts";
import { assertNoRefusedField, refusalsOf, ruleOf } from "../fields/check-fields.ts";
import { rewrittenFieldsOf } from "../fields/known-fields.ts";
import { memberText } from "../json/edit-json-object.ts";
import { assertStorableText, parseJsonBody } from "../json/parse-json-body.ts";
import { completionsLanguage } from "../protocol/languages.ts";

/** How much the endpoint writes if the caller sets no limit. Source: OpenAI's API reference. */
const defaultMaxTokens = 16;

const maxTokens = ruleOf("completions", "max_tokens");
const nonEmptyText = text({ nonEmpty: true });
const refusals = refusalsOf("completions");
const rewritten = rewrittenFieldsOf("completions");

/** Source: OpenAI's API reference (`POST /completions`). Throws Fault. */
export function parseCompletionsRequest(raw: string): ChatRequest {
  const { members, parsed } = parseJsonBody(raw);
  assertStorableText(raw, parsed);
  assertNoRefusedField(refusals, parsed);
  const chat: JsonObject = {};
  for (const name in parsed) if (!rewritten.has(name)) chat[name] = parsed[name];
  const limit = parsed.max_tokens ?? defaultMaxTokens;
  maxTokens(limit, "max_tokens");
  chat.max_tokens = limit;
  chat.messages = [{ role: "user", content: parsePrompt(parsed.prompt) }];
  const promptStart = () => memberText(raw, members, "prompt") ?? "";
  const text = JSON.stringify(chat);
  const request = parseChatRequest(text);
  // The translation has a text of its own.
  const parsedBytes = (request.parsedBytes ?? 0) + text.length;
  return { ...request, language: completionsLanguage, raw, parsedBytes, promptStart };
}

/** One text; several of them, or tokens, would be several calls or need the model's own tokenizer. */
function parsePrompt(prompt: unknown): string {
  if (prompt === undefined || prompt === null) throw missing("prompt");
  const isList = Array.isArray(prompt) && prompt.length === 1;
  const single: unknown = isList ? prompt[0] : prompt;
  if (Array.isArray(single)) {
    if (single.length === 0) throw emptyArray("prompt");
    const what = typeof single[0] === "string" ? "Several prompts" : "Arrays of tokens";
    throw unsupported("prompt", `${what} are not supported. Send one prompt as a string.`);
  }
  if (typeof single !== "string") throw wrongType("prompt", "a string", single);
  nonEmptyText(single, isList ? "prompt[0]" : "prompt");
  return single;
}
