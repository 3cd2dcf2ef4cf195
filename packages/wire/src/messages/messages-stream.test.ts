import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import type { DeltaEvent } from "../protocol/pivot.ts";
import {
  assemble,
  bill,
  call,
  eventsOf,
  finish,
  identity,
  request,
  requestOf,
  streamOf,
  text,
  think,
  wholeOf,
} from "./messages-deltas.fixture.ts";
import { messagesProtocol } from "./messages-protocol.ts";
import { MessagesStreamWriter } from "./messages-stream.ts";
import { writeMessage } from "./write-message.ts";

const everything: DeltaEvent[] = [
  think("I "),
  think("see", "sig"),
  { kind: "reasoning_encrypted", choice: 0, data: "xx", id: undefined },
  text("Hel"),
  text("lo"),
  call(0, "", "a"),
  call(0, '{"x":'),
  call(0, "1}"),
  call(1, "", "b"),
  finish("tool_calls"),
];
const blocks = [
  { type: "thinking", thinking: "I see", signature: "sig" },
  { type: "redacted_thinking", data: "xx" },
  { type: "text", text: "Hello" },
  { type: "tool_use", id: "a", name: "tool_a", input: { x: 1 } },
  { type: "tool_use", id: "b", name: "tool_b", input: {} },
];
const counts = {
  cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 0 },
  input_tokens: 5,
  cache_creation_input_tokens: 2,
  cache_read_input_tokens: 3,
  output_tokens: 5,
  output_tokens_details: { thinking_tokens: 1 },
  cost: 0,
};
const absent = { service_tier: null, server_tool_use: null, inference_geo: null };
const usage = { ...absent, ...counts };

test("token counts are sent at the end, when all of them are known, and none is estimated before", () => {
  const events = streamOf(everything);
  const begun = events[0]?.message;
  expect(begun).toMatchObject({
    usage: {
      input_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 0,
    },
  });
  expect(events.at(-2)).toMatchObject({ type: "message_delta", usage: counts });
});

test("deltas become blocks, one after the other, the same streamed and whole", () => {
  const events = streamOf(everything);
  expect(assemble(events)).toEqual(blocks);
  expect(events[0]).toMatchObject({ type: "message_start", message: { id: "msg_1", content: [] } });
  expect(events.at(-2)).toEqual({
    type: "message_delta",
    delta: { stop_reason: "tool_use", stop_sequence: null, stop_details: null, container: null },
    usage,
  });
  expect(events.at(-1)).toEqual({ type: "message_stop" });
  expect(wholeOf(everything)).toEqual({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "vendor/model",
    content: blocks,
    stop_reason: "tool_use",
    stop_sequence: null,
    stop_details: null,
    container: null,
    usage,
  });
});

test("thinking that the caller wants omitted is not shown, but its signature is", () => {
  const thinking = { type: "enabled", budget_tokens: 2_000, display: "omitted" };
  const asked = requestOf({ thinking });
  const shown = assemble(streamOf([think("a"), think("b", "sig"), text("c")], asked));
  expect(shown).toEqual([
    { type: "thinking", thinking: "", signature: "sig" },
    { type: "text", text: "c" },
  ]);
});

test("thinking that the caller wants summarized is shown, streamed and whole", () => {
  const thinking = { type: "enabled", budget_tokens: 2_000, display: "summarized" };
  const asked = requestOf({ thinking });
  const deltas = [think("a"), think("b", "sig"), text("c")];
  const expected = [
    { type: "thinking", thinking: "ab", signature: "sig" },
    { type: "text", text: "c" },
  ];
  expect(assemble(streamOf(deltas, asked))).toEqual(expected);
  const content = { kind: "deltas", deltas } as const;
  expect(JSON.parse(writeMessage(content, identity, bill, asked)).content).toEqual(expected);
});

describe("why an answer ended", () => {
  test("a refusal that ends with `stop` is a refusal", () => {
    const refusal: DeltaEvent = { kind: "refusal", choice: 0, text: "I will not." };
    const end = finish("stop");
    expect(wholeOf([refusal, end])).toMatchObject({
      stop_reason: "refusal",
      content: [{ type: "text", text: "I will not." }],
    });
    expect(streamOf([refusal, end]).at(-2)).toMatchObject({ delta: { stop_reason: "refusal" } });
    expect(wholeOf([refusal, finish("length")]).stop_reason).toBe("max_tokens");
  });

  test.each([
    ["stop", "end_turn"],
    ["length", "max_tokens"],
    ["tool_calls", "tool_use"],
    ["content_filter", "refusal"],
  ] as const)("%s is %s", (reason, word) => {
    expect(wholeOf([text("a"), finish(reason)]).stop_reason).toBe(word);
  });

  test("the stop sequence that was met, if the upstream says so", () => {
    const met: DeltaEvent = { kind: "finish", choice: 0, reason: "stop", stopSequence: "END" };
    const { stop_reason, stop_sequence } = wholeOf([met]);
    expect([stop_reason, stop_sequence]).toEqual(["stop_sequence", "END"]);
  });
});

test("an empty answer is still complete", () => {
  const types = streamOf([]).map(({ type }) => type);
  expect(types).toEqual(["message_start", "message_delta", "message_stop"]);
});

test("an upstream's own events pass unchanged; its last one waits for the bill", () => {
  const writer = new MessagesStreamWriter(request, identity);
  const start = '{"type":"message_start","message":{"odd":1.0}}';
  expect(writer.writeOwn(start, "message_start")).toBe(`event: message_start\ndata: ${start}\n\n`);
  const last =
    '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5,"x":1},"more":true}';
  expect(writer.writeOwn(last, "message_delta")).toBe("");
  const [delta, stop] = eventsOf(writer.writeEnd(bill));
  expect(delta).toMatchObject({ more: true, usage: { ...counts, x: 1 } });
  expect(stop).toEqual({ type: "message_stop" });
});

test("a failure inside a stream is an error event with the id of the request", () => {
  const writer = new MessagesStreamWriter(request, identity);
  const [event] = eventsOf(writer.writeFault(new Fault("bad_gateway", "Broken."), "req_9"));
  expect(event).toEqual({
    type: "error",
    error: { type: "api_error", message: "Broken." },
    request_id: "req_9",
  });
});

test("keep-alives are ping events", () => {
  expect(eventsOf(messagesProtocol.stream?.keepAlive ?? "")).toEqual([{ type: "ping" }]);
});

test("an event between the upstream's last two does not move the usage and the end", () => {
  const writer = new MessagesStreamWriter(request, identity);
  const delta = '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{}}';
  const sent = [
    writer.writeOwn(delta, "message_delta"),
    writer.writeOwn('{"type":"future"}', "future"),
    writer.writeEnd(undefined),
  ].join("");
  expect([...sent.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)).toEqual([
    "future",
    "message_delta",
    "message_stop",
  ]);
});
