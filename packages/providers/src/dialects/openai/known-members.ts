// The members of messages that services know which refuse any other (the quirk `controlFields: rejects`). What clients
// send back of an answer has many more: marks of caches, reasoning, and what SDKs and gateways add.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { growing, joinAdded } from "../join-contents.ts";
import type { OpenaiQuirks } from "./quirks.ts";
import { withReasoningContent } from "./reasoning-history.ts";

const ofCalls = ["id", "type", "function", "custom"];
const ofFunctions = ["name", "arguments", "input"];

type Known = {
  readonly message: ReadonlySet<string>;
  readonly part: ReadonlySet<string>;
  /** Members that may say nothing. */
  readonly empty: ReadonlySet<string>;
};

const message = [
  "role",
  "content",
  "name",
  "tool_calls",
  "tool_call_id",
  "function_call",
  "audio",
  "prefix",
  "partial",
];
const part = ["type", "text", "image_url", "input_audio", "video_url", "file"];

/** OpenAI takes its own members back, even empty ones. */
const openais: Known = {
  message: new Set([...message, "refusal", "annotations"]),
  part: new Set([...part, "refusal", "prompt_cache_breakpoint"]),
  empty: new Set(["content", "refusal", "annotations", "function_call", "audio"]),
};
const others: Known = {
  message: new Set(message),
  part: new Set(part),
  empty: new Set(["content"]),
};

/** They ask for something, and only where they are true. */
const wishes: ReadonlySet<string> = new Set(["prefix", "partial"]);

const callMembers: ReadonlySet<string> = new Set(ofCalls);
const functionMembers: ReadonlySet<string> = new Set(ofFunctions);

/** `message` itself if the service knows all of it. */
export function withKnownMembers(source: JsonObject, quirks: OpenaiQuirks): JsonObject {
  const known = quirks.customTools === "native" ? openais : others;
  const isRead = quirks.reasoningHistory === "reasoning_content";
  const said = withRefusal(isRead ? withReasoningContent(source) : source, known);
  const kept = keep(said, (name, value) => {
    if (isRead && name === "reasoning_content") return true;
    if (!known.message.has(name) || (wishes.has(name) && value !== true)) return false;
    return known.empty.has(name) || !saysNothing(value);
  });
  const content = mapObjects(kept.content, (one) => filterPart(one, known));
  const calls = mapObjects(kept.tool_calls, filterCall);
  if (content === kept.content && calls === kept.tool_calls) return kept;
  return { ...kept, content, ...(calls !== undefined && { tool_calls: calls }) };
}

/** What a model refused with is what it said. */
function withRefusal(source: JsonObject, known: Known): JsonObject {
  const refusal = parseText(source.refusal);
  if (refusal === undefined || known.message.has("refusal")) return source;
  const spoken = growing({ ...source, content: source.content ?? "" });
  spoken.added.push(refusal);
  return joinAdded(spoken);
}

function filterPart(source: JsonObject, known: Known): JsonObject {
  const isSpoken = source.type === "refusal" && !known.part.has("refusal");
  if (isSpoken) return { type: "text", text: parseText(source.refusal) ?? "" };
  return keep(source, (name) => known.part.has(name));
}

function filterCall(call: JsonObject): JsonObject {
  const kept = keep(call, (name) => callMembers.has(name));
  for (const kind of ["function", "custom"]) {
    const called = kept[kind];
    if (!isObject(called)) continue;
    const fitted = keep(called, (name) => functionMembers.has(name));
    if (fitted !== called) return { ...kept, [kind]: fitted };
  }
  return kept;
}

/** `source` itself if all of its members are kept. */
function keep(source: JsonObject, isKept: (name: string, value: unknown) => boolean): JsonObject {
  let isWhole = true;
  for (const name in source) isWhole &&= isKept(name, source[name]);
  if (isWhole) return source;
  const kept: JsonObject = {};
  for (const name in source) if (isKept(name, source[name])) kept[name] = source[name];
  return kept;
}

/** `list` itself if none of its objects is changed, or if it is not a list. */
function mapObjects(list: unknown, fit: (one: JsonObject) => JsonObject): unknown {
  if (!Array.isArray(list)) return list;
  const fitted = list.map((one: unknown) => (isObject(one) ? fit(one) : one));
  return fitted.every((one, at) => one === list[at]) ? list : fitted;
}

function saysNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
