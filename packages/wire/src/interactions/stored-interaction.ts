// How interactions are stored and continued: as the steps that were new in the input, and the interaction with its own. A request
// that continues one is read as if its caller had sent all steps before its own.
import { formatGenerationId, isObject, type JsonObject, parseInteractionId } from "@turnpike/base";
import { wrongType } from "../checks/body-fault.ts";
import { isGiven } from "../checks/check-value.ts";
import { agentBounds, editJsonObject, findMembers, memberText } from "../json/edit-json-object.ts";
import { parseExactObject } from "../json/exact-numbers.ts";
import { parseJsonBody } from "../json/parse-json-body.ts";
import { setMembers } from "../json/set-members.ts";
import { answerText, setInAnswer, withoutInEvent } from "../protocol/answer-member.ts";
import {
  type Answered,
  type ContinuedRequest,
  type EarlierItems,
  isPrivate,
  type Memory,
  type MemoryLanguage,
} from "../protocol/memory.ts";
import { contentTypes } from "./check-steps.ts";
import type { InteractionsRequest } from "./parse-interactions-request.ts";

const previousParam = "previous_interaction_id";
const answerMember = "interaction";

export const interactionsMemory: MemoryLanguage = {
  purpose: "interaction",
  previousParam,
  answerId: formatGenerationId,
  parseId: parseInteractionId,
  find: findMemory,
  continueRequest,
  newInput,
  parseAnswered,
  withoutKept: (answer) => setInAnswer(answer, answerMember, { store: "false" }),
  answerText: (answer) => answerText(answer, answerMember),
  // The events of a stream have had its steps.
  toSend: (answer) => withoutInEvent(answer, answerMember, "steps"),
  earlierItems,
};

const mayAsk = /"(?:store|previous_interaction_id)"/;

function findMemory(raw: string, storesByDefault: boolean): Memory | undefined {
  if (!storesByDefault && !mayAsk.test(raw)) return undefined;
  const { parsed } = parseJsonBody(raw, agentBounds);
  const { [previousParam]: previous, store, messages, contents } = parsed;
  // A request for a price may be of any API.
  if (messages !== undefined || contents !== undefined) return undefined;
  if (isGiven(previous) && typeof previous !== "string") {
    throw wrongType(previousParam, "a string", previous);
  }
  const previousId = typeof previous === "string" ? previous : undefined;
  const stores = (store ?? storesByDefault) === true;
  if (previousId === undefined && !stores) return undefined;
  return { stores, previousId, conversationId: undefined, background: undefined };
}

function continueRequest(raw: string, earlier: readonly string[]): ContinuedRequest {
  const { parsed, members } = parseJsonBody(raw, agentBounds);
  const remove = [previousParam];
  const own = memberText(raw, members, "input")?.trim();
  const newItems = Array.isArray(parsed.input) ? parsed.input.length : 1;
  // What is missing or no input is refused by the rule of the field.
  if (own === undefined || !isInput(parsed.input) || earlier.length === 0) {
    return { text: editJsonObject(raw, members, { remove }), newItems };
  }
  const input = `[${[...earlier, itemsText(parsed.input, own)].join(",")}]`;
  return { text: editJsonObject(raw, members, { set: { input }, remove }), newItems };
}

/** An empty input is one that the rule of the field refuses. */
function isInput(input: unknown): boolean {
  return Array.isArray(input) || typeof input === "string" ? input.length > 0 : isObject(input);
}

/** `text` is that of `input`. */
function itemsText(input: unknown, text: string): string {
  if (typeof input === "string") return JSON.stringify(stepOf(input));
  return Array.isArray(input) ? text.slice(1, -1) : text;
}

function newInput(request: string, count: number): readonly JsonObject[] {
  const { input } = parseExactObject(request) ?? {};
  const items: readonly unknown[] = Array.isArray(input) ? input : [input];
  return items.slice(-count).map(stepOf).filter(isObject);
}

/** A content is a step of its own, as it is where a request is translated: prompts of later turns begin with the same tokens. */
function stepOf(item: unknown): JsonObject | undefined {
  if (typeof item === "string") return userInput({ type: "text", text: item });
  if (!isObject(item)) return undefined;
  return contentTypes.has(String(item.type)) ? userInput(item) : item;
}

function userInput(content: JsonObject): JsonObject {
  return { type: "user_input", content: [content] };
}

function parseAnswered(answer: string): Answered | undefined {
  const response = answerText(answer, answerMember);
  const { status, steps, store } = parseExactObject(response) ?? {};
  if (status !== "completed" && status !== "requires_action" && status !== "incomplete") {
    return undefined;
  }
  return {
    response,
    output: listOf(steps),
    stores: store === true,
    isCompaction: false,
    isIncomplete: status === "incomplete",
  };
}

function earlierItems(stored: string): EarlierItems {
  const { input, response } = parseExactObject(stored) ?? {};
  const { steps } = isObject(response) ? response : {};
  const items = [...listOf(input), ...listOf(steps)];
  return { items: items.map((item) => JSON.stringify(item)), isCompacted: false };
}

/** The interaction as its caller received it, with all of its steps, and with its new input if that is wanted. */
export function readStoredInteraction(stored: string, includesInput: boolean): string {
  const members = findMembers(stored);
  const interaction = memberText(stored, members, "response") ?? "{}";
  if (!includesInput) return interaction;
  return setMembers(interaction, { input: memberText(stored, members, "input") ?? "[]" });
}

/** What no provider may retain is not kept. */
export function withMemory(request: InteractionsRequest, memory: Memory): InteractionsRequest {
  return { ...request, memory: isPrivate(request) ? { ...memory, stores: false } : memory };
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
