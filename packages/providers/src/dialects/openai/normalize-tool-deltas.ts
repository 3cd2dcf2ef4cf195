// The tool calls of a choice in a form that every SDK can assemble: a dense index always; id, type and name once per
// call; then arguments only.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { CallName } from "./call-name.ts";
import { argumentsText, callKeys, copyUnknown, newCallId } from "./parse-content.ts";

type ToolMemory = {
  readonly upstreamId: string | undefined;
  readonly custom: boolean;
  readonly name: CallName;
  /** What opens it, until its name is known. */
  opening: JsonObject | undefined;
};

/** The calls of one choice so far, and which of them an upstream's own index currently means. */
export type ToolsMemory = {
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
  const id = parseText(fragment.id);
  const { index } = fragment;
  if (typeof index !== "number") {
    const last = memory.calls.length - 1;
    if (id === undefined && memory.calls[last]?.opening !== undefined) return last;
    const known = id === undefined ? -1 : memory.calls.findIndex((call) => call.upstreamId === id);
    if (known !== -1) return known;
    const opens = id !== undefined || name !== undefined || memory.calls.length === 0;
    return opens ? undefined : memory.calls.length - 1;
  }
  const position = memory.positionOf.get(index);
  const call = position === undefined ? undefined : memory.calls[position];
  // Some upstreams give every parallel call the index 0: a new id with a name is a new call.
  const another =
    id !== undefined &&
    name !== undefined &&
    call !== undefined &&
    isNamed(call) &&
    call.upstreamId !== id;
  return another ? undefined : position;
}

function isNamed({ name }: ToolMemory): boolean {
  return name.isKnown || name.isHeld;
}

function openCall(fragment: JsonObject, custom: boolean, memory: ToolsMemory): ToolMemory {
  const position = memory.calls.length;
  const upstreamId = parseText(fragment.id);
  const type = custom ? "custom" : "function";
  const opening = { index: position, id: upstreamId ?? newCallId(), type };
  const call: ToolMemory = {
    upstreamId,
    custom,
    name: new CallName(),

    opening,
  };
  memory.calls.push(call);
  if (typeof fragment.index === "number") memory.positionOf.set(fragment.index, position);
  return call;
}

/** One fragment; undefined if it has nothing to send yet. */
function parseFragment(
  fragment: JsonObject,
  memory: ToolsMemory,
  offered: ReadonlySet<string>,
): JsonObject | undefined {
  const custom = isObject(fragment.custom);
  const inner = custom ? fragment.custom : fragment.function;
  const source = isObject(inner) ? inner : {};
  const name = parseText(source.name);
  const found = findCall(fragment, name, memory);
  if (found === undefined && memory.calls.length >= maxCalls) return undefined;
  const call = found === undefined ? openCall(fragment, custom, memory) : memory.calls[found];
  if (!call) return undefined;

  const text = argumentsText(call.custom ? source.input : source.arguments);
  const extra: JsonObject = {};
  copyUnknown(extra, fragment, callKeys);
  call.name.add(name);
  const complete = call.name.take(offered, text !== "");
  const { opening } = call;
  if (opening !== undefined && complete === undefined && text === "" && call.name.isHeld) {
    call.opening = { ...opening, ...extra };
    return undefined;
  }
  call.opening = undefined;
  const delta = opening ?? { index: found };
  const isSilent = opening === undefined && complete === undefined && text === "";
  if (isSilent && Object.keys(extra).length === 0) return undefined;
  return { ...delta, ...part(call, complete, text), ...extra };
}

function part({ custom }: ToolMemory, name: string | undefined, text: string): JsonObject {
  const named = name === undefined ? {} : { name };
  return custom
    ? { custom: { ...named, input: text } }
    : { function: { ...named, arguments: text } };
}

/** Calls whose name was held back, now that nothing of it can follow. */
export function releaseCalls(memory: ToolsMemory): JsonObject[] {
  const released: JsonObject[] = [];
  for (const call of memory.calls) {
    const { opening } = call;
    const name = opening === undefined ? undefined : call.name.take(noNames, true);
    if (opening === undefined || name === undefined) continue;
    call.opening = undefined;
    released.push({ ...opening, ...part(call, name, "") });
  }
  return released;
}

const noNames: ReadonlySet<string> = new Set();

/** All fragments of one delta; empty if there is nothing to send. */
export function normalizeToolDeltas(
  fragments: unknown,
  memory: ToolsMemory,
  offered: ReadonlySet<string> = noNames,
): JsonObject[] {
  const entries: JsonObject[] = [];
  if (!Array.isArray(fragments)) return entries;
  for (const fragment of fragments) {
    const entry = isObject(fragment) ? parseFragment(fragment, memory, offered) : undefined;
    if (entry) entries.push(entry);
  }
  return entries;
}
