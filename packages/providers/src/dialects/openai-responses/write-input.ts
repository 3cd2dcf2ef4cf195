// The conversation of a chat completion as the input items of a response: encrypted reasoning,
// text and calls of a turn in this order, each call followed by its outputs as the caller sent them.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import type { OpenaiProvider } from "../../provider.ts";
import { inputName } from "../custom-tool.ts";
import { nameInText } from "../name-in-text.ts";
import { markError } from "../openai/fit-translated.ts";
import { walkMessages } from "../walk-messages.ts";
import { parseOwnCiphertext } from "./own-ciphertext.ts";
import { writeContent, writeOutput } from "./write-content.ts";

/** OpenRouter's name for the format of what OpenAI encrypted. */
export const reasoningFormat = "openai-responses-v1";

/** Throws the Fault of the first message that an upstream's `/responses` cannot read. */
export function writeInput(messages: unknown, provider: OpenaiProvider): JsonObject[] {
  const writer = new InputWriter(provider);
  walkMessages(messages, {
    instructions: ({ role, content }, path) =>
      writer.say(role, writeContent(content, `${path}.content`)),
    user: (message, path) =>
      writer.say(
        "user",
        nameInText(message.name, writeContent(message.content, `${path}.content`), "input_text"),
      ),
    assistant: (message) => writer.addAssistant(message),
    tool: (message, path) => writer.addResult(message, path),
    whyNoAudio: "the Responses API keeps no audio of earlier answers",
  });
  return writer.items;
}

class InputWriter {
  readonly items: JsonObject[] = [];
  readonly #provider: OpenaiProvider;
  readonly #hasCustomTools: boolean;
  /** Ids of the calls of custom tools so far. */
  readonly #customCalls = new Set<unknown>();

  constructor(provider: OpenaiProvider) {
    this.#provider = provider;
    this.#hasCustomTools = provider.quirks.customTools === "native";
  }

  say(role: unknown, content: string | readonly JsonObject[]): void {
    this.items.push({ type: "message", role, content: content.length === 0 ? "" : content });
  }

  addAssistant(message: JsonObject): void {
    const content = writeOutput(message.content, message.refusal);
    const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
    // OpenAI refuses reasoning that nothing follows.
    if (content.length === 0 && calls.length === 0) return;
    const reasoning = writeReasoning(message.reasoning_details, this.#provider);
    const last = Math.max(calls.length - 1, 0);
    const before = Map.groupBy(reasoning, ({ callsBefore }) => Math.min(callsBefore, last));
    const addBefore = (index: number) => {
      for (const { item } of before.get(index) ?? []) this.items.push(item);
    };
    addBefore(0);
    if (content.length > 0) this.say("assistant", content);
    calls.forEach((call, index) => {
      if (index > 0) addBefore(index);
      this.items.push(this.#writeCall(call));
    });
  }

  #writeCall({ id: call_id, custom, function: called }: JsonObject): JsonObject {
    if (!isObject(custom)) {
      const { name, arguments: spelled } = isObject(called) ? called : {};
      return { type: "function_call", call_id, name, arguments: spelled };
    }
    const { name, input } = custom;
    if (!this.#hasCustomTools) {
      const spelled = JSON.stringify({ [inputName]: input });
      return { type: "function_call", call_id, name, arguments: spelled };
    }
    this.#customCalls.add(call_id);
    return { type: "custom_tool_call", call_id, name, input };
  }

  addResult({ tool_call_id: id, content, is_error: failed }: JsonObject, path: string): void {
    const type = this.#customCalls.has(id) ? "custom_tool_call_output" : "function_call_output";
    const output = writeContent(failed === true ? markError(content) : content, `${path}.content`);
    this.items.push({ type, call_id: id, output });
  }
}

type OwnReasoning = { readonly item: JsonObject; readonly callsBefore: number };

/**
 * No upstream can read reasoning again without its encrypted content, because none has stored it; what
 * another provider encrypted is dropped, and so are blocks whose `format` names another.
 */
function writeReasoning(details: unknown, provider: OpenaiProvider): OwnReasoning[] {
  const items: OwnReasoning[] = [];
  let summary: JsonObject[] = [];
  for (const detail of Array.isArray(details) ? details.filter(isObject) : []) {
    if (detail.type === "reasoning.encrypted") {
      const { id, data } = detail;
      const own =
        detail.format === reasoningFormat ? parseOwnCiphertext(provider, data) : undefined;
      if (own !== undefined) {
        const identity = parseText(id) === undefined ? {} : { id };
        const item = { type: "reasoning", ...identity, summary, encrypted_content: own.text };
        items.push({ item, callsBefore: own.callsBefore });
      }
      summary = [];
      continue;
    }
    const text = parseText(detail.text) ?? parseText(detail.summary);
    if (text !== undefined) summary = addSummary(summary, text);
  }
  return items;
}

/** Clients that keep the fragments of a stream send them back individually. */
function addSummary(summary: readonly JsonObject[], text: string): JsonObject[] {
  const [part] = summary;
  return [{ type: "summary_text", text: `${part === undefined ? "" : String(part.text)}${text}` }];
}
