// Bad input: each mistake has its status, its code and the exact path of the field, never a 500,
// and none of them costs anything or reaches an upstream.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  type JsonObject,
  openAccount,
  postChat,
  readMoney,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
const untouched = await readMoney(server, account.id);
afterEach(async () => {
  expect(await readMoney(server, account.id)).toEqual(untouched);
  expect(server.upstream.requests).toHaveLength(0);
  await expectCleanBooks(server);
});
afterAll(() => server.close());

const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

test.each<[string, string | Uint8Array]>([
  ["an empty body", ""],
  ["white space", " \n"],
  ["text", "hello"],
  ["a body cut off", '{"model":"test/cheap","messages":[{"role":"us'],
  ["a trailing comma", '{"model":"test/cheap","messages":[],}'],
  ["two objects", "{}{}"],
  ["single quotes", "{'model':'test/cheap'}"],
  ["NaN", '{"model":"test/cheap","temperature":NaN}'],
  ["100,000 levels of arrays", `{"model":"test/cheap","messages":${deep(100_000)}}`],
  ["100,000 levels and no more", deep(100_000)],
  ["100,000 openings and no closing", `{"a":${"[".repeat(100_000)}`],
  ["100,000 levels of objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  ["bytes that are not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
])("%s is 400 without a code", async (_, body) => {
  const response = await fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body,
  });
  await expectFault(response, { status: 400, code: null });
});

test.each(["[]", "null", '"text"', "1", "true"])("%s is JSON, but not an object", async (body) => {
  const response = await postChat(server, account.key, body);
  await expectFault(response, { status: 400, code: "invalid_type" });
});

type Row = readonly [mistake: string, fields: JsonObject, code: string | null, param: string];

const user = { role: "user", content: "hi" };
const messages = (...list: unknown[]) => ({ messages: list });
const parts = (...list: unknown[]) => messages({ role: "user", content: list });
const call = (fields: JsonObject) =>
  messages({ role: "assistant", tool_calls: [{ id: "c", type: "function", ...fields }] });

const rows: readonly Row[] = [
  ["no model", { model: undefined }, "missing_required_parameter", "model"],
  ["a model that is a number", { model: 4 }, "invalid_type", "model"],
  ["an empty model", { model: "" }, "string_below_min_length", "model"],
  ["no messages", { messages: undefined }, "missing_required_parameter", "messages"],
  ["messages as text", { messages: "hi" }, "invalid_type", "messages"],
  ["no message in messages", { messages: [] }, "empty_array", "messages"],
  ["a message that is text", messages("hi"), "invalid_type", "messages[0]"],
  ["no role", messages(user, { content: "hi" }), "missing_required_parameter", "messages[1].role"],
  ["an unknown role", messages({ role: "bot", content: "" }), "invalid_value", "messages[0].role"],
  ["no content", messages({ role: "user" }), "missing_required_parameter", "messages[0].content"],
  [
    "content as a number",
    messages({ role: "user", content: 1 }),
    "invalid_type",
    "messages[0].content",
  ],
  [
    "a part without type",
    parts({ text: "a" }),
    "missing_required_parameter",
    "messages[0].content[0].type",
  ],
  ["an unknown part", parts({ type: "video" }), "invalid_value", "messages[0].content[0].type"],
  [
    "text as a number",
    parts({ type: "text", text: 1 }),
    "invalid_type",
    "messages[0].content[0].text",
  ],
  [
    "an empty list of tool calls",
    messages({ role: "assistant", content: "", tool_calls: [] }),
    "empty_array",
    "messages[0].tool_calls",
  ],
  [
    "a call without function",
    call({}),
    "missing_required_parameter",
    "messages[0].tool_calls[0].function",
  ],
  [
    "a call without name",
    call({ function: { arguments: "" } }),
    "missing_required_parameter",
    "messages[0].tool_calls[0].function.name",
  ],
  [
    "arguments as an object",
    call({ function: { name: "f", arguments: {} } }),
    "invalid_type",
    "messages[0].tool_calls[0].function.arguments",
  ],
  [
    "a call without its answer",
    call({ function: { name: "f", arguments: "" } }),
    null,
    "messages[0].tool_calls",
  ],
  [
    "a tool message without its call's id",
    messages({ role: "tool", content: "" }),
    "missing_required_parameter",
    "messages[0].tool_call_id",
  ],
  [
    "a NUL in the text",
    messages({ role: "user", content: "a\0b" }),
    "invalid_value",
    "messages[0].content",
  ],
  [
    "half a surrogate pair",
    messages({ role: "user", content: "\ud83d" }),
    "invalid_value",
    "messages[0].content",
  ],
  ["stream as text", { stream: "true" }, "invalid_type", "stream"],
  [
    "stream_options without stream",
    { stream_options: { include_usage: true } },
    null,
    "stream_options",
  ],
  [
    "include_usage as text",
    { stream: true, stream_options: { include_usage: "yes" } },
    "invalid_type",
    "stream_options.include_usage",
  ],
  ["max_tokens 0", { max_tokens: 0 }, "integer_below_min_value", "max_tokens"],
  ["max_tokens 1.5", { max_tokens: 1.5 }, "invalid_type", "max_tokens"],
  [
    "max_completion_tokens as text",
    { max_completion_tokens: "9" },
    "invalid_type",
    "max_completion_tokens",
  ],
  ["max_tokens beyond 32 bits", { max_tokens: 2 ** 31 }, "integer_above_max_value", "max_tokens"],
  ["n 0", { n: 0 }, "integer_below_min_value", "n"],
  ["n 130", { n: 130 }, "integer_above_max_value", "n"],
  ["temperature 2.1", { temperature: 2.1 }, "decimal_above_max_value", "temperature"],
  ["temperature below 0", { temperature: -0.1 }, "decimal_below_min_value", "temperature"],
  ["top_p 2", { top_p: 2 }, "decimal_above_max_value", "top_p"],
  ["65 stops", { stop: new Array(65).fill("a") }, "array_above_max_length", "stop"],
  [
    "top_logprobs 21",
    { logprobs: true, top_logprobs: 21 },
    "integer_above_max_value",
    "top_logprobs",
  ],
  ["tools as an object", { tools: {} }, "invalid_type", "tools"],
  [
    "a tool without name",
    { tools: [{ type: "function", function: {} }] },
    "missing_required_parameter",
    "tools[0].function.name",
  ],
  [
    "a tool name with a space",
    { tools: [{ type: "function", function: { name: "a b" } }] },
    "invalid_value",
    "tools[0].function.name",
  ],
  ["tool_choice maybe", { tool_choice: "maybe" }, "invalid_value", "tool_choice"],
  [
    "an unknown response_format",
    { response_format: { type: "xml" } },
    "invalid_value",
    "response_format.type",
  ],
  ["metadata with a number", { metadata: { a: 1 } }, "invalid_type", "metadata.a"],
  ["a bias of 101", { logit_bias: { "1": 101 } }, "integer_above_max_value", "logit_bias.1"],
  ["a bias for a word", { logit_bias: { word: 1 } }, "invalid_value", "logit_bias.word"],
  ["service_tier banana", { service_tier: "banana" }, "invalid_value", "service_tier"],
  [
    "a search context of any size",
    { web_search_options: { search_context_size: "any" } },
    "invalid_value",
    "web_search_options.search_context_size",
  ],
  [
    "a video",
    messages({
      role: "user",
      content: [{ type: "video_url", video_url: { url: "https://example.com/b" } }],
    }),
    "unsupported_parameter",
    "messages[0].content[0].video_url",
  ],
  ["Max_Tokens in another case", { Max_Tokens: 5 }, "unknown_parameter", "Max_Tokens"],
  [
    "a long text for a small model",
    { model: testModels.small, ...messages({ role: "user", content: "word ".repeat(2_000) }) },
    "context_length_exceeded",
    "messages",
  ],
];

