// Calls of one conversation are known by the beginning of their prompt, wherever in the body it is and
// whatever else the body has.
import { expect, test } from "bun:test";
import {
  chatProtocol,
  completionsProtocol,
  conversationOf,
  embeddingsProtocol,
  messagesProtocol,
  type ParsedRequest,
  responsesProtocol,
} from "../index.ts";
import type { RequestHeaders } from "../protocol/request-headers.ts";

type Parse = (text: string, headers: RequestHeaders) => ParsedRequest;

const turn = (text: string) => ({ role: "user", content: text });
const longAgo = "A question that began it all. ".repeat(50);
const protocols: readonly (readonly [string, Parse, (text: string) => object])[] = [
  ["chat completions", chatProtocol.parse, (text) => ({ messages: [turn(text)] })],
  ["completions", completionsProtocol.parse, (text) => ({ prompt: text })],
  ["messages", messagesProtocol.parse, (text) => ({ max_tokens: 9, messages: [turn(text)] })],
  ["responses", responsesProtocol.parse, (text) => ({ input: [turn(text)] })],
  ["responses to a string", responsesProtocol.parse, (text) => ({ input: text })],
  ["embeddings", embeddingsProtocol.parse, (text) => ({ input: text })],
];

test.each(protocols)("%s belong together by their prompt", (_, parse, prompt) => {
  const of = (metadata: object, text: string) => {
    const body = { metadata, model: "a/b", ...prompt(text) };
    return conversationOf(parse(JSON.stringify(body), new Headers()));
  };
  const first = of({}, longAgo);
  expect(first).toContain("A question that began it all.");
  // What comes before the prompt, and what is added to its end.
  expect(of({ trace: "x".repeat(400) }, longAgo)).toBe(first);
  expect(of({ trace: "y".repeat(500) }, `${longAgo}And then?`)).toBe(first);
  expect(of({}, `Another one. ${longAgo}`)).not.toBe(first);
});

test.each(protocols)(
  "%s belong together by the name their caller gives them",
  (_, parse, prompt) => {
    const of = (text: string) =>
      conversationOf(
        parse(JSON.stringify({ model: "a/b", session_id: "s-1", ...prompt(text) }), new Headers()),
      );
    expect([of("one"), of("two")]).toEqual(["s-1", "s-1"]);
  },
);
