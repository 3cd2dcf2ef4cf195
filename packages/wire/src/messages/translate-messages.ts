// The conversation of an Anthropic request as chat messages: one turn may become several, because chat
// completions have a message per tool result and put tool calls beside the text.
import { isObject, type JsonObject } from "@turnpike/base";
import { type TranslationNotes, translateBlock, translateContent } from "./translate-blocks.ts";

/** The `system` field, as the first message; nothing where it is empty. */
export function translateSystem(system: unknown, notes: TranslationNotes): JsonObject[] {
  const parts = translateContent(system, "system", notes);
  return parts.length === 0 ? [] : [{ role: "system", content: compact(parts) }];
}

export function translateMessages(messages: unknown, notes: TranslationNotes): JsonObject[] {
  if (!Array.isArray(messages)) return [];
  const translated = messages.flatMap((message: unknown, index): JsonObject[] => {
    if (!isObject(message)) return [];
    const path = `messages[${index}]`;
    if (message.role === "assistant") return translateAssistant(message, path, notes);
    if (message.role === "user") return translateUser(message, path, notes);
    const content = compact(translateContent(message.content, `${path}.content`, notes));
    return [{ role: "system", content }];
  });
  if (translated.at(-1)?.role === "assistant") {
    const param = `messages[${messages.length - 1}].role`;
    notes.refuse(param, "the beginning of an answer (prefill) is continued by Anthropic only");
  }
  return translated;
}

/** A single text needs no list; some upstreams read only that form. */
function compact(parts: JsonObject[]): string | JsonObject[] {
  const [only] = parts;
  if (only === undefined) return "";
  const isPlain = parts.length === 1 && only.type === "text" && only.cache_control === undefined;
  return isPlain && typeof only.text === "string" ? only.text : parts;
}

/** Tool results come first: chat completions want them directly behind the calls. */
function translateUser(
  { content }: JsonObject,
  path: string,
  notes: TranslationNotes,
): JsonObject[] {
  if (!Array.isArray(content)) return [{ role: "user", content }];
  const results: JsonObject[] = [];
  const parts: JsonObject[] = [];
  content.forEach((block: unknown, index) => {
    if (!isObject(block)) return;
    const place = `${path}.content[${index}]`;
    if (block.type === "tool_result") results.push(translateResult(block, place, notes));
    else parts.push(...translateBlock(block, place, notes));
  });
  if (parts.length > 0 || results.length === 0) {
    results.push({ role: "user", content: compact(parts) });
  }
  return results;
}

function translateResult(block: JsonObject, path: string, notes: TranslationNotes): JsonObject {
  const content = compact(translateContent(block.content, `${path}.content`, notes));
  const message: JsonObject = { role: "tool", tool_call_id: block.tool_use_id, content };
  if (block.is_error === true) message.is_error = true;
  if (isObject(block.cache_control)) message.cache_control = block.cache_control;
  return message;
}

function translateAssistant(
  { content }: JsonObject,
  path: string,
  notes: TranslationNotes,
): JsonObject[] {
  if (!Array.isArray(content)) return [{ role: "assistant", content }];
  const parts: JsonObject[] = [];
  const calls: JsonObject[] = [];
  const details: JsonObject[] = [];
  content.forEach((block: unknown, position) => {
    if (!isObject(block)) return;
    const index = details.length;
    if (block.type === "thinking") {
      const signed = block.signature ? { signature: block.signature } : {};
      details.push({ type: "reasoning.text", text: block.thinking, ...signed, index });
    } else if (block.type === "redacted_thinking") {
      details.push({ type: "reasoning.encrypted", data: block.data, index });
    } else if (block.type === "tool_use") calls.push(translateCall(block));
    else parts.push(...translateBlock(block, `${path}.content[${position}]`, notes));
  });
  const message: JsonObject = { role: "assistant" };
  message.content = parts.length === 0 ? (calls.length > 0 ? null : "") : compact(parts);
  if (details.length > 0) message.reasoning_details = details;
  if (calls.length > 0) message.tool_calls = calls;
  return [message];
}

function translateCall(block: JsonObject): JsonObject {
  const { id, name, input, cache_control: mark } = block;
  const call = { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
  return isObject(mark) ? { ...call, cache_control: mark } : call;
}
