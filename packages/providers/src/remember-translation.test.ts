// Whether a route supports a request and what is sent there come from one translation, and a request that
// needs none is not read at all.
import { expect, test } from "bun:test";
import { isObject } from "@turnpike/base";
import type { ChatRequest } from "@turnpike/wire";
import { chatCall } from "./dialects/anthropic/sample-messages-call.fixture.ts";
import { dialectOf } from "./dialects/dialect-of.ts";
import { geminiCall } from "./dialects/gemini/sample-response.fixture.ts";
import { sampleCall } from "./dialects/openai/sample-call.fixture.ts";
import { sample } from "./dialects/openai-responses/recorded-items.fixture.ts";
import type { UpstreamCall } from "./provider.ts";
import { whyUntranslatable } from "./why-untranslatable.ts";

/** The same call, and how often the content of its message was read. */
function countReads(call: UpstreamCall<ChatRequest>) {
  const counter = { reads: 0 };
  const { messages } = call.request.parsed;
  const [first]: unknown[] = Array.isArray(messages) ? messages : [];
  const { content, ...rest } = isObject(first) ? first : { content: "" };
  const message = {
    ...rest,
    get content() {
      counter.reads += 1;
      return content;
    },
  };
  const parsed = { ...call.request.parsed, messages: [message] };
  return { counter, call: { ...call, request: { ...call.request, parsed } } };
}

test.each([
  ["anthropic", chatCall()],
  ["gemini", geminiCall()],
  ["openai-responses", sample(false)],
] as const)("a request to %s is translated once for its plan and its attempts", (_, plain) => {
  const { counter, call } = countReads(plain);
  expect(whyUntranslatable(call, call.request)).toBeUndefined();
  const { reads } = counter;
  expect(reads).toBeGreaterThan(0);
  const { body } = dialectOf(call).buildRequest(call);
  expect(body).toContain("Hello");
  dialectOf(call).buildRequest({ ...call, maxTokens: 5 });
  expect(counter.reads).toBe(reads);
});

test("a request of the upstream's own language is not inspected where unknown fields may pass", () => {
  const plain = sampleCall();
  const provider = { ...plain.provider, unknownFields: "passed" as const };
  const { counter, call } = countReads({ ...plain, provider });
  expect(whyUntranslatable(call, call.request)).toBeUndefined();
  expect(dialectOf(call).buildRequest(call).body).toContain("Hello");
  expect(counter.reads).toBe(0);
});
