import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { anthropicErrors } from "./anthropic-errors.ts";
import { parseCountRequest, parseMessagesRequest } from "./parse-messages-request.ts";

type Fields = Readonly<Record<string, unknown>>;

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const bodyOf = (fields: Fields): Fields => ({
  model: "m",
  max_tokens: 100,
  messages: [user("hi")],
  ...fields,
});
const noHeaders = new Headers();
const parse = (fields: Fields, headers = noHeaders) =>
  parseMessagesRequest(JSON.stringify(bodyOf(fields)), headers);
const pivotOf = (fields: Fields) => parse(fields).parsed;
const messagesOf = (...messages: readonly unknown[]) => pivotOf({ messages }).messages;

/** The message shown to an Anthropic client. */
function refusal(fields: Fields): string {
  try {
    parse(fields);
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    const { error } = anthropicErrors.answer(thrown, "req_1").body;
    return (error as { message: string }).message;
  }
  return "accepted";
}

describe("an invalid request is refused with Anthropic's wording", () => {
  const call = { type: "tool_use", id: "t1", name: "f", input: {} };
  const result = { type: "tool_result", tool_use_id: "t1", content: "x" };
  test.each<[Fields, string]>([
    [{ model: undefined }, "model: Field required"],
    [{ max_tokens: undefined }, "max_tokens: Field required"],
    [{ max_tokens: "9" }, "max_tokens: Input should be a valid integer"],
    [{ max_tokens: -1 }, "max_tokens: Input should be greater than or equal to 0"],
    [{ messages: undefined }, "messages: Field required"],
    [{ messages: [] }, "messages: List should have at least 1 item"],
    [{ messages: "hi" }, "messages: Input should be a valid list"],
    [
      { messages: [{ role: "tool", content: "x" }] },
      "messages.0.role: Input should be 'user', 'assistant' or 'system'",
    ],
    [{ messages: [{ role: "user" }] }, "messages.0.content: Field required"],
    [{ messages: [user(5)] }, "messages.0.content: Input should be a valid string or list"],
    [{ messages: [user([{ text: "a" }])] }, "messages.0.content.0.type: Field required"],
    [{ messages: [user([{ type: "text" }])] }, "messages.0.content.0.text: Field required"],
    [
      { messages: [user([{ type: "image", source: { type: "base64", data: "" } }])] },
      "messages.0.content.0.source.media_type: Field required",
    ],
    [{ temperature: 1.5 }, "temperature: Input should be less than or equal to 1"],
    [{ system: 5 }, "system: Input should be a valid string or list"],
    [{ stop_sequences: "x" }, "stop_sequences: Input should be a valid list"],
    [{ tools: [{ name: "f" }] }, "tools.0.input_schema: Field required"],
    [{ tools: [{ input_schema: {} }] }, "tools.0.name: Field required"],
    [
      { tools: [{ name: "", input_schema: {} }] },
      "tools.0.name: String should have at least 1 character",
    ],
    [{ tool_choice: { type: "auto", name: "f" } }, "accepted"],
    [{ thinking: { type: "enabled" } }, "thinking.budget_tokens: Field required"],
    [
      { thinking: { type: "enabled", budget_tokens: 5 } },
      "thinking.budget_tokens: Input should be greater than or equal to 1024",
    ],
    [{ stream: "yes" }, "stream: Input should be a valid boolean"],
    [{ Max_Tokens: 5 }, "Unknown parameter: 'Max_Tokens'. Did you mean 'max_tokens'?"],
  ])("%j", (fields, sentence) => {
    expect(refusal(fields)).toBe(sentence);
  });

  test("calls without results and results without calls are refused in their turn", () => {
    const unanswered = refusal({ messages: [user("a"), assistant([call]), user("b")] });
    expect(unanswered).toStartWith("messages.1: `tool_use` ids were found without `tool_result`");
    const last = refusal({ messages: [user("a"), assistant([call])] });
    expect(last).toStartWith("messages.1: `tool_use` ids");
    const unexpected = refusal({ messages: [user([result])] });
    expect(unexpected).toStartWith("messages.0: unexpected `tool_use_id` found");
    const split = [user("a"), assistant("x"), assistant([call]), user("b"), user([result])];
    expect(refusal({ messages: split })).toBe("accepted");
  });

  test("a count needs no max_tokens", () => {
    const raw = JSON.stringify(bodyOf({ max_tokens: undefined }));
    expect(parseCountRequest(raw, noHeaders).maxTokens).toBeUndefined();
  });
});

