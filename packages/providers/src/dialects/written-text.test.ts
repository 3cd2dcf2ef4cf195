// What a caller was sent is counted, whatever member of a delta it came in: an answer that breaks off, or whose
// client leaves, is billed by this count.
import { describe, expect, test } from "bun:test";
import { runsOf } from "@turnpike/testing";
import { messagesLanguage, responsesLanguage } from "@turnpike/wire";
import fc from "fast-check";
import type { StreamEvent, UpstreamCall } from "../provider.ts";
import { chatCall, ownCall } from "./anthropic/sample-messages-call.fixture.ts";
import { dialectOf } from "./dialect-of.ts";
import { geminiCall, response } from "./gemini/sample-response.fixture.ts";
import { countDelta, estimateTokens } from "./openai/count-tokens.ts";
import { sampleCall, tokensOf, upstreamChunk } from "./openai/sample-call.fixture.ts";
import { sampleResponseCall } from "./openai-responses/sample-response.fixture.ts";

const options = { maxEventBytes: 1024 * 1024, headers: new Headers() };
const stream = { stream: true };

type Call = UpstreamCall;

function read(call: Call, ...payloads: readonly (object | string)[]): StreamEvent[] {
  const reader = dialectOf(call).openStream?.(call, options);
  if (reader === undefined) throw new Error("this dialect does not stream");
  const data = payloads.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
  return reader.push(new TextEncoder().encode(data.map((each) => `data: ${each}\n\n`).join("")));
}

/** Everything a caller is sent, as one text. */
function sentText(events: readonly StreamEvent[]): string {
  return events
    .map((event) => {
      if (event.kind === "frame") return new TextDecoder().decode(event.bytes);
      if (event.kind === "chunk") return event.json;
      return event.kind === "deltas" ? JSON.stringify(event.deltas) : "";
    })
    .join("\n");
}

/** It needs no escapes in JSON, so that it is found in what was sent, and is part of no member's name. */
const word = fc.stringMatching(/^~[a-z ]{8,60}$/);
const isMetadata = new Set(["citation", "container", "error", "format", "id", "obfuscation"]);
/** That an API has elsewhere, or that any object has. */
const familiarNames = ["name", "length", "data", "input", "arguments", "args", "content", "summary"]
  .concat(["delta", "text", "title", "code", "output", "refusal", "transcript", "message", "part"])
  .concat(["reasoning", "reasoning_content", "thinking", "partial_json", "thought", "value"])
  .concat(["function", "custom", "tool_calls", "function_call", "parts", "results", "url"]);
const memberName = fc
  .oneof(fc.stringMatching(/^[a-z_]{3,12}$/), fc.constantFrom(...familiarNames))
  .filter(
    (name) => !isMetadata.has(name) && !/^(role|type|status|phase|index|signature)$/.test(name),
  );
const shape = fc.constantFrom<(text: string) => unknown>(
  (text) => text,
  (text) => ({ text }),
  (text) => ({ parts: [{ type: "step", step: text }] }),
  (text) => [{ type: "text", text }],
  (text) => [text],
);

const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
const begunMessage = { type: "message_start", message: { id: "msg_1", content: [] } };
const block = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
const item = {
  id: "msg_1",
  type: "message",
  status: "in_progress",
  role: "assistant",
  content: [],
};
const begunResponse = [
  { type: "response.created", sequence_number: 0, response: { id: "resp_1", output: [] } },
  { type: "response.output_item.added", sequence_number: 1, output_index: 0, item },
];

/** A stream that is cut behind one delta with `member`. */
const cutStreams: Record<string, (name: string, value: unknown) => StreamEvent[]> = {
  "chat completions for callers of the same": (name, value) =>
    read(sampleCall({ body: stream }), upstreamChunk({ [name]: value })),
  "chat completions of an upstream with many tokens in a delta": (name, value) =>
    read(sampleCall({ like: "openrouter", body: stream }), upstreamChunk({ [name]: value })),
  "chat completions for callers of messages": (name, value) =>
    read(
      sampleCall({ body: stream, language: messagesLanguage }),
      upstreamChunk({ [name]: value }),
    ),
  "a call in chat completions": (name, value) =>
    read(
      sampleCall({ body: stream }),
      upstreamChunk({
        tool_calls: [{ index: 0, id: "c", function: { name: "f" }, [name]: value }],
      }),
    ),
  "messages, in a block": (name, value) =>
    read(ownCall(stream), begunMessage, {
      ...block,
      content_block: { type: "future", [name]: value },
    }),
  "messages, in a delta": (name, value) =>
    read(ownCall(stream), begunMessage, block, {
      type: "content_block_delta",
      index: 0,
      delta: { type: "future_delta", [name]: value },
    }),
  "messages, in the delta of the message": (name, value) =>
    read(ownCall(stream), begunMessage, { type: "message_delta", delta: { [name]: value } }),
  "messages, for callers of chat completions": (name, value) =>
    read(chatCall(stream), begunMessage, block, {
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", [name]: value },
    }),
  "responses, in a delta": (name, value) =>
    read(sampleResponseCall({ body: stream }), ...begunResponse, {
      type: "response.output_text.delta",
      ...place,
      [name]: value,
    }),
  "responses, in an event of an unknown type": (name, value) =>
    read(sampleResponseCall({ body: stream }), ...begunResponse, {
      type: "response.future",
      ...place,
      [name]: value,
    }),
  "responses, in an item without deltas": (name, value) =>
    read(sampleResponseCall({ body: stream }), ...begunResponse, {
      type: "response.output_item.done",
      output_index: 0,
      item: { ...item, [name]: value },
    }),
  Gemini: (name, value) =>
    read(
      geminiCall(stream),
      response([{ index: 0, content: { parts: [{ [name]: value }] } }], undefined),
    ),
};

