// The items of a conversation as chat messages: reasoning, text and calls of one turn become one
// assistant message, and each call is followed by its outputs.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import type { Origins } from "../protocol/message-origin.ts";
import { openReasoning } from "./encrypted-reasoning.ts";
import { imageCallType, imageOfCall } from "./image-tool.ts";
import { chatNameOf } from "./offered-tools.ts";
import { isCall, isOutput, type PairedCalls, pairCalls } from "./pair-calls.ts";
import { plainIfOneText, translateContent } from "./translate-content.ts";

export type TranslatedItems = {
  readonly messages: readonly JsonObject[];
  /** Where the first image is, `input[0].content[1]`. */
  readonly firstImage: string | undefined;
  readonly origins: Origins;
};

/** `input` was checked. Throws the Fault of calls and outputs that do not belong together. */
export function translateItems(instructions: unknown, input: unknown): TranslatedItems {
  const conversation = new Conversation();
  const system = parseText(instructions);
  if (system !== undefined) conversation.say("system", system, "instructions");
  if (typeof input === "string") conversation.say("user", input, "input");
  else if (Array.isArray(input)) conversation.addAll(input);
  const messages = conversation.end();
  return { messages, firstImage: findImage(input), origins: conversation.origins };
}

/** The content of one turn of the model, until the next turn begins. */
type Turn = {
  /** Of the item that speaks or calls first, where reasoning precedes it. */
  path: string;
  readonly content: JsonObject[];
  readonly details: JsonObject[];
  readonly calls: { readonly call: JsonObject; readonly item: JsonObject }[];
};

class Conversation {
  readonly origins = new Map<JsonObject, string>();
  readonly #messages: JsonObject[] = [];
  readonly #extras = new Map<string, JsonObject>();
  #turn: Turn | undefined;
  #paired: PairedCalls = new Map();
  /** Of the items, in their order. */
  readonly #paths = new Map<JsonObject, string>();

  addAll(items: readonly unknown[]): void {
    this.#paired = pairCalls(items);
    items.forEach((item, index) => {
      if (!isObject(item)) return;
      this.#paths.set(item, `input[${index}]`);
      if (item.type === "reasoning") this.#collectExtras(item);
    });
    for (const [item, path] of this.#paths) this.#add(item, path);
  }

  /** `path` is where the caller said it. */
  say(role: string, content: unknown, path: string): void {
    this.#endTurn();
    this.#push({ role, content }, path, "content");
  }

  end(): readonly JsonObject[] {
    this.#endTurn();
    return this.#messages;
  }

  #add(item: JsonObject, path: string): void {
    if (item.type === "reasoning") this.#open(path).details.push(...detailsOf(item));
    else if (isCall(item)) this.#speak(path).calls.push({ call: this.#callOf(item, path), item });
    else if (isOutput(item)) this.#endTurn();
    else if (item.type === imageCallType) this.#addImage(item, path);
    else if (item.role === "assistant") this.#addText(item, path);
    else if (typeof item.role === "string" && item.type !== "additional_tools") {
      // Upstreams other than OpenAI have no developer role.
      const role = item.role === "developer" ? "system" : item.role;
      this.say(role, translateContent(item.content), path);
    }
  }

