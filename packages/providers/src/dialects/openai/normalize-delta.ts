// Normalizes the delta of one choice: the role comes first and once, and empty parts are dropped. Tool calls come in a
// form that every SDK can assemble: a dense index always; id, type and name once per call; then arguments only.

import { isObject, type JsonObject, parseText } from "@turnpike/base";
import type { ChatRequest } from "@turnpike/wire";
import { CallName, offeredNames } from "./call-name.ts";
import { AudioCounter, type AudioOut, silence } from "./count-audio.ts";
import {
  newToolsMemory,
  normalizeToolDeltas,
  releaseCalls,
  type ToolsMemory,
} from "./normalize-tool-deltas.ts";
import {
  argumentsText,
  copyUnknown,
  numberEntries,
  parseContent,
  writeReasoning,
} from "./parse-content.ts";
import type { SaidMessages } from "./said-messages.ts";

export type ChoiceMemory = {
  started: boolean;
  finished: boolean;
  /** Whether a delta had a text. */
  hasDeltas: boolean;
  /** Undefined until a choice has a message in place of a delta. */
  messages: SaidMessages | undefined;
  called: "tools" | "function" | "nothing";
  /** The name of the deprecated single call. */
  readonly functionName: CallName;
  readonly tools: ToolsMemory;
  /** Undefined until a delta has audio. */
  audio: AudioCounter | undefined;
};

export function newChoiceMemory(): ChoiceMemory {
  return {
    started: false,
    finished: false,
    hasDeltas: false,
    messages: undefined,
    called: "nothing",
    functionName: new CallName(),
    tools: newToolsMemory(),
    audio: undefined,
  };
}

const deltaKeys = new Set([
  "role",
  "content",
  "refusal",
  "tool_calls",
  "function_call",
  "error",
  "reasoning_content",
  "reasoning",
  "reasoning_details",
  "annotations",
  "__proto__",
]);

/** The deprecated single call: its name once, then arguments. */
function parseFunctionCall(
  source: unknown,
  { functionName }: ChoiceMemory,
  offered: ReadonlySet<string>,
): JsonObject | undefined {
  if (!isObject(source)) return undefined;
  const spelled = argumentsText(source.arguments);
  functionName.add(parseText(source.name));
  const name = functionName.take(offered, spelled !== "");
  if (name === undefined && spelled === "") return undefined;
  return name === undefined ? { arguments: spelled } : { name, arguments: spelled };
}

/**
 * The delta to send (empty if there is nothing), and what its audio adds. Updates `memory`: call it once per received delta, in order.
 */
export function normalizeDelta(
  source: JsonObject,
  memory: ChoiceMemory,
  request: ChatRequest,
): { readonly delta: JsonObject; readonly audioOut: AudioOut } {
  const { content, reasoning } = parseContent(source);
  const refusal = parseText(source.refusal) ?? "";
  const offered = offeredNames(request);
  const tools = normalizeToolDeltas(source.tool_calls, memory.tools, offered);
  const functionCall = parseFunctionCall(source.function_call, memory, offered);
  const calls = tools.length > 0 || functionCall !== undefined;

  const delta: JsonObject = {};
  if (memory.started) {
    if (content) delta.content = content;
  } else {
    delta.role = "assistant";
    delta.content = content || (calls ? null : "");
  }
  writeReasoning(delta, reasoning);
  if (refusal !== "") delta.refusal = refusal;
  if (tools.length > 0) {
    memory.called = "tools";
    delta.tool_calls = tools;
  }
  if (functionCall) {
    memory.called = "function";
    delta.function_call = functionCall;
  }
  for (const key of ["reasoning_details", "annotations"]) {
    const list = source[key];
    if (Array.isArray(list) && list.length > 0) delta[key] = numberEntries(list);
  }
  copyUnknown(delta, source, deltaKeys);
  memory.started = true;
  let audioOut = silence;
  if (isObject(source.audio)) {
    memory.audio ??= new AudioCounter(request);
    audioOut = memory.audio.add(source.audio);
  }
  return { delta, audioOut };
}

/** What was held back of its calls, now that the choice ends: a name that nothing followed. */
export function releaseHeld(delta: JsonObject, memory: ChoiceMemory): void {
  const calls = releaseCalls(memory.tools);
  if (calls.length > 0) {
    memory.called = "tools";
    const sent: readonly unknown[] = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
    delta.tool_calls = [...sent, ...calls];
  }
  const name = memory.functionName.take(anyName, true);
  if (name === undefined) return;
  memory.called = "function";
  delta.function_call = { arguments: "", ...optionalObject(delta.function_call), name };
}

const anyName: ReadonlySet<string> = new Set();

function optionalObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
