// Reads a request of OpenAI's older completions endpoint and translates it into the chat completion that
// every dialect supports: the prompt becomes the only message of the user.
import type { JsonObject } from "@turnpike/base";
import type { FieldBounds } from "../bounds.ts";
import { type ChatRequest, parseChatRequest } from "../chat/parse-chat-request.ts";
import { integer, text } from "../check-value.ts";
import { memberText } from "../edit-json-object.ts";
import { readJsonBody, refuseBrokenText } from "../read-json-body.ts";
import { emptyArray, missing, unsupported, wrongType } from "../refuse-body.ts";

/** No upstream shares it: every request is translated. */
export const completionsLanguage = "openai-completions";

/** How much the endpoint writes if the caller sets no limit. Source: OpenAI's API reference. */
const defaultMaxTokens = 16;

/** Sent by clients with values that ask for nothing; any other value is refused. */
const neutralValues: ReadonlyMap<string, readonly unknown[]> = new Map([
  ["suffix", [""]],
  ["echo", [false]],
  ["best_of", [1]],
  // A chat completion reports them in another shape. 0 asks for those of the chosen tokens.
  ["logprobs", [false]],
]);
/** Only in chat completions. */
export const refusedChatFields: readonly string[] = [
  ...["messages", "tools", "tool_choice", "functions", "function_call", "response_format"],
  ...["modalities", "audio", "max_completion_tokens", "top_logprobs"],
];

const maxTokens = integer(1, 2 ** 31 - 1);
const nonEmptyText = text({ nonEmpty: true });

/** What is checked here; the other fields are those of a chat completion. */
export const completionsBounds: FieldBounds = {
  prompt: {
    ...nonEmptyText.bounds,
    list: { minItems: 1, maxItems: 1, items: nonEmptyText.bounds },
  },
  max_tokens: maxTokens.bounds,
};

/** Source: OpenAI's API reference (`POST /completions`). Throws Fault. */
export function parseCompletionsRequest(raw: string): ChatRequest {
  const { members, parsed } = readJsonBody(raw);
  refuseBrokenText(raw, parsed);
  for (const [name, neutral] of neutralValues) {
    const value = parsed[name] ?? undefined;
    if (value !== undefined && !neutral.includes(value)) {
      throw unsupported(name, "This endpoint answers with a chat model.");
    }
  }
  for (const name of refusedChatFields) {
    const value = parsed[name] ?? undefined;
    if (value === undefined) continue;
    throw unsupported(name, "Use POST /v1/chat/completions instead.");
  }
  const chat: JsonObject = {};
  for (const name in parsed) {
    if (name !== "prompt" && !neutralValues.has(name)) chat[name] = parsed[name];
  }
  const limit = parsed.max_tokens ?? defaultMaxTokens;
  maxTokens(limit, "max_tokens");
  chat.max_tokens = limit;
  chat.messages = [{ role: "user", content: readPrompt(parsed.prompt) }];
  const promptStart = () => memberText(raw, members, "prompt") ?? "";
  const text = JSON.stringify(chat);
  const request = parseChatRequest(text);
  // The translation has a text of its own.
  const parsedBytes = (request.parsedBytes ?? 0) + text.length;
  return { ...request, language: completionsLanguage, raw, parsedBytes, promptStart };
}

/** One text; several of them, or tokens, would be several calls or need the model's own tokenizer. */
function readPrompt(prompt: unknown): string {
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
