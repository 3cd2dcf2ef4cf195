// A chat completion as its caller wrote it, sent to an upstream that has only `/responses`: every field is
// carried under its name there, or refused by the caller's name.
import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { messagesProtocol } from "@turnpike/wire";
import { whyUntranslatable } from "../../why-untranslatable.ts";
import { claudeCodeUser } from "../claude-code-user.fixture.ts";
import { sampleCall } from "../openai/sample-call.fixture.ts";
import { sample } from "./recorded-items.fixture.ts";
import { translatedResponsesDialect } from "./translated-dialect.ts";
import { buildTranslatedRequest } from "./write-request.ts";

const { provider } = sample(true);
const callOf = (body: object, language?: string) => ({
  ...sampleCall({ body: { ...body }, ...(language && { language }) }),
  provider,
});
const asked = (body: object) => JSON.parse(buildTranslatedRequest(callOf(body)).body);

test("the conversation becomes items in its order, with calls and their results", () => {
  const call = { id: "c1", type: "function", function: { name: "f", arguments: '{"n":1}' } };
  const custom = { id: "c2", type: "custom", custom: { name: "patch", input: "*** Begin" } };
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "developer", content: [{ type: "text", text: "Now." }] },
    { role: "user", name: "Ada", content: "Hi" },
    { role: "assistant", content: "Wait.", tool_calls: [call, custom] },
    { role: "tool", tool_call_id: "c1", content: "one", is_error: true },
    { role: "tool", tool_call_id: "c2", content: [{ type: "text", text: "two" }] },
    { role: "assistant", content: null, refusal: "No." },
    { role: "user", content: "Go" },
  ];
  expect(asked({ messages }).input).toEqual([
    { type: "message", role: "system", content: "Be brief." },
    { type: "message", role: "developer", content: [{ type: "input_text", text: "Now." }] },
    { type: "message", role: "user", content: "Ada: Hi" },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Wait." }] },
    { type: "function_call", call_id: "c1", name: "f", arguments: '{"n":1}' },
    { type: "custom_tool_call", call_id: "c2", name: "patch", input: "*** Begin" },
    { type: "function_call_output", call_id: "c1", output: "Error: one" },
    {
      type: "custom_tool_call_output",
      call_id: "c2",
      output: [{ type: "input_text", text: "two" }],
    },
    { type: "message", role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
    { type: "message", role: "user", content: "Go" },
  ]);
});

test("images and files are sent as data or addresses, also as results of tools", () => {
  const url = "data:image/png;base64,AA==";
  const content = [
    { type: "image_url", image_url: { url, detail: "high" } },
    { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" } },
    { type: "file", file: { file_url: "https://example.com/a.pdf" } },
    { type: "file", file: { filename: "b.pdf", file_data: "HTTPS://example.com/b.pdf" } },
  ];
  const call = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };
  const messages = [
    { role: "user", content },
    { role: "assistant", tool_calls: [call] },
    { role: "tool", tool_call_id: "c1", content: content.slice(0, 1) },
  ];
  const { input } = asked({ messages });
  const image = { type: "input_image", image_url: url, detail: "high" };
  expect(input[0].content).toEqual([
    image,
    {
      type: "input_file",
      filename: "a.pdf",
      file_data: "data:application/pdf;base64,AA==",
    },
    { type: "input_file", file_url: "https://example.com/a.pdf" },
    { type: "input_file", file_url: "HTTPS://example.com/b.pdf" },
  ]);
  expect(input.at(-1).output).toEqual([image]);
});

