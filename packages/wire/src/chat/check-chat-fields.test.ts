import { expect, test } from "bun:test";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import openapi from "../../schema/openapi-subset.json";
import { parseChatRequest } from "./parse-chat-request.ts";

const ajv = new Ajv({ strict: false });
addFormats(ajv);
ajv.addFormat("unixtime", true);
ajv.addFormat("float", true);
ajv.addSchema(openapi, "openapi");

test("a request that uses every kind of field passes OpenAI's schema and our own rules", () => {
  const request = {
    model: "m",
    messages: [
      { role: "developer", content: [{ type: "text", text: "Be brief." }] },
      {
        role: "user",
        name: "u",
        content: [
          { type: "text", text: "?" },
          { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" } },
          { type: "input_audio", input_audio: { data: "AA==", format: "wav" } },
          { type: "file", file: { file_id: "f" } },
        ],
      },
      {
        role: "assistant",
        content: [{ type: "refusal", refusal: "no" }],
        tool_calls: [
          { id: "a", type: "function", function: { name: "f", arguments: "" } },
          { id: "b", type: "custom", custom: { name: "c", input: "x" } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "1" },
      { role: "tool", tool_call_id: "b", content: "2" },
      { role: "function", name: "g", content: null },
    ],
    tools: [
      { type: "function", function: { name: "f", strict: null } },
      {
        type: "custom",
        custom: {
          name: "c",
          format: { type: "grammar", grammar: { syntax: "lark", definition: "s" } },
        },
      },
    ],
    tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [{}] } },
    functions: [{ name: "g" }],
    function_call: { name: "g" },
    response_format: { type: "json_schema", json_schema: { name: "s", schema: {}, strict: true } },
    stream: true,
    stream_options: { include_usage: true, include_obfuscation: false },
    stop: ["a"],
    logit_bias: { "1": -100 },
    logprobs: true,
    top_logprobs: 20,
    prediction: { type: "content", content: [{ type: "text", text: "p" }] },
    modalities: ["text", "audio"],
    audio: { voice: "alloy", format: "mp3" },
    metadata: { a: "b" },
    service_tier: "flex",
    reasoning_effort: "low",
    web_search_options: { search_context_size: "low" },
  };
  const validate = ajv.getSchema("openapi#/components/schemas/CreateChatCompletionRequest");
  expect(validate?.(request)).toBe(true);
  const { priceChanging } = parseChatRequest(JSON.stringify(request));
  expect(priceChanging.map(({ name }) => name)).toEqual([
    "prediction",
    "modalities",
    "audio",
    "service_tier",
    "web_search_options",
    "input_audio",
  ]);
});

test.each([
  [{ reasoning: "high" }, "reasoning"],
  [{ reasoning: true }, "reasoning"],
  [{ reasoning: { effort: 3 } }, "reasoning.effort"],
  [{ reasoning: { enabled: "yes" } }, "reasoning.enabled"],
  [{ reasoning: { max_tokens: 1024.5 } }, "reasoning.max_tokens"],
  [{ reasoning: { max_tokens: -1 } }, "reasoning.max_tokens"],
  [{ reasoning: { max_tokens: 2 ** 31 } }, "reasoning.max_tokens"],
  [{ usage: true }, "usage"],
  [{ usage: { include: "yes" } }, "usage.include"],
])("%j, OpenRouter's field with a wrong value, is refused by its name", (fields, param) => {
  const messages = [{ role: "user", content: "hi" }];
  const parse = () => parseChatRequest(JSON.stringify({ model: "m", messages, ...fields }));
  expect(parse).toThrow(`'${param}'`);
});

test.each([
  [{ arguments: "{}" }, "name"],
  [{ name: "f" }, "arguments"],
])(
  "a tool call whose function is %j is refused by the member that is missing",
  (called, missing) => {
    const calling = { type: "function", id: "t1", function: called };
    const messages = [
      { role: "user", content: "hi" },
      { role: "assistant", content: null, tool_calls: [calling] },
      { role: "tool", tool_call_id: "t1", content: "" },
    ];
    const parse = () => parseChatRequest(JSON.stringify({ model: "m", messages }));
    expect(parse).toThrow(`messages[1].tool_calls[0].function.${missing}`);
  },
);
