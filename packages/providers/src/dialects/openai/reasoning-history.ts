// The reasoning of earlier answers for services that read it in `reasoning_content` (the quirk `reasoningHistory`), and
// refuse calls of tools without it. Clients send it back under any of the names that an answer shows it by.
import { isObject, type JsonObject, parseText } from "@turnpike/base";

/** Of calls that another model made, or whose reasoning the client has lost: empty it would be refused. */
const missingReasoning = "I call a tool for this.";

/** `message` itself if nothing has to change. */
export function withReasoningContent(message: JsonObject): JsonObject {
  if (message.role !== "assistant" || parseText(message.reasoning_content) !== undefined) {
    return message;
  }
  const text = reasoningTextOf(message);
  if (text !== "") return { ...message, reasoning_content: text };
  const hasCalls = Array.isArray(message.tool_calls) && message.tool_calls.length > 0;
  return hasCalls ? { ...message, reasoning_content: missingReasoning } : message;
}

/** What can be read of the reasoning of an answer, under whichever name a client sends it back. */
export function reasoningTextOf(message: JsonObject): string {
  const named = parseText(message.reasoning_content) ?? parseText(message.reasoning);
  return named ?? joinReasoning(message.reasoning_details);
}

/** The readable text of `reasoning_details`. */
function joinReasoning(details: unknown): string {
  if (!Array.isArray(details)) return "";
  return details
    .filter(isObject)
    .map(({ text, summary }) => parseText(text) ?? parseText(summary) ?? "")
    .join("");
}
