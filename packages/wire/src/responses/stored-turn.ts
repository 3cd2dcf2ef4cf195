// A turn as it is stored: what was new in the input, and the response to it. It is read back as items before the input of a later
// request, and as the items that the API lists.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { findMembers, memberText } from "../json/edit-json-object.ts";
import { parseExactObject } from "../json/exact-numbers.ts";
import type { Answered, EarlierItems } from "../protocol/memory.ts";
import { isCompacted, isTrigger } from "./compaction.ts";
import { isReference } from "./item-reference.ts";
import { asInput, responseText, setInResponse } from "./kept-items.ts";
import { messageOf } from "./remembered-request.ts";

export type StoredTurn = {
  /** With ids. */
  readonly input: readonly JsonObject[];
  readonly output: readonly JsonObject[];
};

/** Undefined for an answer that failed. */
export function parseAnswered(answer: string): Answered | undefined {
  const response = responseText(answer);
  const { status, output, store } = parseExactObject(response) ?? {};
  const hasEnded = status === "completed" || status === "incomplete";
  if (!hasEnded || !Array.isArray(output)) return undefined;
  const items = output.filter(isObject);
  const isCompaction = items.some(isCompacted);
  const isIncomplete = status === "incomplete";
  return { response, output: items, stores: store === true, isCompaction, isIncomplete };
}

/** `answer` as it is if its response was not stored, or not added to its conversation. */
export function withoutKept(answer: string, what: "store" | "conversation"): string {
  return setInResponse(answer, what === "store" ? { store: "false" } : { conversation: "null" });
}

/** The last `count` items of the input of a request, without what no later request could send, with ids made from `place`. */
export function newInput(request: string, count: number, place: string): readonly JsonObject[] {
  const { input } = parseExactObject(request) ?? {};
  const items: readonly unknown[] = typeof input === "string" ? [messageOf(input)] : listOf(input);
  const own = count === 0 ? [] : items.slice(-count);
  return withIds(
    own.filter(isObject).filter((item) => !isTrigger(item) && !isReference(item)),
    place,
  );
}

/** Items of a caller. Reasoning has an id that its provider knows. */
export function withIds(items: readonly JsonObject[], place: string): readonly JsonObject[] {
  return items.map((item, index) => {
    const { id: own, ...rest } = item;
    const type = parseText(item.type) ?? "message";
    if (type === "reasoning" && typeof own === "string") return item;
    return { id: inputIdOf(prefixes[type] ?? "item", place, index), ...rest, type };
  });
}

const prefixes: Readonly<Record<string, string>> = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
  function_call_output: "fco",
  custom_tool_call: "ctc",
  custom_tool_call_output: "ctco",
  compaction: "cmp",
};

/** `place` is 32 hexadecimal digits. No output item has such an id. */
function inputIdOf(prefix: string, place: string, index: number): string {
  return `${prefix}_${place}i${index.toString(16).padStart(4, "0")}`;
}

/** What is stored of a response. */
export function writeStoredResponse(input: readonly JsonObject[], response: string): string {
  return `{"input":${JSON.stringify(input)},"response":${response}}`;
}

/** What is stored of a turn of a conversation. */
export function writeStoredTurn({ input, output }: StoredTurn): string {
  return writeStoredResponse(input, JSON.stringify({ output }));
}

/** Of what one of them has written. */
export function readStoredTurn(stored: string): StoredTurn {
  const { input, response } = parseExactObject(stored) ?? {};
  const { output } = isObject(response) ? response : {};
  return { input: listOf(input).filter(isObject), output: listOf(output).filter(isObject) };
}

/** The response, as its caller received it. */
export function readStoredResponse(stored: string): string {
  return memberText(stored, findMembers(stored), "response") ?? "{}";
}

export function itemsOfTurn({ input, output }: StoredTurn): EarlierItems {
  const start = output.findLastIndex(isCompacted);
  const items = start === -1 ? [...input, ...output] : output.slice(start);
  return {
    items: items.map((item) => JSON.stringify(asInput(item))),
    isCompacted: start !== -1,
  };
}

/** An item as the API lists it: a message has a list of parts, and everything a status. */
export function presentItem({ status = "completed", ...item }: JsonObject): JsonObject {
  if (item.type !== "message" || typeof item.content !== "string") return { ...item, status };
  const { content: text, ...message } = item;
  const part =
    item.role === "assistant"
      ? { type: "output_text", text, annotations: [] }
      : { type: "input_text", text };
  return { ...message, status, content: [part] };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
