// The conversation of an Anthropic request as chat messages: one turn may become several, because chat
// completions have one message per tool result and put tool calls beside the text.
import { isObject, type JsonObject } from "@turnpike/base";
import { openReasoning } from "../responses/encrypted-reasoning.ts";
import {
  type TranslationNotes,
  toolNameOf,
  translateBlock,
  translateContent,
} from "./translate-blocks.ts";
import { type Turn, turnsOf } from "./turns-of.ts";

/** The `system` field, as the first message; nothing if it is empty. */
export function translateSystem(system: unknown, notes: TranslationNotes): JsonObject[] {
  const parts = translateContent(system, "system", notes);
  return parts.length === 0
    ? []
    : [notes.locate({ role: "system", content: compact(parts) }, "system")];
}

/** One that ends with an answer stays as it is: each dialect sends its beginning as its provider takes it. */
export function translateMessages(messages: unknown, notes: TranslationNotes): JsonObject[] {
  if (!Array.isArray(messages)) return [];
  return turnsOf(messages).flatMap((turn): JsonObject[] => {
    if (turn.role === "assistant") return [translateAssistant(turn, notes)];
    if (turn.role === "user") return translateUser(turn, notes);
    const parts = turn.blocks.flatMap(({ block, path }) => translateBlock(block, path, notes));
    // One without text only configures the answers.
    if (parts.length === 0) return [];
    return [notes.locate({ role: "system", content: compact(parts) }, turn.path)];
  });
}

/** A single text needs no list; some upstreams read only that form. */
function compact(parts: JsonObject[]): string | JsonObject[] {
  const [only] = parts;
  if (only === undefined) return "";
  const isPlain = parts.length === 1 && only.type === "text" && only.cache_control === undefined;
  return isPlain && typeof only.text === "string" ? only.text : parts;
}

/** Tool results come first: chat completions require them directly after the calls. */
function translateUser({ blocks, path: own }: Turn, notes: TranslationNotes): JsonObject[] {
  const results: JsonObject[] = [];
  const parts: JsonObject[] = [];
  for (const { block, path } of blocks) {
    if (block.type === "tool_result") results.push(translateResult(block, path, notes));
    else parts.push(...translateBlock(block, path, notes));
  }
  if (parts.length > 0 || results.length === 0) {
    results.push(notes.locate({ role: "user", content: compact(parts) }, own));
  }
  return results;
}

function translateResult(block: JsonObject, path: string, notes: TranslationNotes): JsonObject {
  const content = compact(translateContent(block.content, `${path}.content`, notes));
  const message: JsonObject = { role: "tool", tool_call_id: block.tool_use_id, content };
  if (block.is_error === true) message.is_error = true;
  if (isObject(block.cache_control)) message.cache_control = block.cache_control;
  return notes.locate(message, path);
}

function translateAssistant({ blocks, path: own }: Turn, notes: TranslationNotes): JsonObject {
  const parts: JsonObject[] = [];
  const calls: JsonObject[] = [];
  const details: JsonObject[] = [];
  const extras = new Map<unknown, JsonObject>();
  for (const { block, path } of blocks) {
    const index = details.length;
    if (block.type === "thinking") {
      const signed = block.signature ? { signature: block.signature } : {};
      details.push({ type: "reasoning.text", text: block.thinking, ...signed, index });
    } else if (block.type === "redacted_thinking") {
      const opened = openReasoning(String(block.data));
      if (opened === undefined)
        details.push({ type: "reasoning.encrypted", data: block.data, index });
      else {
        notes.hasSealed = true;
        for (const detail of opened.details) details.push({ ...detail, index: details.length });
        for (const [id, extra] of opened.callExtras) extras.set(id, extra);
      }
    } else if (block.type === "tool_use") {
      calls.push(notes.locate({ ...extras.get(block.id), ...translateCall(block) }, path));
    } else parts.push(...translateBlock(block, path, notes));
  }
  const message: JsonObject = { role: "assistant" };
  message.content = parts.length === 0 ? (calls.length > 0 ? null : "") : compact(parts);
  if (details.length > 0) message.reasoning_details = details;
  if (calls.length > 0) message.tool_calls = calls;
  return notes.locate(message, own);
}

function translateCall(block: JsonObject): JsonObject {
  const { id, input, cache_control: mark } = block;
  const called = { name: toolNameOf(block.name), arguments: JSON.stringify(input) };
  const call = { id, type: "function", function: called };
  return isObject(mark) ? { ...call, cache_control: mark } : call;
}