test("reasoning that OpenAI encrypted is sent back with its summary, reasoning of others is not", () => {
  const format = "openai-responses-v1";
  const messages = [
    { role: "user", content: "Hi" },
    {
      role: "assistant",
      content: "Ho",
      reasoning_details: [
        { type: "reasoning.text", text: "Let ", format, index: 0 },
        { type: "reasoning.text", text: "me.", format, index: 0 },
        { type: "reasoning.encrypted", id: "rs_1", data: "openai:0:sealed", format, index: 1 },
        { type: "reasoning.text", text: "Hm.", signature: "sig", index: 2 },
        { type: "reasoning.encrypted", data: "gemini:xx", index: 3 },
        // Another organization's at OpenAI, and ciphertext without a provider's name.
        { type: "reasoning.encrypted", id: "rs_2", data: "azure1:0:sealed", format, index: 4 },
        { type: "reasoning.encrypted", id: "rs_3", data: "gAAAsealed", format, index: 5 },
      ],
    },
    { role: "user", content: "Go" },
  ];
  const { input } = asked({ messages });
  expect(input.filter(({ type }: { type: string }) => type === "reasoning")).toEqual([
    {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "Let me." }],
      encrypted_content: "sealed",
    },
  ]);
});

test("settings of a chat completion get the names of the Responses API, and nothing is stored", () => {
  const schema = { type: "object" };
  const grammar = { syntax: "lark", definition: "start: /a/" };
  const body = asked({
    max_tokens: 50,
    temperature: 0.5,
    top_p: 0.9,
    store: true,
    seed: 7,
    stream: true,
    user: "u",
    prompt_cache_key: "k",
    verbosity: "low",
    reasoning_effort: "high",
    logprobs: true,
    top_logprobs: 2,
    response_format: { type: "json_schema", json_schema: { name: "s", schema, strict: true } },
    tools: [
      { type: "function", function: { name: "f", description: "F.", parameters: schema } },
      { type: "custom", custom: { name: "patch", format: { type: "grammar", grammar } } },
    ],
    tool_choice: { type: "function", function: { name: "f" } },
    parallel_tool_calls: false,
    provider: { sort: "price" },
    models: ["vendor/other"],
    max_cost: 1,
    usage: { include: true },
  });
  const { input: _, ...rest } = body;
  expect(rest).toEqual({
    model: "model-1",
    store: false,
    stream: true,
    stream_options: { include_obfuscation: false },
    max_output_tokens: 50,
    temperature: 0.5,
    top_p: 0.9,
    user: "u",
    prompt_cache_key: "k",
    text: {
      format: { type: "json_schema", name: "s", schema, strict: true },
      verbosity: "low",
    },
    top_logprobs: 2,
    include: ["message.output_text.logprobs", "reasoning.encrypted_content"],
    reasoning: { effort: "high", summary: "auto" },
    tools: [
      {
        type: "function",
        name: "f",
        description: "F.",
        parameters: { ...schema, properties: {} },
        strict: false,
      },
      { type: "custom", name: "patch", format: { type: "grammar", ...grammar } },
    ],
    tool_choice: { type: "function", name: "f" },
    parallel_tool_calls: false,
  });
});

test("identifiers are as short as OpenAI takes them", () => {
  const { user, prompt_cache_key } = asked({ user: claudeCodeUser("a"), prompt_cache_key: "k" });
  expect(user).toMatch(/^[0-9a-f]{64}$/);
  expect(prompt_cache_key).toBe("k");
});

test("an upstream without custom tools gets functions instead", () => {
  const quirks = { ...provider.quirks, customTools: "as_functions" } as const;
  const tools = [{ type: "custom", custom: { name: "patch" } }];
  const custom = { id: "c2", type: "custom", custom: { name: "patch", input: "x" } };
  const messages = [
    { role: "user", content: "Hi" },
    { role: "assistant", tool_calls: [custom] },
    { role: "tool", tool_call_id: "c2", content: "done" },
  ];
  const call = { ...callOf({ messages, tools }), provider: { ...provider, quirks } };
  const { input, tools: offered } = JSON.parse(buildTranslatedRequest(call).body);
  expect(offered[0]).toMatchObject({ type: "function", name: "patch" });
  expect(input.slice(1)).toEqual([
    { type: "function_call", call_id: "c2", name: "patch", arguments: '{"input":"x"}' },
    { type: "function_call_output", call_id: "c2", output: "done" },
  ]);
  const item = {
    type: "function_call",
    call_id: "c3",
    name: "patch",
    arguments: '{"input":"*** Begin"}',
  };
  const text = JSON.stringify({ status: "completed", output: [item] });
  const { content } = translatedResponsesDialect.parseWhole(call, text, new Headers());
  expect(content).toMatchObject({ deltas: [{ isCustom: true, arguments: "*** Begin" }, {}] });
});

