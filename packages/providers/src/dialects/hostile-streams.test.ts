// Streams that never end and deliver nothing: whatever they make a reader and the writers of every protocol
// keep is bounded.
import { describe, expect, test } from "bun:test";
import {
  type ChatRequest,
  chatProtocol,
  completionsProtocol,
  messagesProtocol,
  type Protocol,
  responsesProtocol,
  type StreamWriter,
} from "@turnpike/wire";
import { chatCall } from "./anthropic/sample-messages-call.fixture.ts";
import { dialectOf } from "./dialect-of.ts";
import { geminiCall } from "./gemini/sample-response.fixture.ts";
import { sampleCall } from "./openai/sample-call.fixture.ts";
import { sample } from "./openai-responses/recorded-items.fixture.ts";

const data = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
const filler = "x".repeat(8_000);
const custom = { tools: [{ type: "custom", custom: { name: "patch" } }] };
const chunk = (delta: object) => data({ id: "a", choices: [{ index: 0, delta }] });

const begun = data({ type: "message_start", message: {} });
const block = (index: number, content_block: object) =>
  data({ type: "content_block_start", index, content_block });
const candidate = (part: object) =>
  data({ candidates: [{ index: 0, content: { parts: [part] } }] });
const created = data({ type: "response.created", response: {} });

/** The `index`th event of each. */
const streams = {
  "openai, calls without names": {
    call: sampleCall({ body: { stream: true }, language: "other" }),
    event: (index: number) => chunk({ tool_calls: [{ index, function: { arguments: "" } }] }),
  },
  "openai, encrypted reasoning": {
    call: sampleCall({ body: { stream: true }, language: "other" }),
    event: () => chunk({ reasoning_details: [{ type: "reasoning.encrypted", data: filler }] }),
  },
  "openai, members of a call": {
    call: sampleCall({ body: { stream: true }, language: "other" }),
    event: (index: number) =>
      chunk({
        tool_calls: [{ index: 0, id: `c${index}`, function: { name: "f" }, extra: filler }],
      }),
  },
  "anthropic, blocks without text": {
    call: chatCall({ stream: true }),
    event: (index: number) =>
      index === 0 ? begun : block(index, { type: "tool_use", id: "c", name: "", input: {} }),
  },
  "anthropic, redacted thinking": {
    call: chatCall({ stream: true }),
    event: (index: number) =>
      index === 0 ? begun : block(index, { type: "redacted_thinking", data: filler }),
  },
  "anthropic, calls of custom tools": {
    call: chatCall({ stream: true, ...custom }),
    event: (index: number) => {
      if (index === 0) return begun;
      const delta = { type: "input_json_delta", partial_json: filler };
      const name = "patch";
      return (
        block(index, { type: "tool_use", id: "c", name, input: {} }) +
        data({ type: "content_block_delta", index, delta })
      );
    },
  },
  "gemini, signatures": {
    call: geminiCall({ stream: true }),
    event: () => candidate({ text: "", thoughtSignature: filler }),
  },
  "responses, items without content": {
    call: sample(true),
    event: (index: number) =>
      index === 0
        ? created
        : data({
            type: "response.output_item.added",
            output_index: index,
            item: { type: "message", content: [] },
          }),
  },
  "responses, sealed reasoning": {
    call: sample(true),
    event: (index: number) =>
      index === 0
        ? created
        : data({
            type: "response.output_item.done",
            output_index: index,
            item: { type: "reasoning", summary: [], encrypted_content: filler },
          }),
  },
  "responses, log probabilities": {
    call: sample(true),
    event: (index: number) =>
      index === 0
        ? created
        : data({
            type: "response.output_text.delta",
            output_index: 0,
            delta: "a",
            logprobs: [{ token: filler }],
          }),
  },
};

function writerOf<Request extends ChatRequest>(
  protocol: Protocol<Request>,
  body: object,
): () => StreamWriter {
  const request = protocol.parse(
    JSON.stringify({ model: "m", stream: true, ...body }),
    new Headers(),
  );
  return () => {
    const writer = protocol.stream?.open(request, { id: "resp_1", model: "m", created: 1 });
    if (writer === undefined) throw new Error("this protocol does not stream");
    return writer;
  };
}

const said = [{ role: "user", content: "a" }];
const writers = {
  chat: writerOf(chatProtocol, { messages: said }),
  completions: writerOf(completionsProtocol, { prompt: "a" }),
  messages: writerOf(messagesProtocol, { messages: said, max_tokens: 9 }),
  responses: writerOf(responsesProtocol, { input: said }),
};

const maxEvents = 100_000;
const maxSentBytes = 64 * 1024 * 1024;
/** What is kept, and the same again for garbage that was not collected yet. */
const maxHeapBytes = 160 * 1024 * 1024;

describe.each(Object.entries(streams))("%s", (_, { call, event }) => {
  test.each(Object.entries(writers))("for a caller of %s", (_, openWriter) => {
    const options = { maxEventBytes: 1024 * 1024, headers: new Headers() };
    const reader = dialectOf(call).openStream?.(call, options);
    const writer = openWriter();
    const encoder = new TextEncoder();
    Bun.gc(true);
    const before = process.memoryUsage().heapUsed;
    let sentBytes = 0;
    for (let index = 0; index < maxEvents && sentBytes < maxSentBytes; index += 1) {
      const bytes = encoder.encode(event(index));
      sentBytes += bytes.length;
      for (const read of reader?.push(bytes) ?? []) {
        if (read.kind === "deltas") writer.writeDeltas(read.deltas);
      }
      if (reader?.fault !== undefined) break;
    }
    Bun.gc(true);
    const keptBytes = process.memoryUsage().heapUsed - before;
    expect(keptBytes).toBeLessThan(maxHeapBytes);
    // What has no content and is not kept may continue until the call's deadline.
    if (reader?.fault === undefined) expect(keptBytes).toBeLessThan(maxHeapBytes / 8);
    else expect(reader.fault.code).toBe("bad_gateway");
  });
});