  #push(message: JsonObject, path: string, member: string): void {
    this.origins.set(message, path);
    this.#locate(message.content, `${path}.${member}`);
    this.#messages.push(message);
  }

  /** Parts that have a place keep it: a turn can be made of several items. */
  #locate(content: unknown, path: string): void {
    if (!Array.isArray(content)) return;
    content.forEach((part: unknown, index) => {
      if (isObject(part) && !this.origins.has(part)) this.origins.set(part, `${path}[${index}]`);
    });
  }

  #addImage(item: JsonObject, path: string): void {
    const image = imageOfCall(item);
    if (image.length > 0) this.say("user", image, path);
  }

  #addText(item: JsonObject, path: string): void {
    // A second message of a turn is a separate one, unless calls have to follow the first.
    if (
      this.#turn !== undefined &&
      this.#turn.content.length > 0 &&
      this.#turn.calls.length === 0
    ) {
      this.#endTurn();
    }
    const content = translateContent(item.content);
    const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
    if (content === parts) this.#locate(parts, `${path}.content`);
    this.#speak(path).content.push(...parts);
  }

  #speak(path: string): Turn {
    const turn = this.#open(path);
    if (turn.content.length === 0 && turn.calls.length === 0) turn.path = path;
    return turn;
  }

  #open(path: string): Turn {
    this.#turn ??= { path, content: [], details: [], calls: [] };
    return this.#turn;
  }

  #endTurn(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#turn = undefined;
    const { calls } = turn;
    // Reasoning alone is not an answer.
    if (turn.content.length === 0 && calls.length === 0) return;
    const content = turn.content.length === 0 ? null : plainIfOneText(turn.content);
    const message: JsonObject = { role: "assistant", content };
    if (turn.details.length > 0) message.reasoning_details = turn.details.map(numbered);
    if (calls.length > 0) message.tool_calls = calls.map(({ call }) => call);
    this.#push(message, turn.path, "content");
    for (const { item } of calls) {
      for (const output of this.#paired.get(item) ?? []) {
        this.#push(answerOf(output), this.#paths.get(output) ?? turn.path, "output");
      }
    }
  }

  #collectExtras(item: JsonObject): void {
    const kept = openReasoning(parseText(item.encrypted_content) ?? "");
    for (const [id, extra] of kept?.callExtras ?? []) this.#extras.set(id, extra);
  }

  #callOf(item: JsonObject, path: string): JsonObject {
    const call = this.#translateCall(item);
    this.origins.set(call, path);
    return call;
  }

  #translateCall(item: JsonObject): JsonObject {
    const id = parseText(item.call_id) ?? "";
    const name = chatNameOf(parseText(item.namespace), parseText(item.name) ?? "tool_search");
    const extra = this.#extras.get(id);
    if (item.type === "custom_tool_call") {
      return { ...extra, id, type: "custom", custom: { name, input: item.input } };
    }
    const given = item.arguments ?? {};
    const spelled = typeof given === "string" ? given : JSON.stringify(given);
    return { ...extra, id, type: "function", function: { name, arguments: spelled } };
  }
}

function numbered(detail: JsonObject, index: number): JsonObject {
  return { ...detail, index };
}

function answerOf(output: JsonObject): JsonObject {
  const content =
    output.type === "tool_search_output"
      ? JSON.stringify(output.tools)
      : translateContent(output.output);
  return { role: "tool", tool_call_id: output.call_id, content };
}

/** OpenRouter's name for what OpenAI encrypted: dialects of other providers drop it. */
const openaiFormat = "openai-responses-v1";

/** The content of a reasoning item, as entries of `reasoning_details`. */
function detailsOf(item: JsonObject): readonly JsonObject[] {
  const sealed = parseText(item.encrypted_content);
  const kept = sealed === undefined ? undefined : openReasoning(sealed);
  if (kept !== undefined) return kept.details;
  const summaries = textsOf(item.summary).map((summary) => ({
    type: "reasoning.summary",
    summary,
  }));
  if (sealed !== undefined) {
    const id = parseText(item.id);
    const named = id === undefined ? {} : { id };
    const encrypted = { type: "reasoning.encrypted", data: sealed, ...named };
    return [...summaries, { ...encrypted, format: openaiFormat }];
  }
  const texts = textsOf(item.content).map((text) => ({ type: "reasoning.text", text }));
  return texts.length > 0 ? texts : summaries;
}

function textsOf(parts: unknown): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: unknown) => (isObject(part) ? (parseText(part.text) ?? []) : []));
}

function findImage(input: unknown): string | undefined {
  if (!Array.isArray(input)) return undefined;
  for (const [index, item] of input.entries()) {
    if (!isObject(item)) continue;
    if (item.type === imageCallType && imageOfCall(item).length > 0)
      return `input[${index}].result`;
    for (const member of ["content", "output"]) {
      const parts: unknown = item[member];
      if (!Array.isArray(parts)) continue;
      const at = parts.findIndex((part) => isObject(part) && part.type === "input_image");
      if (at !== -1) return `input[${index}].${member}[${at}]`;
    }
  }
  return undefined;
}
