// The items of an answer that a later request may refer to, as such a request would send them.
import { isObject, type JsonObject } from "@turnpike/base";
import { parseExactObject } from "../json/exact-numbers.ts";
import { answerText, setInAnswer } from "../protocol/answer-member.ts";

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
  return setInAnswer(answer, "response", set);
}

function outputOf(answer: string): readonly unknown[] {
  const response = parseExactObject(responseText(answer)) ?? {};
  return response.items_kept === true && Array.isArray(response.output) ? response.output : [];
}

/** The response in a whole answer, or in what ends a stream. */
export function responseText(answer: string): string {
  return answerText(answer, "response");
}

/** OpenAI refuses an item with an id whose reasoning is missing; without its id it needs none. */
export function asInput({ id, status: _, ...item }: JsonObject): JsonObject {
  return item.type === "reasoning" ? { id, ...item } : item;
}
