// What no route of a kind supports, regardless of its dialect.
import { expect, test } from "bun:test";
import { chatProtocol, messagesProtocol, type ParsedRequest } from "@turnpike/wire";
import { geminiCall } from "./dialects/gemini/sample-response.fixture.ts";
import { sampleProvider } from "./dialects/openai/sample-call.fixture.ts";
import type { AnthropicProvider, Provider } from "./provider.ts";
import { whyUntranslatable } from "./why-untranslatable.ts";

const anthropic: AnthropicProvider = {
  id: "anthropic",
  kind: "anthropic",
  baseUrl: "https://api.example.com",
  credential: { scheme: "none" },
  cancelledStream: "billed_as_written",
};

const cached = { type: "text", text: "x", cache_control: { type: "ephemeral", ttl: "1h" } };
const text = JSON.stringify({
  model: "m",
  max_tokens: 1,
  messages: [{ role: "user", content: [cached] }],
});
const ofAnthropic = messagesProtocol.parse(text, new Headers());
const ofOpenai = chatProtocol.parse(text, new Headers());

function whyFor(provider: Provider, request: ParsedRequest): string | undefined {
  return whyUntranslatable({ provider, upstreamModel: "m" }, request)?.message;
}

test("caching for an hour is requested only from Anthropic itself, not from clouds that serve Claude", () => {
  for (const request of [ofAnthropic, ofOpenai]) {
    expect(whyFor(anthropic, request)).toBeUndefined();
    for (const cloud of ["vertex", "bedrock"] as const) {
      expect(whyFor({ ...anthropic, cloud }, request)).toContain("only Anthropic's own API");
    }
  }
});

test("a mark that a translation leaves out is no reason to refuse a request; one that is passed on is", () => {
  const openai = sampleProvider("openai");
  const { quirks } = openai;
  const superset: Provider = { ...openai, quirks: { ...quirks, controlFields: "obeys" } };
  const responses: Provider = { ...openai, quirks: { ...quirks, responses: "only" } };
  const { provider: gemini } = geminiCall();
  for (const provider of [openai, responses, gemini]) {
    expect(whyFor(provider, ofAnthropic)).toBeUndefined();
  }
  for (const provider of [responses, gemini]) expect(whyFor(provider, ofOpenai)).toBeUndefined();
  expect(whyFor(superset, ofAnthropic)).toContain("only Anthropic's own API");
  for (const provider of [openai, superset]) {
    expect(whyFor(provider, ofOpenai)).toContain("only Anthropic's own API");
  }
});
