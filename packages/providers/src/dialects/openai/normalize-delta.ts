// Normalizes the delta of one choice: the role comes first and once, empty parts are dropped, and
// `text` is everything the model wrote in it, including the transcript of its audio, for counting. Tool
// calls come in a form that every SDK can assemble: a dense index always; id, type and name once per call;
// then arguments only.

import { isObject, type JsonObject, readText } from "@turnpike/base";
import type { ChatRequest } from "@turnpike/wire";
import { writtenChatText } from "../written-text.ts";
import { AudioCounter, silence } from "./count-audio.ts";
import {
  callKeys,
  copyUnknown,
  newCallId,
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
 * The delta to send (empty if there is nothing), its text, and the tokens of its audio data.
 * Updates `memory`: call it once per received delta, in order.
 */
export function normalizeDelta(
  source: JsonObject,
  memory: ChoiceMemory,
  request: ChatRequest,
): { readonly delta: JsonObject; readonly text: string; readonly audioTokens: number } {
  const { content, reasoning } = readContent(source);
  const refusal = readText(source.refusal) ?? "";
  const tools = normalizeToolDeltas(source.tool_calls, memory.tools);
  const functionCall = readFunctionCall(source.function_call, memory);
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
  if (functionCall) delta.function_call = functionCall;
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
  const text = writtenChatText(delta) + audioOut.transcript;
  return { delta, text, audioTokens: audioOut.tokens };
}

type ToolMemory = {
  readonly upstreamId: string | undefined;
  readonly custom: boolean;
  named: boolean;
};

/** The calls of one choice so far, and which of them an upstream's own index currently means. */
type ToolsMemory = {
  readonly calls: ToolMemory[];
  readonly positionOf: Map<number, number>;
};

export function newToolsMemory(): ToolsMemory {
  return { calls: [], positionOf: new Map() };
}

/** The most that `stream()` of openai-node 7 accepts; the rest of a runaway list is dropped. */
const maxCalls = 128;

/** Which call a fragment belongs to; undefined when it opens a new one. */
function findCall(
  fragment: JsonObject,
  name: string | undefined,
  memory: ToolsMemory,
): number | undefined {
  const id = readText(fragment.id);
  const { index } = fragment;
  if (typeof index !== "number") {
    const known = id === undefined ? -1 : memory.calls.findIndex((call) => call.upstreamId === id);
    if (known !== -1) return known;
    const opens = id !== undefined || name !== undefined || memory.calls.length === 0;
    return opens ? undefined : memory.calls.length - 1;
  }
  const position = memory.positionOf.get(index);
  const call = position === undefined ? undefined : memory.calls[position];
  // Some upstreams give every parallel call the index 0: a new id with a name is a new call.
  const another = id !== undefined && name !== undefined && call?.named && call.upstreamId !== id;
  return another ? undefined : position;
}

function openCall(fragment: JsonObject, custom: boolean, memory: ToolsMemory): JsonObject {
  const position = memory.calls.length;
  const upstreamId = readText(fragment.id);
  memory.calls.push({ upstreamId, custom, named: false });
  if (typeof fragment.index === "number") memory.positionOf.set(fragment.index, position);
  const type = custom ? "custom" : "function";
  return { index: position, id: upstreamId ?? newCallId(), type };
}

/** One fragment; undefined if it has nothing new. */
function readFragment(fragment: JsonObject, memory: ToolsMemory): JsonObject | undefined {
  const custom = isObject(fragment.custom);
  const inner = custom ? fragment.custom : fragment.function;
  const source = isObject(inner) ? inner : {};
  const name = readText(source.name);
  const found = findCall(fragment, name, memory);
  if (found === undefined && memory.calls.length >= maxCalls) return undefined;
  const delta = found === undefined ? openCall(fragment, custom, memory) : { index: found };
  const position = found ?? memory.calls.length - 1;
  const call = memory.calls[position];
  if (!call) return undefined;

  const text = readArguments(call.custom ? source.input : source.arguments);
  const part: JsonObject = {};
  if (name !== undefined && !call.named) {
    part.name = name;
    call.named = true;
  }
  part[call.custom ? "input" : "arguments"] = text;
  const entry: JsonObject = { ...delta, [call.custom ? "custom" : "function"]: part };
  copyUnknown(entry, fragment, callKeys);
  const silent = found !== undefined && text === "" && part.name === undefined;
  return silent && Object.keys(entry).length === 2 ? undefined : entry;
}

/** All fragments of one delta; empty if there is nothing to send. */
export function normalizeToolDeltas(fragments: unknown, memory: ToolsMemory): JsonObject[] {
  const entries: JsonObject[] = [];
  if (!Array.isArray(fragments)) return entries;
  for (const fragment of fragments) {
    const entry = isObject(fragment) ? readFragment(fragment, memory) : undefined;
    if (entry) entries.push(entry);
  }
  return entries;
}
