// Requests that want their response kept, or continue an earlier one or a conversation. The earlier items are put before the input
// before anything else reads the request, so a call costs and is bounded as if its caller had sent them.
import { isObject, type JsonObject } from "@turnpike/base";
import { badValue, brokenRule, wrongType } from "../checks/body-fault.ts";
import { agentBounds, editJsonObject, memberText } from "../json/edit-json-object.ts";
import { parseJsonBody } from "../json/parse-json-body.ts";
import { type ContinuedRequest, isPrivate, type Memory } from "../protocol/memory.ts";
import type { ResponsesRequest } from "./parse-responses-request.ts";

const mayAsk = /"(?:store|previous_response_id|conversation|background)"/;

/**
 * Undefined if it asks for nothing of the kind, or is of another API. `storesByDefault`: it asks to be stored unless it says
 * otherwise. Throws the Fault of a body that is not JSON, or asks for both.
 */
export function findMemory(raw: string, storesByDefault = false): Memory | undefined {
  if (!storesByDefault && !mayAsk.test(raw)) return undefined;
  const { parsed } = parseJsonBody(raw, agentBounds);
  if (parsed.messages !== undefined || parsed.contents !== undefined) return undefined;
  const previousId = parsePrevious(parsed);
  const conversationId = parseConversation(parsed);
  if (previousId !== undefined && conversationId !== undefined) {
    throw brokenRule(
      "conversation",
      "A request continues either the response that 'previous_response_id' names or the 'conversation': send one of them.",
    );
  }
  const background = parseBackground(parsed);
  const stores = (parsed.store ?? (storesByDefault || background !== undefined)) === true;
  if (background !== undefined && !stores) {
    throw brokenRule(
      "background",
      "A response that runs in the background is stored, so that it can be retrieved: omit 'store', or set it to true.",
    );
  }
  const asksForNothing = previousId === undefined && conversationId === undefined;
  if (asksForNothing && !stores) return undefined;
  return { stores, previousId, conversationId, background };
}

function parseBackground({ background, stream }: JsonObject): Memory["background"] {
  if (background !== undefined && background !== null && typeof background !== "boolean") {
    throw wrongType("background", "a boolean", background);
  }
  if (background !== true) return undefined;
  // It is replaced before the rules of a request see it.
  if (stream !== undefined && stream !== null && typeof stream !== "boolean") {
    throw wrongType("stream", "a boolean", stream);
  }
  return stream === true ? "streamed" : "polled";
}

function parsePrevious({ previous_response_id: id }: JsonObject): string | undefined {
  if (id === undefined || id === null) return undefined;
  if (typeof id !== "string") throw wrongType("previous_response_id", "a string", id);
  return id;
}

function parseConversation({ conversation }: JsonObject): string | undefined {
  if (conversation === undefined || conversation === null) return undefined;
  if (typeof conversation === "string") return conversation;
  if (!isObject(conversation)) {
    throw wrongType("conversation", "a string or an object", conversation);
  }
  const { id } = conversation;
  if (typeof id !== "string") throw wrongType("conversation.id", "a string", id);
  return id;
}

/**
 * The request with `earlier`, JSON texts of items, before its own input, and without the ids that stood for them. What runs in the
 * background is asked for as a stream, whatever its caller wants.
 */
export function continueRequest(
  raw: string,
  earlier: readonly string[],
  background?: Memory["background"],
): ContinuedRequest {
  const { parsed, members } = parseJsonBody(raw, agentBounds);
  const { input } = parsed;
  const remove = ["previous_response_id", "conversation", "background"];
  const newItems = Array.isArray(input) ? input.length : Number(typeof input === "string");
  const isInput = input === undefined || Array.isArray(input) || typeof input === "string";
  // What is no input is refused by the rule of the field.
  const streamed = background === undefined ? {} : { stream: "true" };
  if (!isInput || earlier.length === 0) {
    return { text: editJsonObject(raw, members, { set: streamed, remove }), newItems };
  }
  const joined = joinItems(earlier, input, memberText(raw, members, "input") ?? "[]");
  const set = { ...streamed, input: joined };
  return { text: editJsonObject(raw, members, { set, remove }), newItems };
}

/** The JSON text of a list. `text` is that of `input`, a text or a list; the others are those of items. */
export function joinItems(
  earlier: readonly string[],
  input: unknown,
  text: string,
  later: readonly string[] = [],
): string {
  const items = Array.isArray(input) ? text.trim().slice(1, -1).trim() : "";
  const own = typeof input === "string" ? JSON.stringify(messageOf(input)) : items;
  return `[${[...earlier, ...(own === "" ? [] : [own]), ...later].join(",")}]`;
}

export function messageOf(text: string): JsonObject {
  return { type: "message", role: "user", content: text };
}

/** Throws the Fault of a request that adds to a conversation and may not be kept. */
export function withMemory(request: ResponsesRequest, memory: Memory): ResponsesRequest {
  if (!isPrivate(request)) return { ...request, memory };
  if (memory.background !== undefined) {
    const sentence =
      "with 'provider.zdr' or 'provider.data_collection: deny' nothing is kept, so nothing runs in the background. Omit it, and wait for the answer.";
    throw badValue("background", sentence);
  }
  if (memory.conversationId !== undefined) {
    const sentence =
      "with 'provider.zdr' or 'provider.data_collection: deny' nothing is kept, so a conversation cannot be continued.";
    throw badValue("conversation", sentence);
  }
  return { ...request, memory: { ...memory, stores: false } };
}
