// The text in an answer that its model wrote, by which an answer without usage is billed. It is read from what the
// caller is sent, so a member counts whether this gateway knows it or not; ids, signatures, encrypted data, media and
// what a provider adds itself count nothing.
import { isObject, type JsonObject } from "@turnpike/base";
import type { DeltaEvent } from "@turnpike/wire";

/** Members that a model does not write, or that repeat what it wrote, wherever they are. */
const unwrittenMembers: ReadonlySet<string> = new Set([
  "annotation",
  "annotations",
  "cache_control",
  "call_id",
  "citation",
  "citations",
  "container",
  "encrypted_content",
  "error",
  "fileData",
  "format",
  "id",
  "image_url",
  "inlineData",
  "item_id",
  "logprobs",
  "media_type",
  "mime_type",
  "obfuscation",
  "phase",
  "role",
  "signature",
  "status",
  "stop_reason",
  "stop_sequence",
  "thought_signature",
  "thoughtSignature",
  "type",
]);

/** Objects whose `data` is encrypted, or media. */
const sealedTypes: ReadonlySet<unknown> = new Set(["reasoning.encrypted", "redacted_thinking"]);

/** Members whose objects are the JSON that a model wrote, with its names and numbers. */
const jsonMembers: ReadonlySet<string> = new Set(["args", "arguments", "input"]);

/** All texts of `value`, in order. */
export function writtenText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    let text = "";
    for (const each of value) text += writtenText(each);
    return text;
  }
  return isObject(value) ? textOfMembers(value) : "";
}

function textOfMembers(source: JsonObject): string {
  // Anthropic's name for what its own tools found.
  if (typeof source.type === "string" && source.type.endsWith("_tool_result")) return "";
  let text = "";
  for (const name in source) {
    const member = source[name];
    if (typeof member === "number" || typeof member === "boolean" || !member) continue;
    if (unwrittenMembers.has(name)) continue;
    if (name === "data" && sealedTypes.has(source.type)) continue;
    text += isObject(member) && jsonMembers.has(name) ? jsonText(member) : writtenText(member);
  }
  return text;
}

/** Nothing for an object without members, which precedes the fragments of a call. */
function jsonText(args: JsonObject): string {
  for (const _ in args) return JSON.stringify(args);
  return "";
}

/** Of a message or a delta in OpenAI's shape. Its audio is counted apart, by its length. */
export function writtenChatText(said: JsonObject): string {
  if (!hasReasoning(said) && said.audio === undefined) return textOfMembers(said);
  const { reasoning, reasoning_content, reasoning_details, audio: _, ...others } = said;
  // Services send one text of reasoning under up to three names.
  const named = joinDistinct(writtenText(reasoning_content), writtenText(reasoning));
  return textOfMembers(others) + joinDistinct(named, writtenText(reasoning_details));
}

function hasReasoning(said: JsonObject): boolean {
  if (said.reasoning !== undefined || said.reasoning_content !== undefined) return true;
  return said.reasoning_details !== undefined;
}

function joinDistinct(one: string, other: string): string {
  if (one.includes(other)) return one;
  return other.includes(one) ? other : one + other;
}

/** Of typed events; the transcript of audio is counted with it. */
export function textOfDeltas(deltas: readonly DeltaEvent[]): string {
  let text = "";
  for (const delta of deltas) {
    if (delta.kind === "tool_call") {
      text += (delta.name ?? "") + delta.arguments;
      if (delta.extra !== undefined) text += writtenText(delta.extra);
    }
    // One delta is the common case, and appending even to an empty text allocates.
    else if ("text" in delta) text = text === "" ? delta.text : text + delta.text;
  }
  return text;
}
