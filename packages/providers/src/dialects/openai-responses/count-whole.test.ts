// An answer without usage is billed by the words of its model; what the upstream adds is not counted.
import { expect, test } from "bun:test";
import { parseResponse } from "./parse-response.ts";
import { sampleResponse, sampleResponseCall } from "./sample-response.fixture.ts";

const id = "msg_0123456789012345678901234567890123456789012345678901";
const text = "Seven tokens are in this one";

function countOf(...output: readonly object[]): number {
  const body = JSON.stringify({ ...sampleResponse, usage: undefined, output });
  return parseResponse(sampleResponseCall(), body, new Headers()).deliveredTokens;
}

const shared = { id, status: "completed" };
const part = { type: "output_text", text, annotations: [{ url: "https://example.com" }] };
const logprobs = [{ token: "Seven", logprob: -1, bytes: [83] }];
const message = { ...shared, type: "message", role: "assistant", content: [{ ...part, logprobs }] };

test("a message without usage counts its text, and no ids or types", () => {
  expect(countOf(message)).toBe(7);
});

test("refusals, reasoning, calls and items of unknown types count what the model wrote", () => {
  const words = { words: text };
  const items = [
    { ...message, content: [{ type: "refusal", refusal: text }] },
    {
      ...shared,
      type: "reasoning",
      encrypted_content: id,
      summary: [{ type: "summary_text", text }],
    },
    { ...shared, type: "custom_tool_call", call_id: id, name: "", input: text },
    { ...shared, type: "function_call", call_id: id, name: "", arguments: text },
    { ...shared, type: "future_call", action: { type: "write", parts: [words] } },
  ];
  for (const item of items) expect(countOf(item)).toBe(7);
  expect(countOf(...items)).toBe(7 * items.length);
});