describe("the chat completions request that a request becomes", () => {
  test("system text and blocks come first, with their cache marks", () => {
    const mark = { type: "ephemeral" };
    expect(pivotOf({ system: "s" }).messages).toEqual([
      { role: "system", content: "s" },
      user("hi"),
    ]);
    const system = [
      { type: "text", text: "a" },
      { type: "text", text: "b", cache_control: mark },
    ];
    expect(pivotOf({ system }).messages).toEqual([{ role: "system", content: system }, user("hi")]);
  });

  test("sampling, stop sequences, the user and the limit keep their meaning", () => {
    const fields = { temperature: 0.5, top_p: 0.9, top_k: 5, stop_sequences: ["x"] };
    const pivot = pivotOf({ ...fields, metadata: { user_id: "u" }, stream: true });
    expect(pivot).toMatchObject({ temperature: 0.5, top_p: 0.9, top_k: 5, stop: ["x"], user: "u" });
    expect(pivot).toMatchObject({ max_tokens: 100, stream: true });
  });

  test("tools, their choice and its parallelism", () => {
    const tool = { name: "f", description: "d", input_schema: { type: "object", $defs: {} } };
    const choose = (tool_choice: object) => pivotOf({ tools: [tool], tool_choice });
    const definition = { name: "f", description: "d", parameters: tool.input_schema };
    expect(choose({ type: "auto" }).tools).toEqual([{ type: "function", function: definition }]);
    expect(choose({ type: "any" }).tool_choice).toBe("required");
    expect(choose({ type: "none" }).tool_choice).toBe("none");
    const named = { type: "function", function: { name: "f" } };
    expect(choose({ type: "tool", name: "f" }).tool_choice).toEqual(named);
    const single = { type: "auto", disable_parallel_tool_use: true };
    expect(choose(single).parallel_tool_calls).toBe(false);
  });

  test("calls are beside the text, results become tool messages before the rest of the turn", () => {
    const image = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "AA" },
    };
    const call = { type: "tool_use", id: "t1", name: "f", input: { a: 1 } };
    const messages = messagesOf(
      user("a"),
      assistant([{ type: "text", text: "t" }, call]),
      user([
        { type: "text", text: "and?" },
        { type: "tool_result", tool_use_id: "t1", is_error: true, content: [image] },
      ]),
    );
    const part = { type: "image_url", image_url: { url: "data:image/png;base64,AA" } };
    expect(messages).toEqual([
      user("a"),
      {
        role: "assistant",
        content: "t",
        tool_calls: [{ id: "t1", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
      },
      { role: "tool", tool_call_id: "t1", content: [part], is_error: true },
      user("and?"),
    ]);
  });

  test("thinking is sent back with its signature, redacted thinking unchanged", () => {
    const thought = { type: "thinking", thinking: "hm", signature: "sig" };
    const hidden = { type: "redacted_thinking", data: "xx" };
    const said = { type: "text", text: "t" };
    const messages = messagesOf(user("a"), assistant([thought, hidden, said]), user("b"));
    expect(messages).toMatchObject([
      {},
      {
        content: "t",
        reasoning_details: [
          { type: "reasoning.text", text: "hm", signature: "sig", index: 0 },
          { type: "reasoning.encrypted", data: "xx", index: 1 },
        ],
      },
      {},
    ]);
  });

  test("documents become files or text, with their titles", () => {
    const pdf = { type: "base64", media_type: "application/pdf", data: "JV" };
    const blocks = [
      { type: "document", source: pdf, title: "a.pdf" },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "plain" } },
      { type: "document", source: { type: "content", content: "inner" } },
      { type: "search_result", title: "T", source: "S", content: [{ type: "text", text: "c" }] },
    ];
    const [message] = messagesOf(user(blocks)) as { content: unknown[] }[];
    expect(message?.content).toEqual([
      { type: "text", text: "a.pdf" },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JV" } },
      { type: "text", text: "plain" },
      { type: "text", text: "inner" },
      { type: "text", text: "T\nS" },
      { type: "text", text: "c" },
    ]);
    expect(parse({ messages: [user(blocks)] }).fileCount).toBe(1);
  });

  test("thinking budgets, effort and schemas", () => {
    const enabled = { type: "enabled", budget_tokens: 2_000 };
    expect(pivotOf({ thinking: enabled }).reasoning).toEqual({ max_tokens: 2_000 });
    expect(pivotOf({ thinking: { type: "adaptive" } }).reasoning).toEqual({ enabled: true });
    expect(pivotOf({ thinking: { type: "disabled" } }).reasoning).toEqual({ enabled: false });
    const format = { type: "json_schema", schema: { type: "object" } };
    const response_format = {
      type: "json_schema",
      json_schema: { name: "output", schema: format.schema, strict: true },
    };
    const configured = { effort: "high", format };
    const pivot = pivotOf({ output_config: configured });
    expect(pivot).toMatchObject({ reasoning_effort: "high", response_format });
    expect(pivotOf({ output_format: format })).toMatchObject({ response_format });
  });
});

