// A parameter is listed for a route exactly where a request that makes use of it is not refused: each is held
// against the refusal of a real request.
import { describe, expect, test } from "bun:test";
import { embeddingsProtocol, parseChatRequest } from "@turnpike/wire";
import { chatCall } from "./dialects/anthropic/sample-messages-call.fixture.ts";
import { geminiCall } from "./dialects/gemini/sample-response.fixture.ts";
import { sampleProvider } from "./dialects/openai/sample-call.fixture.ts";
import type { Provider, Target } from "./provider.ts";
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
  function_call: { functions: [{ name: "f" }], function_call: "auto" },
  response_format: { response_format: schema },
  reasoning: { reasoning: { effort: "low" } },
  reasoning_effort: { reasoning_effort: "low" },
  prediction: { prediction: { type: "content", content: "x" } },
  modalities: speech,
  audio: speech,
  web_search_options: { web_search_options: {} },
  service_tier: { service_tier: "flex" },
  verbosity: { verbosity: "low" },
  user: { user: "u" },
  metadata: { metadata: { a: "b" } },
  some_new_field: { some_new_field: 1 },
};

const openai = sampleProvider("openai");
const providers: [string, Provider][] = [
  ["OpenAI", openai],
  ["Anthropic", chatCall().provider],
  ["Gemini", geminiCall().provider],
  ["OpenAI's responses alone", { ...openai, quirks: { ...openai.quirks, responses: "only" } }],
];

describe.each(providers)("%s", (_, provider) => {
  const route: Target = { provider, upstreamModel: "model-1" };

  test("takes the parameters of chat completions that it does not refuse", () => {
    const accepted = Object.entries(uses).filter(([, fields]) => {
      const messages = [{ role: "user", content: "Hello" }];
      const request = parseChatRequest(JSON.stringify({ model: "m", messages, ...fields }));
      return whyUntranslatable(route, request) === undefined;
    });
    const taken = Object.keys(uses).filter((name) => takesParameter(route, "chat", name));
    expect(taken).toEqual(accepted.map(([name]) => name));
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
