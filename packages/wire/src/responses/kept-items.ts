// The items of an answer that a later request may refer to, as such a request would send them.
import { isObject, type JsonObject } from "@turnpike/base";
import { findMembers, memberText } from "../json/edit-json-object.ts";
import { parseExactObject } from "../json/exact-numbers.ts";
import { setInnerMembers, setMembers } from "../json/set-members.ts";

const dataPrefix = "data: ";

/**
 * By id, as JSON texts; none if the response says that they are not kept. `answer` is a whole response, or
 * the text of a stream with its last event. Of several items with one id none is kept.
 */
export function parseKeptItems(answer: string): ReadonlyMap<string, string> {
  const items = new Map<string, string>();
  const repeated = new Set<string>();
  for (const item of outputOf(answer)) {
    if (!isObject(item) || typeof item.id !== "string" || item.id === "") continue;
    if (items.has(item.id)) repeated.add(item.id);
    items.set(item.id, JSON.stringify(asInput(item)));
  }
  for (const id of repeated) items.delete(id);
  return items;
}

/** `answer` as it is if its items were not kept. */
export function withoutKeptItems(answer: string): string {
  return setInResponse(answer, { items_kept: "false" });
}

/** `answer` with members of its response set, as JSON texts. */
export function setInResponse(answer: string, set: Readonly<Record<string, string>>): string {
  const { start, end } = responseIn(answer);
  const json = answer.slice(start, end);
  const edited = start === 0 ? setMembers(json, set) : setInnerMembers(json, "response", set);
  return answer.slice(0, start) + edited + answer.slice(end);
}

function outputOf(answer: string): readonly unknown[] {
  const response = parseExactObject(responseText(answer)) ?? {};
  return response.items_kept === true && Array.isArray(response.output) ? response.output : [];
}

/** The response in a whole answer, or in what ends a stream. */
export function responseText(answer: string): string {
  const { start, end } = responseIn(answer);
  const json = answer.slice(start, end);
  return start === 0 ? json : (memberText(json, findMembers(json), "response") ?? "{}");
}

/** Of the JSON that is the response, or whose event ends the stream with it. */
function responseIn(answer: string): { readonly start: number; readonly end: number } {
  const line = answer.lastIndexOf(`\n${dataPrefix}`);
  if (line === -1) return { start: 0, end: answer.length };
  const start = line + 1 + dataPrefix.length;
  const end = answer.indexOf("\n", start);
  return { start, end: end === -1 ? answer.length : end };
}

/** OpenAI refuses an item with an id whose reasoning is missing; without its id it needs none. */
export function asInput({ id, status: _, ...item }: JsonObject): JsonObject {
  return item.type === "reasoning" ? { id, ...item } : item;
}
