// Reading a request and translating it is work that other callers wait for, and that nobody has paid for yet:
// it grows in proportion to the request, whatever the request repeats and whichever upstream it goes to.
import { describe, expect, test } from "bun:test";
import {
  type ChatRequest,
  chatProtocol,
  messagesProtocol,
  type Protocol,
  responsesProtocol,
} from "@turnpike/wire";
import { chatCall } from "./anthropic/sample-messages-call.fixture.ts";
import { countScans } from "./count-scans.fixture.ts";
import { dialectOf } from "./dialect-of.ts";
import { geminiCall } from "./gemini/sample-response.fixture.ts";
import { sampleCall } from "./openai/sample-call.fixture.ts";
import { sample } from "./openai-responses/recorded-items.fixture.ts";

const many = <One>(count: number, one: (index: number) => One): One[] =>
  Array.from({ length: count }, (_, index) => one(index));

const vertex = geminiCall({}, "gemini-2.5-flash");
const upstreams = {
  "chat completions": sampleCall({ like: "openai" }),
  "chat completions of a template": sampleCall(),
  "chat completions of Mistral": sampleCall({ like: "mistral" }),
  responses: sample(false),
  anthropic: chatCall(),
  gemini: geminiCall(),
  vertex: { ...vertex, provider: { ...vertex.provider, cloud: "vertex" as const } },
};

type Read = (fields: object) => ChatRequest;
const readerOf =
  <Request extends ChatRequest>(protocol: Protocol<Request>, always: object = {}): Read =>
  (fields) =>
    protocol.parse(JSON.stringify({ model: "m", ...always, ...fields }), new Headers());
const chat = readerOf(chatProtocol);
const messages = readerOf(messagesProtocol, { max_tokens: 9 });
const responses = readerOf(responsesProtocol);

const user = { role: "user", content: "Hi" };
const png = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };
const use = (index: number) => ({ type: "tool_use", id: `c${index}`, name: "f", input: {} });
const used = (index: number, content: unknown = "ok") => ({
  type: "tool_result",
  tool_use_id: `c${index}`,
  content,
});
const called = (index: number) => ({
  type: "function_call",
  call_id: `c${index}`,
  name: "f",
  arguments: "{}",
});
const answered = (index: number) => ({
  type: "function_call_output",
  call_id: `c${index}`,
  output: "ok",
});

/** A request with `count` of something. */
const requests: Readonly<Record<string, (count: number) => ChatRequest>> = {
  "calls in one turn, answered in reverse order": (count) =>
    messages({
      messages: [
        user,
        { role: "assistant", content: many(count, use) },
        { role: "user", content: many(count, (index) => used(count - 1 - index)) },
      ],
    }),
  "calls with one id in one turn": (count) =>
    messages({
      messages: [
        user,
        { role: "assistant", content: many(count, () => use(0)) },
        { role: "user", content: many(count, () => used(0)) },
      ],
    }),
  "turns with calls of one id": (count) =>
    messages({
      messages: [
        user,
        ...many(count, () => [
          { role: "assistant", content: [use(0)] },
          { role: "user", content: [used(0)] },
        ]).flat(),
      ],
    }),
  "results of one call": (count) =>
    messages({
      messages: [
        user,
        { role: "assistant", content: [use(0)] },
        { role: "user", content: many(count, () => used(0, "A long result.")) },
      ],
    }),
  "reminders after the result of a call": (count) =>
    chat({
      messages: [
        user,
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c0", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c0", content: "ok" },
        ...many(count, () => ({
          role: "user",
          content: "<system-reminder>Be brief.</system-reminder>",
        })),
      ],
    }),
  "texts before the results of calls": (count) =>
    messages({
      messages: [
        user,
        { role: "assistant", content: many(count, use) },
        {
          role: "user",
          content: [
            ...many(count, () => ({ type: "text", text: "Go on." })),
            ...many(count, (index) => used(index)),
          ],
        },
      ],
    }),
  "images in the result of a call": (count) =>
    messages({
      messages: [
        user,
        { role: "assistant", content: [use(0)] },
        {
          role: "user",
          content: [
            used(
              0,
              many(count, () => ({ type: "image", source: png })),
            ),
          ],
        },
      ],
    }),
  "messages of one role": (count) => messages({ messages: many(count, () => user) }),
  "turns with calls": (count) =>
    messages({
      messages: [
        user,
        ...many(count, (index) => [
          { role: "assistant", content: [use(index)] },
          { role: "system", content: "Be brief." },
          { role: "user", content: [used(index)] },
        ]).flat(),
      ],
    }),
  "outputs of one call": (count) =>
    responses({ input: [called(0), ...many(count, () => answered(0))] }),
  "calls and outputs": (count) =>
    responses({ input: [...many(count, called), ...many(count, answered)] }),
  "allowed tools": (count) =>
    responses({
      input: "Hi",
      tools: [
        {
          type: "namespace",
          name: "n",
          tools: many(count, (index) => ({ type: "function", name: `f${index}` })),
        },
      ],
      tool_choice: {
        type: "allowed_tools",
        mode: "auto",
        tools: many(count, (index) => ({
          name: `f${index}`,
          ...(index % 2 && { namespace: "n" }),
        })),
      },
    }),
  "blocks of encrypted reasoning before calls": (count) =>
    chat({
      messages: [
        user,
        {
          role: "assistant",
          content: "Ho",
          reasoning_details: many(count, (index) => ({
            type: "reasoning.encrypted",
            format: "openai-responses-v1",
            data: `openai:${index}:sealed`,
          })),
          tool_calls: many(count, (index) => ({
            id: `c${index}`,
            type: "function",
            function: { name: "f", arguments: "{}" },
          })),
        },
        ...many(count, (index) => ({ role: "tool", tool_call_id: `c${index}`, content: "ok" })),
      ],
    }),
};

describe.each(Object.entries(requests))("a request with many %s", (_, requestOf) => {
  test.each(Object.entries(upstreams))("is work in proportion to it, sent to %s", (_, sent) => {
    const call = { ...sent };
    const scansOf = (count: number) =>
      countScans(() => {
        const asked = { ...call, request: requestOf(count) };
        dialectOf(asked).buildRequest(asked);
      });
    // Four times the work, and a constant part.
    expect(scansOf(600)).toBeLessThan(scansOf(150) * 5 + 1_000);
  });
});

test("an answer with log probabilities is written in proportion to it", () => {
  const body = JSON.stringify({ model: "m", input: "Hi", stream: true });
  const request = responsesProtocol.parse(body, new Headers());
  const entry = { token: "a", logprob: -1, bytes: [97], top_logprobs: [] };
  const scansOf = (count: number) => {
    const writer = responsesProtocol.stream?.open(request, {
      id: "resp_1",
      model: "m",
      created: 1,
    });
    return countScans(() => {
      for (let token = 0; token < count; token += 1) {
        writer?.writeDeltas([
          { kind: "text", choice: 0, text: "a" },
          { kind: "logprobs", choice: 0, logprobs: { content: [entry], refusal: null } },
        ]);
      }
    });
  };
  expect(scansOf(600)).toBeLessThan(scansOf(150) * 5 + 1_000);
});

test("work that grows faster than a list is counted", () => {
  const searchAll = (list: readonly number[]) => list.map((item) => list.indexOf(item));
  const scansOf = (count: number) => countScans(() => searchAll(many(count, (index) => index)));
  expect(scansOf(400)).toBeGreaterThan(scansOf(100) * 10);
});
