// The bodies of `/v1/conversations`, as OpenAI's clients send them, and conversations as they are shown.
import { type Fault, isObject, type JsonObject } from "@turnpike/base";
import { badValue, missing, tooMany, wrongType } from "../checks/body-fault.ts";
import { metadata as checkMetadata } from "../fields/record-fields.ts";
import { agentBounds } from "../json/edit-json-object.ts";
import { withExactMembers } from "../json/exact-numbers.ts";
import { assertStorableText, parseJsonBody } from "../json/parse-json-body.ts";
import { input as checkItems } from "./check-items.ts";
import { isReference } from "./item-reference.ts";

export type NewConversation = {
  readonly items: readonly JsonObject[];
  readonly metadata: JsonObject;
};

/** Source: OpenAI's API. */
const itemsMax = 20;

/** Throws a Fault that names the field. */
export function parseNewConversation(text: string): NewConversation {
  const { items, metadata } = parseFields(text, ["items", "metadata"]);
  return {
    items: isNothing(items) || isEmpty(items) ? [] : parseItems(items),
    metadata: parseMetadata(metadata),
  };
}

/** Of what is added to a conversation. Throws a Fault that names the field. */
export function parseNewItems(text: string): readonly JsonObject[] {
  const { items } = parseFields(text, ["items"]);
  if (isNothing(items)) throw missing("items");
  return parseItems(items);
}

/** Throws a Fault that names the field. */
export function parseNewMetadata(text: string): JsonObject {
  const { metadata } = parseFields(text, ["metadata"]);
  if (metadata === undefined) throw missing("metadata");
  return parseMetadata(metadata);
}

export type ConversationView = {
  /** `conv_…`. */
  readonly id: string;
  readonly createdAt: Date;
  readonly metadata: JsonObject;
};

export function conversationBody({ id, createdAt, metadata }: ConversationView) {
  const created_at = Math.floor(createdAt.getTime() / 1_000);
  return { id, object: "conversation", created_at, metadata };
}

export function deletedConversationBody(id: string) {
  return { id, object: "conversation.deleted", deleted: true };
}

/** Clients send no body for a conversation without items. */
function parseFields(text: string, known: readonly string[]): JsonObject {
  if (text.trim() === "") return {};
  const { parsed } = parseJsonBody(text, agentBounds);
  const unknown = Object.keys(parsed).find((name) => !known.includes(name));
  if (unknown !== undefined) throw badValue(unknown, "it is no field of this request.");
  assertStorableText(text, parsed);
  return withExactMembers(text, parsed, ["items"]);
}

function parseItems(items: unknown): readonly JsonObject[] {
  if (!Array.isArray(items)) throw wrongType("items", "an array of objects", items);
  if (items.length > itemsMax) throw tooMany("items", itemsMax, items.length);
  const reference = items.findIndex((item: unknown) => isObject(item) && isReference(item));
  if (reference !== -1) throw noReference(`items[${reference}]`);
  checkItems(items, "items");
  return items.filter(isObject);
}

/** What it stands for is known for a day, and to one key. */
function noReference(path: string): Fault {
  const sentence = "it refers to an item of an answer: send the item itself.";
  return badValue(path, sentence);
}

function parseMetadata(metadata: unknown): JsonObject {
  if (isNothing(metadata)) return {};
  checkMetadata(metadata, "metadata");
  return isObject(metadata) ? metadata : {};
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

function isEmpty(items: unknown): boolean {
  return Array.isArray(items) && items.length === 0;
}