test("reasoning: a budget becomes an effort, excluded thoughts are not requested, and effort `none` stays", () => {
  const reasoningOf = (body: object) => asked(body).reasoning;
  expect(reasoningOf({})).toBeUndefined();
  expect(reasoningOf({ reasoning: { max_tokens: 20_000 } })).toEqual({
    effort: "high",
    summary: "auto",
  });
  expect(reasoningOf({ reasoning: { enabled: true } })).toEqual({ summary: "auto" });
  expect(reasoningOf({ reasoning: { effort: "low", exclude: true } })).toEqual({ effort: "low" });
  expect(reasoningOf({ reasoning_effort: "none" })).toEqual({ effort: "none" });
  const omitted = { ...callOf({ reasoning_effort: "high" }), omittedFields: ["reasoning"] };
  const body = JSON.parse(buildTranslatedRequest(omitted).body);
  expect([body.reasoning, body.include]).toEqual([undefined, undefined]);
});

describe("refused by name", () => {
  test.each([
    ["n", { n: 2 }],
    ["logit_bias", { logit_bias: { "1": 1 } }],
    [
      "functions",
      { functions: [{ name: "f" }], tools: [{ type: "function", function: { name: "g" } }] },
    ],
    ["future_field", { future_field: 1 }],
    [
      "messages[0].content[0].type",
      {
        messages: [
          {
            role: "user",
            content: [{ type: "input_audio", input_audio: { data: "", format: "wav" } }],
          },
        ],
      },
    ],
    [
      "messages[0].content[0].file.file_id",
      { messages: [{ role: "user", content: [{ type: "file", file: { file_id: "f" } }] }] },
    ],
  ])("%s", (param, body) => {
    const { request } = callOf(body);
    const fault = whyUntranslatable({ provider, upstreamModel: "model-1" }, request);
    expect(fault?.code).toBe("unsupported_parameter");
    expect(fault?.details.param).toBe(param);
    expect(() => buildTranslatedRequest(callOf(body))).toThrow(Fault);
  });
});

test("a refusal of the upstream names the field of a chat completion", () => {
  const refusal = (param: string) => {
    const error = { message: `Invalid '${param}'.`, type: "invalid_request_error", param };
    const body = JSON.stringify({ error });
    const fault = translatedResponsesDialect.refuse(provider, 400, body, new Headers());
    return [fault.details.param, fault.message];
  };
  expect(refusal("max_output_tokens")).toEqual(["max_tokens", "Invalid 'max_tokens'."]);
  expect(refusal("text.format.schema")[0]).toBe("response_format.schema");
  expect(refusal("input[0].content")[0]).toBe("messages");
});

test("encrypted reasoning survives a conversation in Anthropic's language", () => {
  const answer = JSON.stringify({
    status: "completed",
    output: [
      { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "sealed" },
      { type: "message", content: [{ type: "output_text", text: "Ho" }] },
    ],
  });
  const question = { role: "user", content: "Hi" };
  const parse = (messages: readonly unknown[]) =>
    messagesProtocol.parse(JSON.stringify({ model: "m", max_tokens: 9, messages }), new Headers());
  const request = parse([question]);
  const call = { ...callOf({}), request };
  const { content } = translatedResponsesDialect.parseWhole(call, answer, new Headers());
  const message = JSON.parse(
    messagesProtocol.writeWhole(content, call.identity, undefined, request),
  );
  const next = parse([question, { role: "assistant", content: message.content }, question]);
  const { input } = JSON.parse(buildTranslatedRequest({ ...call, request: next }).body);
  expect(input[1]).toEqual({
    type: "reasoning",
    id: "rs_1",
    summary: [],
    encrypted_content: "sealed",
  });
});
