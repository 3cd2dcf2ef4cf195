// Answers that callers of Gemini's own language are sent as they are: only what such a caller can read.
import { expect, test } from "bun:test";
import { geminiProtocol } from "@turnpike/wire";
import { GeminiStream } from "./gemini-stream.ts";
import { parseWhole } from "./parse-whole.ts";
import { candidate, counts, geminiCall, response, sse } from "./sample-response.fixture.ts";

const protocol = geminiProtocol({ model: "a/b", stream: true }, "events");
const request = protocol.parse('{"contents":[{"parts":[{"text":"a"}]}]}', new Headers());
const call = { ...geminiCall(), request };
const headers = new Headers();

function read(text: string) {
  const stream = new GeminiStream(call, { maxEventBytes: 1024 * 1024, headers });
  const events = [...stream.push(new TextEncoder().encode(text)), ...stream.end()];
  return {
    stream,
    chunks: events.flatMap((event) => (event.kind === "chunk" ? [event.json] : [])),
  };
}

test("a response keeps its bytes, apart from its id and its model", () => {
  const text = `data: {"candidates":[{"content":{"parts":[{"text":"\\u0041","n":1.0}]},\r\ndata: "finishReason":"STOP"}],"responseId":"x"}\r\n\r\n`;
  const { stream, chunks } = read(text);
  expect([stream.done, chunks.length]).toEqual([true, 1]);
  const own =
    '{"candidates":[{"content":{"parts":[{"text":"\\u0041","n":1.0}]},"finishReason":"STOP"}]';
  const json = `${own},"usageMetadata":{"a":1}}`;
  const { content } = parseWhole(call, json, headers);
  expect(content).toMatchObject({
    kind: "body",
    text: `${own},"usageMetadata":{"a":1},"modelVersion":"google/gemini","responseId":"chatcmpl-ours"}`,
  });
});

test("text is counted once, and media are not refused", () => {
  const parts = [
    { text: "one two three four" },
    { inlineData: { mimeType: "image/png", data: "AAAA" } },
  ];
  const { deliveredTokens, usage } = parseWhole(
    call,
    JSON.stringify(response([candidate(parts, "STOP")], counts)),
    headers,
  );
  expect(deliveredTokens).toBe(5);
  expect(usage?.completionTokens).toBe(4);
});

test.each([
  ["a number of many digits", "data: 123456789012345678901234567890\n\n"],
  ["a part that is none", sse({ candidates: [{ content: { parts: [7] } }] })],
  ["a content that is none", sse({ candidates: [{ content: "x" }] })],
  ["candidates that are none", sse({ candidates: {} })],
])("%s ends the answer as failed and is not relayed", (_, text) => {
  const { stream, chunks } = read(text);
  expect([chunks, stream.done, stream.fault?.code]).toEqual([[], false, "bad_gateway"]);
});

test("images are counted wherever they are delivered, and drafts of them are not", () => {
  const inlineData = { mimeType: "image/png", data: "AAAA" };
  const parts = [{ inlineData, thought: true }, { inlineData }, { inlineData }];
  const answer = response([candidate(parts, "STOP")], counts);
  for (const asked of [call, geminiCall({ modalities: ["image", "text"] })]) {
    expect(parseWhole(asked, JSON.stringify(answer), headers).deliveredImages).toBe(2);
    const stream = new GeminiStream(asked, { maxEventBytes: 1024 * 1024, headers });
    const events = [...stream.push(new TextEncoder().encode(sse(answer))), ...stream.end()];
    expect(events.flatMap((event) => ("images" in event ? [event.images] : []))).toEqual([2]);
  }
});
