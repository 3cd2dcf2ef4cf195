// A request for a response becomes the equivalent chat completion, or is refused by the path of
// what is not supported.
import { expect, test } from "bun:test";
import type { JsonObject } from "@turnpike/base";
import { parseResponsesRequest } from "./parse-responses-request.ts";

const model = "test/model";

function parse(fields: JsonObject, headers: Record<string, string> = {}) {
  return parseResponsesRequest(
    JSON.stringify({ model, input: "hi", ...fields }),
    new Headers(headers),
  );
}

const pivotOf = (fields: JsonObject): JsonObject => parse(fields).parsed;
const messagesOf = (...input: JsonObject[]): unknown => pivotOf({ input }).messages;

test("a text is a message of the user, instructions come before it", () => {
  expect(pivotOf({ instructions: "Be brief.", stream: true, temperature: 0.5 })).toEqual({
    model,
    stream: true,
    temperature: 0.5,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "hi" },
    ],
  });
});

test("settings keep their meaning under the names of a chat completion", () => {
  const schema = { type: "object", properties: {}, additionalProperties: false };
  const pivot = pivotOf({
    max_output_tokens: 50,
    reasoning: { effort: "low", summary: "auto" },
    text: { format: { type: "json_schema", name: "n", schema, strict: true }, verbosity: "low" },
    top_logprobs: 3,
    service_tier: "auto",
    user: "u",
    prompt_cache_key: "k",
    seed: 7,
    provider: { only: ["a"] },
  });
  expect(pivot).toMatchObject({
    max_completion_tokens: 50,
    reasoning_effort: "low",
    verbosity: "low",
    response_format: { type: "json_schema", json_schema: { name: "n", schema, strict: true } },
    logprobs: true,
    top_logprobs: 3,
    service_tier: "auto",
    user: "u",
    prompt_cache_key: "k",
    seed: 7,
    provider: { only: ["a"] },
  });
  expect(parse({ max_output_tokens: 50 }).maxTokens).toBe(50);
});

test("fields about storage are not sent", () => {
  const pivot = pivotOf({
    store: true,
    metadata: { a: "b" },
    include: ["reasoning.encrypted_content"],
    truncation: "auto",
    background: false,
    previous_response_id: null,
    client_metadata: { a: "b" },
    max_tool_calls: 3,
    parallel_tool_calls: true,
    tool_choice: "auto",
  });
  expect(Object.keys(pivot).sort()).toEqual(["messages", "model"]);
});

test("text, images, files and audio keep their order and their marks", () => {
  const image = "data:image/png;base64,AAAA";
  const pdf = "data:application/pdf;base64,AAAA";
  const mark = { mode: "explicit" };
  const content = [
    { type: "input_text", text: "see", prompt_cache_breakpoint: mark },
    { type: "input_image", image_url: image, detail: "low" },
    { type: "input_file", filename: "a.pdf", file_data: pdf },
    { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
  ];
  const asked = parse({ input: [{ role: "user", content }] });
  expect(asked.parsed.messages).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "see", prompt_cache_breakpoint: mark },
        { type: "image_url", image_url: { url: image, detail: "low" } },
        { type: "file", file: { filename: "a.pdf", file_data: pdf } },
        { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      ],
    },
  ]);
  expect(asked.firstImage).toBe("input[0].content[1]");
  expect([asked.imageCount, asked.fileCount]).toEqual([1, 1]);
});

const call = (id: string, name = "f") => ({
  type: "function_call",
  call_id: id,
  name,
  arguments: "{}",
});
const output = (id: string, told: unknown = "ok") => ({
  type: "function_call_output",
  call_id: id,
  output: told,
});
const chatCall = (id: string, name = "f") => ({
  id,
  type: "function",
  function: { name, arguments: "{}" },
});
const answer = (id: string, content: unknown = "ok") => ({
  role: "tool",
  tool_call_id: id,
  content,
});

test("reasoning, text and parallel calls of one turn are one message, answered call by call", () => {
  const input = [
    { role: "user", content: "go" },
    { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "hm" }] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "I call" }] },
    call("a"),
    call("b"),
    output("b", "B"),
    output("a", [{ type: "input_text", text: "A" }]),
    call("c"),
    output("c"),
    { role: "assistant", content: "done" },
  ];
  expect(messagesOf(...input)).toEqual([
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: "I call",
      reasoning_details: [{ type: "reasoning.text", text: "hm", index: 0 }],
      tool_calls: [chatCall("a"), chatCall("b")],
    },
    answer("a", "A"),
    answer("b", "B"),
    { role: "assistant", content: null, tool_calls: [chatCall("c")] },
    answer("c"),
    { role: "assistant", content: "done" },
  ]);
});

test("an output that comes late still follows its call, and a call id may be reused", () => {
  const said = { role: "user", content: "wait" };
  expect(messagesOf(call("a"), said, output("a", "1"), call("a"), output("a", "2"))).toEqual([
    { role: "assistant", content: null, tool_calls: [chatCall("a")] },
    answer("a", "1"),
    said,
    { role: "assistant", content: null, tool_calls: [chatCall("a")] },
    answer("a", "2"),
  ]);
});

test("tools may return images", () => {
  const image = { type: "input_image", image_url: "data:image/png;base64,AAAA" };
  const asked = parse({ input: [call("a"), output("a", [image])] });
  expect(asked.parsed.messages).toMatchObject([
    { role: "assistant" },
    { role: "tool", content: [{ type: "image_url", image_url: { url: image.image_url } }] },
  ]);
  expect(asked.firstImage).toBe("input[1].output[0]");
});