describe.each(Object.entries(cutStreams))("%s", (_, readCut) => {
  test("a text that the caller was sent counts, in whatever member it is", () => {
    fc.assert(
      fc.property(memberName, shape, word, (name, shapeOf, text) => {
        const events = readCut(name, shapeOf(text));
        if (!sentText(events).includes(text)) return;
        expect(tokensOf(events)).toBeGreaterThanOrEqual(countDelta(text, "one"));
      }),
      { numRuns: runsOf({ short: 100, long: 2_000 }) },
    );
  });
});

const long = "Twelve lamps were lit along the quay before the ferry came in. ".repeat(20);

test.each([
  ["reasoning", { reasoning: long }],
  ["reasoning_content", { reasoning_content: long }],
  ["reasoning_details", { reasoning_details: [{ type: "reasoning.text", text: long }] }],
  ["a summary", { reasoning_details: [{ type: "reasoning.summary", summary: long }] }],
  [
    "all three",
    {
      reasoning: long,
      reasoning_content: long,
      reasoning_details: [{ type: "reasoning.text", text: long, signature: long, format: "x" }],
    },
  ],
])("reasoning in chat completions counts the same, once, as %s", (_, delta) => {
  const expected = estimateTokens(long.length);
  for (const language of [undefined, messagesLanguage]) {
    const call = sampleCall({ body: stream, ...(language && { language }) });
    expect(tokensOf(read(call, upstreamChunk(delta)))).toBe(expected);
  }
  const message = { role: "assistant", content: null, ...delta };
  const whole = { id: "a", choices: [{ index: 0, message, finish_reason: "stop" }] };
  const call = sampleCall();
  const answer = dialectOf(call).parseWhole(call, JSON.stringify(whole), new Headers());
  expect(answer.deliveredTokens).toBe(expected);
});

test("different texts of reasoning in one delta count all", () => {
  const delta = { reasoning: long, reasoning_details: [{ type: "reasoning.text", text: "more" }] };
  const call = sampleCall({ body: stream });
  expect(tokensOf(read(call, upstreamChunk(delta)))).toBe(estimateTokens(long.length + 4));
});

test("a member that a translation leaves out counts nothing, streamed or whole", () => {
  const unknown = { content: "Hi", future_thoughts: long };
  const choices = [{ index: 0, message: unknown, finish_reason: "stop" }];
  const counts = [undefined, messagesLanguage, responsesLanguage].map((language) => {
    const call = sampleCall({ body: stream, ...(language && { language }) });
    const streamed = read(call, upstreamChunk(unknown));
    const whole = dialectOf(call).parseWhole(call, JSON.stringify({ choices }), new Headers());
    const isSent = sentText(streamed).includes(long);
    expect(JSON.stringify(whole.content).includes(long)).toBe(isSent);
    return [isSent, tokensOf(streamed), whole.deliveredTokens];
  });
  const all = estimateTokens(long.length + 2);
  expect(counts).toEqual([
    [true, all, all],
    [false, 1, 1],
    [false, 1, 1],
  ]);
});

test("signatures, encrypted reasoning and ids count nothing", () => {
  const sealed = { type: "reasoning.encrypted", data: long, id: "r1", format: "openai-v1" };
  const chat = read(sampleCall({ body: stream }), upstreamChunk({ reasoning_details: [sealed] }));
  const delta = { type: "signature_delta", signature: long };
  const messages = read(ownCall(stream), begunMessage, block, {
    type: "content_block_delta",
    index: 0,
    delta,
  });
  const reasoning = { id: "rs_1", type: "reasoning", summary: [], encrypted_content: long };
  const added = { type: "response.output_item.added", output_index: 0, item: reasoning };
  const responses = read(sampleResponseCall({ body: stream }), begunResponse[0] ?? {}, added);
  expect([chat, messages, responses].map(tokensOf)).toEqual([0, 0, 0]);
  for (const events of [chat, messages, responses]) expect(sentText(events)).toContain(long);
});

test("what the events of a response repeat counts once", () => {
  const type = "output_text";
  const part = { type, text: long, annotations: [] };
  const whole = { ...item, content: [part] };
  const ends = [
    { type: "response.output_text.done", ...place, text: long },
    { type: "response.content_part.done", ...place, part },
    { type: "response.output_item.done", output_index: 0, item: whole },
  ];
  const expected = estimateTokens(long.length);
  const delta = { type: "response.output_text.delta", ...place, delta: long };
  for (const events of [[delta], [delta, ...ends], ends, ends.slice(1), ends.slice(2)]) {
    const call = sampleResponseCall({ body: stream });
    expect(tokensOf(read(call, ...begunResponse, ...events))).toBe(expected);
  }
});
