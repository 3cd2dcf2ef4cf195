// Items of clients that no provider but OpenAI's own backend knows, as what every provider has: the summary of a
// compaction, and what Codex's agents say to each other. Positions of items stay as they are, for refusals.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import type { RequestHeaders } from "../protocol/request-headers.ts";
import { isCompacted, openSummary } from "./compaction.ts";

/** `body` itself if there is none. Throws the Fault of a summary that cannot be read. */
export function rewriteItems(body: JsonObject, headers: RequestHeaders): JsonObject {
  const { input } = body;
  if (!Array.isArray(input)) return body;
  if (!input.some((item) => isObject(item) && (isCompacted(item) || isOfAgent(item)))) return body;
  return {
    ...body,
    input: input.map((item: unknown, index) => {
      if (!isObject(item)) return item;
      if (isCompacted(item)) return openSummary(item, `input[${index}]`, headers);
      return isOfAgent(item) ? asMessage(item) : item;
    }),
  };
}

function isOfAgent({ type }: JsonObject): boolean {
  return type === "agent_message";
}

/** What Codex calls encrypted is plain text, because no tool is offered with encrypted arguments. */
function asMessage({ author, recipient, content }: JsonObject): JsonObject {
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  const texts = parts.map(
    (part) => parseText(part.text) ?? parseText(part.encrypted_content) ?? "",
  );
  const from = parseText(author) ?? "another agent";
  const to = parseText(recipient) ?? "you";
  const text = `Message from ${from} to ${to}:\n\n${texts.join("\n\n")}`;
  return { type: "message", role: "user", content: text };
}