test("developer messages become system messages, which every upstream supports", () => {
  expect(messagesOf({ role: "developer", content: "a" }, { role: "user", content: "b" })).toEqual([
    { role: "system", content: "a" },
    { role: "user", content: "b" },
  ]);
});

const grammar = { type: "grammar", syntax: "lark", definition: "start: A" };
const tools = [
  { type: "function", name: "f", parameters: { type: "object" }, strict: true },
  { type: "custom", name: "patch", description: "Edits.", format: grammar },
  {
    type: "namespace",
    name: "agents",
    description: "Agents.",
    tools: [
      { type: "function", name: "spawn", description: "Starts one." },
      { type: "custom", name: "run" },
    ],
  },
  { type: "tool_search", execution: "client", description: "Searches.", parameters: {} },
];

test("functions, custom tools, namespaces and the client's own search are offered as chat tools", () => {
  expect(pivotOf({ tools }).tools).toEqual([
    { type: "function", function: { name: "f", parameters: { type: "object" }, strict: true } },
    {
      type: "custom",
      custom: {
        name: "patch",
        description: "Edits.",
        format: { type: "grammar", grammar: { syntax: "lark", definition: "start: A" } },
      },
    },
    {
      type: "function",
      function: { name: "agents__spawn", description: "Agents.\n\nStarts one." },
    },
    { type: "custom", custom: { name: "agents__run" } },
    {
      type: "function",
      function: { name: "tool_search", description: "Searches.", parameters: {} },
    },
  ]);
});

test("items may contain tools, and calls of tools in a namespace are sent back under their full name", () => {
  const asked = parse({
    input: [
      { type: "additional_tools", role: "developer", tools: tools.slice(2, 3) },
      { ...call("a", "spawn"), namespace: "agents" },
      output("a"),
      { type: "custom_tool_call", call_id: "b", name: "run", namespace: "agents", input: "x" },
      { type: "custom_tool_call_output", call_id: "b", output: "y" },
      { type: "tool_search_call", call_id: "c", execution: "client", arguments: { query: "q" } },
      { type: "tool_search_output", call_id: "c", tools: tools.slice(0, 1) },
    ],
  });
  const custom = { id: "b", type: "custom", custom: { name: "agents__run", input: "x" } };
  expect(asked.parsed.messages).toMatchObject([
    { tool_calls: [chatCall("a", "agents__spawn")] },
    answer("a"),
    { tool_calls: [custom] },
    answer("b", "y"),
    { tool_calls: [{ function: { name: "tool_search", arguments: '{"query":"q"}' } }] },
    { role: "tool", tool_call_id: "c", content: JSON.stringify(tools.slice(0, 1)) },
  ]);
  expect([...asked.offered.keys()]).toEqual(["agents__spawn", "agents__run", "f"]);
});

test("a choice of tools keeps its meaning in every form", () => {
  const choose = (tool_choice: unknown) => pivotOf({ tools, tool_choice });
  for (const word of ["none", "auto", "required"]) expect(choose(word).tool_choice).toBe(word);
  expect(choose({ type: "function", name: "f" }).tool_choice).toEqual({
    type: "function",
    function: { name: "f" },
  });
  expect(choose({ type: "custom", name: "patch" }).tool_choice).toEqual({
    type: "custom",
    custom: { name: "patch" },
  });
  expect(choose({ type: "function", name: "spawn" }).tool_choice).toEqual({
    type: "function",
    function: { name: "agents__spawn" },
  });
  const allowed = { mode: "required", tools: [{ type: "function", name: "f" }] };
  const narrowed = choose({ type: "allowed_tools", ...allowed });
  expect(narrowed.tool_choice).toBe("required");
  expect(narrowed.tools).toHaveLength(1);
});

test("names of tools that are too long for a chat completion stay distinct", () => {
  const long = "x".repeat(120);
  const names = [
    ...parse({ tools: [`${long}a`, `${long}b`].map((name) => ({ type: "function", name })) })
      .offered,
  ];
  expect(names.map(([chatName]) => chatName.length)).toEqual([64, 64]);
  expect(names.map(([, { name }]) => name)).toEqual([`${long}a`, `${long}b`]);
  expect(names[0]?.[0]).not.toBe(names[1]?.[0]);
});

test("reasoning that OpenAI encrypted is sent as an unchanged block, marked as OpenAI's", () => {
  const item = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "opaque" };
  expect(messagesOf({ role: "user", content: "go" }, item, call("a"), output("a"))).toMatchObject([
    { role: "user" },
    { reasoning_details: [{ data: "opaque", id: "rs_1", format: "openai-responses-v1" }] },
    { role: "tool" },
  ]);
});

test("a reference to reasoning is dropped: models can do without it", () => {
  const reference = { type: "item_reference", id: "rs_1" };
  expect(messagesOf(reference, { role: "user", content: "hi" })).toEqual([
    { role: "user", content: "hi" },
  ]);
});

test("the web_search tool that Codex always offers is omitted, from other clients it is refused", () => {
  const search = { type: "web_search", external_web_access: true };
  const codex = parse({ tools: [...tools, search] }, { originator: "codex_exec" });
  expect(codex.offered.size).toBe(5);
  expect(codex.asked.tools).toEqual(tools);
  expect(() => parse({ tools: [...tools, search] })).toThrow("'tools[4].type'");
});