test.each(rows)("%s", async (_, fields, code, param) => {
  const body = { ...chatBody({ deltas: 1 }), ...fields };
  await expectFault(await postChat(server, account.key, body), { status: 400, code, param });
});

test("a text that is too long is refused with the message that clients look for", async () => {
  const content = "word ".repeat(2_000);
  const body = { model: testModels.small, messages: [{ role: "user", content }] };
  const error = await expectFault(await postChat(server, account.key, body), {
    status: 400,
    code: "context_length_exceeded",
    param: "messages",
  });
  expect(error.message).toContain("maximum context length");
});

test.each<[string, JsonObject]>([
  ["service_tier", { service_tier: "priority" }],
  ["web_search_options", { web_search_options: {} }],
  ["audio", { audio: { voice: "alloy", format: "mp3" } }],
  ["modalities", { modalities: ["text", "image"] }],
  ["prediction", { prediction: { type: "content", content: "a" } }],
  ["plugins", { plugins: [{ id: "web" }] }],
  ["best_of", { best_of: 2 }],
  ["search_parameters", { search_parameters: { mode: "on" } }],
  ["chat_template", { chat_template: "{% for _ in range(9999) %}{{ messages }}{% endfor %}" }],
  ["mm_processor_kwargs", { mm_processor_kwargs: { max_pixels: 1e9 } }],
  ["media_io_kwargs", { media_io_kwargs: { video: { num_frames: 999 } } }],
  ["enable_search", { enable_search: true }],
  ["web_search", { web_search: true }],
  ["input_audio", parts({ type: "input_audio", input_audio: { data: "AA==", format: "wav" } })],
])(
  "%s changes the price, so it is refused unless the model has a price for it",
  async (param, fields) => {
    const response = await postChat(server, account.key, { ...chatBody({}), ...fields });
    await expectFault(response, { status: 400, code: "unsupported_parameter", param });
  },
);

test("an image for a model without vision is refused with its path", async () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  for (const model of [testModels.plain, testModels.cheap]) {
    const fields = { model, ...parts({ type: "text", text: "What is this?" }, image) };
    const response = await postChat(server, account.key, fields);
    const param = "messages[0].content[1]";
    await expectFault(response, { status: 400, code: "unsupported_value", param });
  }
});