describe("what changes the price is named, for any upstream", () => {
  const hour = { type: "ephemeral", ttl: "1h" };
  const marked = [{ type: "text", text: "a", cache_control: hour }];
  test.each<[Fields, string[]]>([
    [{ tools: [{ name: "f", input_schema: {} }], speed: "standard" }, []],
    [{ tools: [{ type: "text_editor_20250728", name: "e" }] }, []],
    [
      { tools: [{ type: "web_search_20250305", name: "web_search" }] },
      ["tools[0].web_search_20250305"],
    ],
    [{ tools: [{ type: "brand_new_20270101" }] }, ["tools[0].brand_new_20270101"]],
    [{ mcp_servers: [{}], container: "c" }, ["mcp_servers", "container"]],
    [{ speed: "fast", inference_geo: "us" }, ["speed", "inference_geo"]],
    [{ system: marked }, ["system[0].cache_control.ttl"]],
    [{ messages: [user(marked)] }, ["messages[0].content[0].cache_control.ttl"]],
    [{ cache_control: hour }, ["cache_control.ttl"]],
    [{ cache_control: { type: "ephemeral", ttl: "5m" } }, []],
  ])("%j", (fields, names) => {
    const found = parse(fields).priceChanging.map(({ name }) => name);
    expect(found.toSorted()).toEqual(names.toSorted());
  });
});

test("the size of a prompt counts what only Anthropic reads, and images as images", () => {
  const data = "A".repeat(100_000);
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
  const request = parse({ messages: [user([image])] });
  expect([request.imageCount, request.firstImage]).toEqual([1, "messages[0].content[0]"]);
  expect(request.textBytes).toBeLessThan(1_000);
  const unknown = { type: "brand_new", payload: data };
  expect(parse({ messages: [user([unknown])] }).textBytes).toBeGreaterThan(100_000);
});

test("thinking that is not shown is marked as billed but hidden", () => {
  const enabled = { type: "enabled", budget_tokens: 2_000 };
  expect(parse({ thinking: enabled }).hidesReasoning).toBe(false);
  expect(parse({ thinking: { ...enabled, display: "omitted" } }).hidesReasoning).toBe(true);
  expect(parse({ thinking: { ...enabled, display: "summarized" } }).hidesReasoning).toBe(true);
});

test("allowed betas and the version are passed on, all others are ignored", () => {
  const betas = "claude-code-20250219, fast-mode-2026-02-01,claude-code-20250219,made-up";
  const headers = new Headers({ "anthropic-beta": betas, "anthropic-version": "2026-10-21" });
  expect(parse({}, headers).passedHeaders).toEqual({
    "anthropic-version": "2026-10-21",
    "anthropic-beta": "claude-code-20250219",
  });
  const odd = new Headers({ "anthropic-version": "latest" });
  expect(parse({}, odd).passedHeaders).toEqual({ "anthropic-version": "2023-06-01" });
});

test("a service tier that Anthropic does not have is refused by its value", () => {
  const refused = expect.objectContaining({ code: "invalid_value" });
  expect(() => parse({ service_tier: "banana" })).toThrow(refused);
  expect(parse({ service_tier: "standard_only" }).priceChanging).toEqual([]);
});
