// A parameter is listed for a route exactly where a request that makes use of it is neither refused nor sent
// without it: each is held against a real request.
import { describe, expect, test } from "bun:test";
import { type ChatRequest, embeddingsProtocol, parseChatRequest } from "@turnpike/wire";
import { chatCall } from "./dialects/anthropic/sample-messages-call.fixture.ts";
import { dialectOf } from "./dialects/dialect-of.ts";
import { geminiCall } from "./dialects/gemini/sample-response.fixture.ts";
import { sampleProvider } from "./dialects/openai/sample-call.fixture.ts";
import type { Target, UpstreamCall } from "./provider.ts";
import { takesParameter, whyUntranslatable } from "./why-untranslatable.ts";

const tools = [{ type: "function", function: { name: "f" } }];
const schema = { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } };
const speech = { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } };

/** By its name, a request that makes use of the parameter. */
const uses: Readonly<Record<string, object>> = {
  max_tokens: { max_tokens: 5 },
  max_completion_tokens: { max_completion_tokens: 5 },
  temperature: { temperature: 0.5 },
  top_p: { top_p: 0.5 },
  top_k: { top_k: 3 },
  top_a: { top_a: 0.5 },
  min_p: { min_p: 0.5 },
  stop: { stop: ["x"] },
  seed: { seed: 7 },
  n: { n: 2 },
  frequency_penalty: { frequency_penalty: 1 },
  presence_penalty: { presence_penalty: 1 },
  repetition_penalty: { repetition_penalty: 1.5 },
  logit_bias: { logit_bias: { 1: 5 } },
  logprobs: { logprobs: true },
  top_logprobs: { logprobs: true, top_logprobs: 2 },
  tools: { tools },
  tool_choice: { tools, tool_choice: "required" },
  parallel_tool_calls: { tools, parallel_tool_calls: false },
  functions: { functions: [{ name: "f" }] },
  function_call: { functions: [{ name: "f" }], function_call: { name: "f" } },
  response_format: { response_format: schema },
  reasoning: { reasoning: { effort: "low" } },
  reasoning_effort: { reasoning_effort: "low" },
  prediction: { prediction: { type: "content", content: "x" } },
  // Images, which more upstreams make than speak.
  modalities: { modalities: ["text", "image"] },
  audio: { audio: speech.audio },
  web_search_options: { web_search_options: {} },
  service_tier: { service_tier: "flex" },
  verbosity: { verbosity: "low" },
  some_new_field: { some_new_field: 1 },
};

const openai = sampleProvider("openai");
const claude = chatCall().provider;
const routes: [string, Target][] = [
  ["OpenAI", { provider: openai, upstreamModel: "model-1" }],
  ["Claude", { provider: claude, upstreamModel: "claude-sonnet-4-5" }],
  ["a Claude that samples by itself", { provider: claude, upstreamModel: "claude-opus-4-7" }],
  ["Gemini", { provider: geminiCall().provider, upstreamModel: "gemini-3-flash" }],
  [
    "OpenAI's responses alone",
    {
      provider: { ...openai, quirks: { ...openai.quirks, responses: "only" } },
      upstreamModel: "model-1",
    },
  ],
];

function callOf(route: Target, fields: object): UpstreamCall<ChatRequest> {
  const messages = [{ role: "user", content: "Hello" }];
  return {
    ...route,
    request: parseChatRequest(JSON.stringify({ model: "m", messages, ...fields })),
    maxTokens: undefined,
    coveredTokens: 30_000,
    omittedFields: [],
    identity: { id: "ours", model: "m", created: 0 },
  };
}

/** Whether a request with the parameter is not refused, and is written otherwise than without it. */
function isSent(route: Target, name: string, fields: object): boolean {
  const call = callOf(route, fields);
  if (whyUntranslatable(route, call.request) !== undefined) return false;
  const without = callOf(route, { ...fields, [name]: undefined });
  const write = (of: UpstreamCall<ChatRequest>) => dialectOf(of).buildRequest(of).body;
  // Without a field for them they are found in the answer.
  if (name === "stop") return true;
  return write(call) !== write(without);
}

describe.each(routes)("%s", (_, route) => {
  test("takes the parameters of chat completions that it is sent", () => {
    const sent = Object.entries(uses).filter(([name, fields]) => isSent(route, name, fields));
    const taken = Object.keys(uses).filter((name) => takesParameter(route, "chat", name));
    expect(taken).toEqual(sent.map(([name]) => name));
  });
});

test("Gemini takes the parameters of embeddings that it does not refuse", () => {
  const route: Target = { provider: geminiCall().provider, upstreamModel: "model-1" };
  const fields = { encoding_format: "float", dimensions: 5, some_new_field: 1 };
  for (const [name, value] of Object.entries(fields)) {
    const text = JSON.stringify({ model: "m", input: "Hello", [name]: value });
    const fault = whyUntranslatable(route, embeddingsProtocol.parse(text, new Headers()));
    expect([name, takesParameter(route, "embeddings", name)]).toEqual([name, fault === undefined]);
  }
});
