// Requests and answers of the Interactions API for the tests.
import { Fault } from "@turnpike/base";
import type { AnswerIdentity, Bill, DeltaEvent } from "../protocol/pivot.ts";
import {
  type InteractionsRequest,
  parseInteractionsRequest,
} from "./parse-interactions-request.ts";

export function parse(body: object): InteractionsRequest {
  return parseInteractionsRequest(JSON.stringify({ model: "a/b", input: "Hello", ...body }));
}

/** The code and the member of a refusal; fails for any other answer. */
export function refusalOf(body: object): [string, unknown] {
  try {
    parse(body);
  } catch (thrown) {
    if (thrown instanceof Fault) return [thrown.code, thrown.details.param];
    throw thrown;
  }
  throw new Error("accepted");
}

export const identity: AnswerIdentity = { id: "gen-1", model: "a/b", created: 1_790_000_000 };

export const bill: Bill = {
  usage: {
    promptTokens: 10,
    completionTokens: 9,
    reasoningTokens: 4,
    cachedTokens: 3,
    cacheWriteTokens: 0,
    imageCompletionTokens: 2,
  },
  costNanos: 0n as Bill["costNanos"],
};

const choice = 0;
const call = { kind: "tool_call", choice, index: 0, name: undefined, id: undefined } as const;

/** Signed as Gemini signs: the call, and not the thoughts before it. */
export const callingDeltas: readonly DeltaEvent[] = [
  { kind: "reasoning", choice, text: "I need", signature: undefined },
  { kind: "reasoning", choice, text: " a tool.", signature: undefined },
  {
    ...call,
    id: "c1",
    name: "find",
    arguments: '{"id":',
    extra: { extra_content: { google: { thought_signature: "c2lnbmVk" } } },
  },
  { ...call, arguments: "12345678901234567890}" },
  { kind: "finish", choice, reason: "tool_calls" },
];
