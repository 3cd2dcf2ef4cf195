// The prompt of a language model call as messages of chat completions. What a model needs back of its earlier answers stands in
// the options of their parts, where the answer put it.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { markSignature } from "../gemini/thought-signature.ts";
import { toolNameOf } from "../messages/translate-blocks.ts";
import type { CallNotes } from "./call-notes.ts";
import { translateFile } from "./translate-file.ts";
import { translateResult } from "./translate-results.ts";

/** `prompt` was checked. Throws Fault for a part that no model can read. */
export function translatePrompt(prompt: unknown, notes: CallNotes): JsonObject[] {
  if (!Array.isArray(prompt)) return [];
  return prompt.flatMap((message: unknown, index) =>
    isObject(message) ? translateMessage(message, `prompt[${index}]`, notes) : [],
  );
}

function translateMessage(message: JsonObject, path: string, notes: CallNotes): JsonObject[] {
  const parts = partsOf(message, path);
  switch (message.role) {
    case "system": {
      const part = { type: "text", text: message.content };
      return [notes.locate({ role: "system", content: compact([marked(message, part)]) }, path)];
    }
    case "user": {
      const content = parts.flatMap((placed) => translateSaid(placed, notes));
      markLast(message, content);
      return [notes.locate({ role: "user", content: compact(content) }, path)];
    }
    case "assistant":
      return translateAnswer(message, path, notes);
    default: {
      const results = parts.filter(({ part }) => part.type === "tool-result");
      return results.map(({ part, path: place }) => translateResult(part, place, notes));
    }
  }
}

type PlacedPart = { readonly part: JsonObject; readonly path: string };

function partsOf({ content }: JsonObject, path: string): PlacedPart[] {
  if (!Array.isArray(content)) return [];
  return content
    .map((part: unknown, index) => ({ part, path: `${path}.content[${index}]` }))
    .filter((placed): placed is PlacedPart => isObject(placed.part));
}

/** A text or a file. */
function translateSaid({ part, path }: PlacedPart, notes: CallNotes): JsonObject[] {
  const isText = part.type === "text";
  const text = part.text === "" ? [] : [{ type: "text", text: part.text }];
  const made = isText ? text : translateFile(part, path, notes);
  return made.map((each) => notes.locate(marked(part, each), path));
}

/** A single text needs no list; some upstreams read only that form. */
function compact(parts: readonly JsonObject[]): string | readonly JsonObject[] {
  const [only] = parts;
  if (only === undefined) return "";
  const isPlain = parts.length === 1 && only.type === "text" && only.cache_control === undefined;
  return isPlain && typeof only.text === "string" ? only.text : parts;
}

function optionsOf({ providerOptions }: JsonObject, provider: string): JsonObject {
  const options = isObject(providerOptions) ? providerOptions[provider] : undefined;
  return isObject(options) ? options : {};
}

/** Anthropic's mark of what its cache should keep stays where it was. */
function marked(holder: JsonObject, part: JsonObject): JsonObject {
  const { cacheControl, cache_control: mark = cacheControl } = optionsOf(holder, "anthropic");
  return isObject(mark) ? { ...part, cache_control: mark } : part;
}

/** The mark of a message is that of its last part. */
function markLast(message: JsonObject, content: JsonObject[]): void {
  const last = content.at(-1);
  if (last !== undefined && last.cache_control === undefined) {
    content[content.length - 1] = marked(message, last);
  }
}

/** Calls that a provider ran itself are its own history, which no other can continue. */
function translateAnswer(message: JsonObject, path: string, notes: CallNotes): JsonObject[] {
  const said: JsonObject[] = [];
  const calls: JsonObject[] = [];
  const details: JsonObject[] = [];
  const results: JsonObject[] = [];
  for (const placed of partsOf(message, path)) {
    const { part, path: place } = placed;
    if (part.type === "text") said.push(...translateSaid(placed, notes));
    else if (part.type === "reasoning") details.push(...detailsOf(part));
    else if (part.type === "tool-call" && part.providerExecuted !== true) {
      calls.push(notes.locate(translateCall(part), place));
    } else if (part.type === "tool-result" && calls.some(({ id }) => id === part.toolCallId)) {
      results.push(translateResult(part, place, notes));
    } else notes.warn(place, `A part of type '${String(part.type)}' is not sent to the model.`);
  }
  if (said.length + calls.length + details.length === 0) return [];
  markLast(message, said);
  const answer: JsonObject = { role: "assistant" };
  answer.content = said.length === 0 && calls.length > 0 ? null : compact(said);
  if (details.length > 0) answer.reasoning_details = details.map(numbered);
  if (calls.length > 0) answer.tool_calls = calls;
  return [notes.locate(answer, path), ...results];
}

function numbered(detail: JsonObject, index: number): JsonObject {
  return { ...detail, index };
}

function translateCall(part: JsonObject): JsonObject {
  const { toolCallId: id, toolName, input } = part;
  const spelled = typeof input === "string" ? input : JSON.stringify(input ?? {});
  const { callExtras } = optionsOf(part, "gateway");
  const called = { name: toolNameOf(toolName), arguments: spelled };
  return { ...(isObject(callExtras) && callExtras), id, type: "function", function: called };
}

/** Ours, as they were, or what the AI SDK's providers keep of Claude's, OpenAI's and Gemini's reasoning. */
function detailsOf(part: JsonObject): JsonObject[] {
  const { reasoningDetails } = optionsOf(part, "gateway");
  if (Array.isArray(reasoningDetails)) return reasoningDetails.filter(isObject);
  const text = { type: "reasoning.text", text: part.text };
  const { signature, redactedData } = optionsOf(part, "anthropic");
  if (typeof signature === "string") return [{ ...text, signature }];
  if (typeof redactedData === "string") {
    return [{ type: "reasoning.encrypted", data: redactedData }];
  }
  const thought = parseText(optionsOf(part, "google").thoughtSignature);
  if (thought !== undefined) return [{ ...text, signature: markSignature(thought) }];
  const { itemId: id, reasoningEncryptedContent: data } = optionsOf(part, "openai");
  if (typeof data === "string" && typeof id === "string") {
    return [{ type: "reasoning.encrypted", data, id, format: "openai-responses-v1" }];
  }
  return part.text === "" ? [] : [text];
}
