// What a caller who requires every parameter has asked for: neither what the gateway reads itself nor a value
// that every provider goes by anyway.
import { expect, test } from "bun:test";
import { findUnsupportedParameter } from "./listed-parameters.ts";

const messages = [{ role: "user", content: "Hello" }];

test.each([
  { max_cost: 0.01, session_id: "s", provider: { require_parameters: true }, models: ["a/b"] },
  { transforms: [], plugins: [], tools: [], functions: [], logit_bias: {}, stop: [] },
  { n: 1, frequency_penalty: 0, presence_penalty: 0, repetition_penalty: 1, min_p: 0, top_k: 0 },
  { logprobs: false, top_logprobs: 0, parallel_tool_calls: true, modalities: ["text"] },
  { service_tier: "auto", response_format: { type: "text" }, temperature: null },
  { reasoning: { enabled: false }, include_reasoning: false },
  { user: "u", metadata: { a: "b" }, store: false, cache_control: { type: "ephemeral" } },
])("%j asks for nothing that a provider could lack", (fields) => {
  expect(findUnsupportedParameter({ model: "a/b", messages, ...fields }, [])).toBeUndefined();
});

test.each([
  ["transforms", ["middle-out"]],
  ["plugins", [{ id: "web" }]],
  ["frequency_penalty", 0.5],
  ["parallel_tool_calls", false],
  ["service_tier", "flex"],
  ["response_format", { type: "json_object" }],
  ["reasoning", { effort: "high" }],
  ["include_reasoning", true],
  ["some_new_field", 0],
])("%s: %j has to be taken", (name, value) => {
  const body = { model: "a/b", messages, [name]: value };
  expect(findUnsupportedParameter(body, ["temperature"])).toBe(name);
  expect(findUnsupportedParameter(body, [name])).toBeUndefined();
});
