// Reads the parts that messages and deltas share: text and reasoning, which come in several shapes
// and are never mixed, arguments and ids of tool calls, and unknown members.

import { isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import { parseExactObject } from "@turnpike/wire";

export type ModelText = {
  /** Null when the upstream sent no text at all, not even an empty one. */
  readonly content: string | null;
  readonly reasoning: string;
};

/** Text inside `{type:"text",text}`, `{type:"thinking",thinking:[…]}` and bare strings. */
function joinParts(value: unknown, wanted: "text" | "thinking"): string {
  if (!Array.isArray(value)) return "";
  let joined = "";
  for (const part of value) {
    if (typeof part === "string") joined += wanted === "text" ? part : "";
    if (!isObject(part) || part.type !== wanted) continue;
    const inner = part[wanted];
    joined += typeof inner === "string" ? inner : joinParts(inner, "text");
  }
  return joined;
}

/** Reads `content`, `reasoning_content` and `reasoning` of a message or a delta. */
export function parseContent(source: JsonObject): ModelText {
  const { content } = source;
  const named = parseText(source.reasoning_content) ?? parseText(source.reasoning);
  if (!Array.isArray(content)) {
    return { content: typeof content === "string" ? content : null, reasoning: named ?? "" };
  }
  return {
    content: joinParts(content, "text"),
    reasoning: named ?? joinParts(content, "thinking"),
  };
}

/**
 * The message of a choice: services that imitate a stream send it whole in one event, and servers of older models have
 * the `text` of completions in its place.
 */
export function parseMessage({ message, text }: JsonObject): JsonObject | undefined {
  if (isObject(message)) return message;
  const content = parseText(text);
  return content === undefined ? undefined : { content };
}

/** Writes thinking to both fields that clients read. */
export function writeReasoning(target: JsonObject, reasoning: string): void {
  if (reasoning === "") return;
  target.reasoning_content = reasoning;
  target.reasoning = reasoning;
}

/** Some upstreams give the arguments of a call as an object: its numbers keep their digits. */
export function parseAnswer(text: string): JsonObject | undefined {
  return objectArguments.test(text) ? parseExactObject(text) : parseObject(text);
}

const objectArguments = /"arguments"\s*:\s*\{/;

/** Arguments as the API requires: a string, even from upstreams that send the object itself. */
export function argumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : JSON.stringify(value);
}

/** A list whose entries all have an integer `index`: clients that merge lists fail without one. */
export function numberEntries(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((entry: unknown, position) =>
    isObject(entry) && !Number.isInteger(entry.index) ? { ...entry, index: position } : entry,
  );
}

/**
 * An id for a tool call whose upstream gave none: clients answer calls by id, so it needs one.
 * OpenAI's shape: `call_` and 24 letters or digits.
 */
export function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
}

/** The members of an answer, or of a chunk of it, that are not copied as they are. */
export const answerKeys = new Set([
  "id",
  "object",
  "created",
  "model",
  "choices",
  "usage",
  "error",
  "x_groq",
  // OpenRouter as an upstream names one of its own.
  "provider",
  "system_fingerprint",
  "service_tier",
  "__proto__",
]);

/** The same of a tool call. */
export const callKeys = new Set(["index", "id", "type", "function", "custom", "__proto__"]);

/**
 * Adds to `target` every non-null member of `source` that is neither in `known` nor in `target` yet. Null
 * is dropped: `"error": null` and the like break typed clients.
 */
export function copyUnknown(
  target: JsonObject,
  source: JsonObject,
  known: ReadonlySet<string>,
): void {
  for (const key in source) {
    if (known.has(key) || key in target || !Object.hasOwn(source, key)) continue;
    const value = source[key];
    if (value !== null && value !== undefined) target[key] = value;
  }
}
