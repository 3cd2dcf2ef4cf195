// What the scripted upstream needs to know about a request in Anthropic's language, in the terms of a
// chat: read leniently, and without the gateway's own parser.
import { type ChatBody, countPromptTokens, fieldsOf } from "./parse-chat-body.ts";

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return itemsOf(content)
    .map((block) => String(fieldsOf(block).text ?? ""))
    .join("");
}

/** Programs put their own notes before the user's text. */
function lastTextOf(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = itemsOf(content).map((block) => fieldsOf(block).text);
  return String(texts.findLast((text) => typeof text === "string") ?? "");
}

/** Reads a parsed request body. Streams always report usage. */
export function parseMessagesBody(parsed: unknown): ChatBody {
  const body = fieldsOf(parsed);
  const messages = itemsOf(body.messages).map(fieldsOf);
  const users = messages.filter(({ role }) => role === "user");
  const results = itemsOf(messages.at(-1)?.content)
    .map(fieldsOf)
    .filter(({ type }) => type === "tool_result");
  return {
    model: String(body.model ?? ""),
    stream: body.stream === true,
    includeUsage: true,
    choices: 1,
    maxTokens: typeof body.max_tokens === "number" ? body.max_tokens : undefined,
    lastUserText: lastTextOf(users.findLast(({ content }) => textOf(content) !== "")?.content),
    toolResult:
      results.length === 0 ? undefined : results.map(({ content }) => textOf(content)).join("\n"),
    tools: itemsOf(body.tools).map((tool) => {
      const { name, input_schema: parameters } = fieldsOf(tool);
      return { name: String(name ?? "tool"), parameters };
    }),
    asksThinking: ["enabled", "adaptive"].includes(String(fieldsOf(body.thinking).type)),
    promptTokens: countPromptTokens(parsed) + Math.ceil(textOf(body.system).length / 4),
  };
}
