// Normalises the delta of one choice: the role comes first and once, empty parts are left out, and
// `text` is all the model wrote in it, the transcript of its audio included, for counting.

import { isObject, type JsonObject, readText } from "@turnpike/base";
import type { ChatRequest } from "@turnpike/wire";
import { AudioCounter, silence } from "./count-audio.ts";
import { newToolsMemory, normaliseToolDeltas, type ToolsMemory } from "./normalise-tool-deltas.ts";
import {
  copyUnknown,
  numberEntries,
  readArguments,
  readContent,
  writeReasoning,
} from "./read-content.ts";

export type ChoiceMemory = {
  started: boolean;
  finished: boolean;
  called: "tools" | "function" | "nothing";
  functionNamed: boolean;
  readonly tools: ToolsMemory;
  /** Undefined until a delta has audio. */
  audio: AudioCounter | undefined;
};

export function newChoiceMemory(): ChoiceMemory {
  return {
    started: false,
    finished: false,
    called: "nothing",
    functionNamed: false,
    tools: newToolsMemory(),
    audio: undefined,
  };
}

const deltaKeys = new Set([
  ...["role", "content", "refusal", "tool_calls", "function_call", "error"],
  ...["reasoning_content", "reasoning", "reasoning_details", "annotations", "__proto__"],
]);

/** The deprecated single call: its name once, then arguments. */
function readFunctionCall(source: unknown, memory: ChoiceMemory): JsonObject | undefined {
  if (!isObject(source)) return undefined;
  const name = memory.functionNamed ? undefined : readText(source.name);
  const spelled = readArguments(source.arguments);
  if (name === undefined && spelled === "") return undefined;
  memory.called = "function";
  memory.functionNamed ||= name !== undefined;
  return name === undefined ? { arguments: spelled } : { name, arguments: spelled };
}

/**
 * The delta to send (empty when there is nothing), the text it carries, and the tokens of its audio data.
 * Moves `memory` on: call it once per received delta, in order.
 */
export function normaliseDelta(
  source: JsonObject,
  memory: ChoiceMemory,
  request: ChatRequest,
): { readonly delta: JsonObject; readonly text: string; readonly audioTokens: number } {
  const { content, reasoning } = readContent(source);
  const refusal = readText(source.refusal) ?? "";
  const tools = normaliseToolDeltas(source.tool_calls, memory.tools);
  const functionCall = readFunctionCall(source.function_call, memory);
  const calls = tools.entries.length > 0 || functionCall !== undefined;

  const delta: JsonObject = {};
  if (memory.started) {
    if (content) delta.content = content;
  } else {
    delta.role = "assistant";
    delta.content = content || (calls ? null : "");
  }
  writeReasoning(delta, reasoning);
  if (refusal !== "") delta.refusal = refusal;
  if (tools.entries.length > 0) {
    memory.called = "tools";
    delta.tool_calls = tools.entries;
  }
  if (functionCall) delta.function_call = functionCall;
  for (const key of ["reasoning_details", "annotations"]) {
    const list = source[key];
    if (Array.isArray(list) && list.length > 0) delta[key] = numberEntries(list);
  }
  copyUnknown(delta, source, deltaKeys);
  memory.started = true;
  const spelled = readArguments(functionCall?.arguments);
  let heard = silence;
  if (isObject(source.audio)) {
    memory.audio ??= new AudioCounter(request);
    heard = memory.audio.add(source.audio);
  }
  const text = (content ?? "") + reasoning + refusal + tools.text + spelled + heard.transcript;
  return { delta, text, audioTokens: heard.tokens };
}
