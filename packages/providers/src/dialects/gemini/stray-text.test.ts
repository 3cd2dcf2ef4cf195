// An error between events is found, however long the stream was before it, and nothing else is kept.
import { expect, test } from "bun:test";
import { GeminiStream } from "./gemini-stream.ts";
import { candidate, geminiCall, overloadError, response, sse } from "./sample-response.fixture.ts";

const encoder = new TextEncoder();
const open = () =>
  new GeminiStream(geminiCall({ stream: true }), {
    maxEventBytes: 1024 * 1024,
    headers: new Headers(),
  });
const event = encoder.encode(sse(response([candidate([{ text: "x".repeat(1_000) }])])));

test("an error after hundreds of kilobytes of events is reported as the reason", () => {
  const reader = open();
  for (let count = 0; count < 300; count += 1) reader.push(event);
  reader.push(encoder.encode(JSON.stringify(overloadError)));
  reader.end();
  expect(reader.fault?.message).toContain("The model is overloaded.");
});

test("endless text outside of events is not a reason, and does not crash", () => {
  const reader = open();
  reader.push(event);
  for (let count = 0; count < 200; count += 1) reader.push(encoder.encode("{\n".repeat(1_000)));
  reader.end();
  expect(reader.fault?.message).toContain("before it was complete");
});
