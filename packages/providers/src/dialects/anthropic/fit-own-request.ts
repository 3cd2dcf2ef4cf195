// What a request of Anthropic's own language cannot keep as its caller wrote it: thinking of other models,
// whose signatures Anthropic refuses, a thinking budget above the limit we lowered, and what clouds refuse.
import { isObject, type JsonObject } from "@turnpike/base";
import { memberText, parseExactly } from "@turnpike/wire";
import { readSignature } from "../gemini/thought-signature.ts";
import type { MessagesCall } from "./message-stream.ts";
import { leastBudget } from "./write-thinking.ts";

/** The members to set, as JSON texts; none if the caller's bytes can be sent unchanged. */
export function fitOwnRequest(call: MessagesCall): Record<string, string> {
  const set: Record<string, string> = {};
  const { raw, members } = call.request;
  const tools = withoutEagerness(call);
  if (tools !== undefined) set.tools = JSON.stringify(tools);
  const thinking = readMember(call, "thinking");
  const bounded = boundThinking(call, thinking);
  if (bounded !== undefined) set.thinking = JSON.stringify(bounded);
  // Most requests have no thinking in their history and are not parsed again.
  if (memberText(raw, members, "messages")?.includes("thinking") !== true) return set;
  const messages = readMember(call, "messages");
  if (!Array.isArray(messages) || !messages.some(hasForeignThinking)) return set;
  const kept = messages.map(withoutForeignThinking);
  set.messages = JSON.stringify(kept.filter((message) => !isEmptied(message)));
  if (isObject(thinking) && thinking.type === "enabled" && lacksThinking(kept)) {
    set.thinking = JSON.stringify({ type: "disabled" });
  }
  return set;
}

/** How soon inputs are streamed; clouds may refuse the member of a tool. */
const eagerness = "eager_input_streaming";

function withoutEagerness(call: MessagesCall): unknown[] | undefined {
  const { raw, members } = call.request;
  if (call.provider.cloud === undefined) return undefined;
  if (memberText(raw, members, "tools")?.includes(`"${eagerness}"`) !== true) return undefined;
  const tools = readMember(call, "tools");
  if (!Array.isArray(tools)) return undefined;
  return tools.map((tool: unknown) => {
    if (!isObject(tool)) return tool;
    const { [eagerness]: _, ...kept } = tool;
    return kept;
  });
}

function readMember({ request: { raw, members } }: MessagesCall, name: string): unknown {
  const text = memberText(raw, members, name);
  return text === undefined ? undefined : parseExactly(text);
}

/** Anthropic requires the budget to be below `max_tokens`. Undefined if nothing has to change. */
function boundThinking(
  { maxTokens, request }: MessagesCall,
  thinking: unknown,
): JsonObject | undefined {
  if (maxTokens === undefined || maxTokens === request.maxTokens) return undefined;
  if (!isObject(thinking) || typeof thinking.budget_tokens !== "number") return undefined;
  if (thinking.budget_tokens < maxTokens) return undefined;
  if (maxTokens - 1 < leastBudget) return { type: "disabled" };
  return { ...thinking, budget_tokens: maxTokens - 1 };
}

/** Written by a model of another provider: without a signature, or with one of Google's. */
function isForeign(block: unknown): boolean {
  if (!isObject(block)) return false;
  if (block.type === "redacted_thinking") return readSignature(block.data) !== undefined;
  if (block.type !== "thinking") return false;
  return (block.signature ?? "") === "" || readSignature(block.signature) !== undefined;
}

function hasForeignThinking(message: unknown): boolean {
  return isObject(message) && Array.isArray(message.content) && message.content.some(isForeign);
}

function withoutForeignThinking(message: unknown): unknown {
  if (!isObject(message) || !Array.isArray(message.content)) return message;
  return { ...message, content: message.content.filter((block) => !isForeign(block)) };
}

/** Anthropic refuses an answer without content. */
function isEmptied(message: unknown): boolean {
  if (!isObject(message) || message.role !== "assistant") return false;
  return Array.isArray(message.content) && message.content.length === 0;
}

/**
 * Whether the current turn has calls without the thinking that led to them: it continues without
 * thinking.
 */
function lacksThinking(messages: readonly unknown[]): boolean {
  const last = messages.findLast((message) => isObject(message) && message.role === "assistant");
  if (!isObject(last) || !Array.isArray(last.content)) return false;
  const blocks = last.content.filter(isObject);
  return (
    blocks.some(({ type }) => type === "tool_use") &&
    !blocks.some(({ type }) => type === "thinking" || type === "redacted_thinking")
  );
}
