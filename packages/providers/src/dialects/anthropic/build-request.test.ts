import { describe, expect, test } from "bun:test";
import { messagesProtocol } from "@turnpike/wire";
import { buildRequest } from "./build-request.ts";
import { chatCall, ownCall } from "./sample-messages-call.fixture.ts";

describe("a caller of the same language", () => {
  test("is passed on byte for byte, except the model, the limit and what it would refuse", () => {
    const raw =
      '{ "model":"m", "max_tokens" : 100,"big":12345678901234567890, "messages":[{"role":"user","content":[{"type":"text","text":"\\u0041","cache_control":{"type":"ephemeral"},"odd":1.0}]}],"provider":{"order":["x"]}, "safeguards":[{"type":"dangerous_tool_use"}], "brand_new":{"a": 1e2}}';
    const { body, path, accept } = buildRequest({ ...ownCall({}, raw), maxTokens: 50 });
    expect(body).toBe(
      '{ "model":"claude-sonnet-4-5", "max_tokens" : 50,"big":12345678901234567890, "messages":[{"role":"user","content":[{"type":"text","text":"\\u0041","cache_control":{"type":"ephemeral"},"odd":1.0}]}],"brand_new":{"a": 1e2}}',
    );
    expect([path, accept]).toEqual(["/messages", "application/json"]);
  });

  test("is passed on with its version and its allowed betas", () => {
    const headers = new Headers({
      "anthropic-version": "2026-10-21",
      "anthropic-beta": "interleaved-thinking-2025-05-14,made-up",
    });
    const call = ownCall();
    const request = messagesProtocol.parse(call.request.raw, headers);
    expect(buildRequest({ ...call, request }).headers).toEqual({
      "anthropic-version": "2026-10-21",
      "anthropic-beta": "interleaved-thinking-2025-05-14",
    });
    expect(buildRequest(chatCall()).headers).toEqual({ "anthropic-version": "2023-06-01" });
  });
});

const written = (fields: object, change: object = {}) =>
  JSON.parse(buildRequest({ ...chatCall(fields), ...change }).body);
const turnsOf = (...messages: readonly object[]) => written({ messages }).messages;

describe("a chat completions request as messages", () => {
  test("a limit is always sent: the caller's, ours, or the most that is reserved", () => {
    expect(written({}).max_tokens).toBe(1_000);
    expect(written({ max_completion_tokens: 20 }).max_tokens).toBe(20);
    expect(written({ max_tokens: 20 }, { maxTokens: 10 }).max_tokens).toBe(10);
  });

  test("instructions alone are what the user says: Anthropic requires a turn to answer", () => {
    const { system, messages } = written({ messages: [{ role: "system", content: "Greet me." }] });
    expect(system).toBeUndefined();
    expect(messages).toEqual([{ role: "user", content: [{ type: "text", text: "Greet me." }] }]);
  });

  test("instructions are separate, turns of one role are joined, results precede the user's text", () => {
    const call = { id: "t1", type: "function", function: { name: "f", arguments: '{"a":1}' } };
    const empty = { id: "t2", type: "function", function: { name: "g", arguments: "" } };
    const body = written({
      messages: [
        { role: "system", content: "s" },
        { role: "developer", content: [{ type: "text", text: "d" }] },
        { role: "user", content: "a" },
        { role: "user", content: "b" },
        { role: "assistant", content: "c", tool_calls: [call, empty] },
        { role: "tool", tool_call_id: "t1", content: "1" },
        { role: "tool", tool_call_id: "t2", content: "" },
        { role: "user", content: "d" },
      ],
    });
    const text = (said: string) => ({ type: "text", text: said });
    expect(body.system).toEqual([text("s"), text("d")]);
    expect(body.messages).toEqual([
      { role: "user", content: [text("a"), text("b")] },
      {
        role: "assistant",
        content: [
          text("c"),
          { type: "tool_use", id: "t1", name: "f", input: { a: 1 } },
          { type: "tool_use", id: "t2", name: "g", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: [text("1")] },
          { type: "tool_result", tool_use_id: "t2" },
          text("d"),
        ],
      },
    ]);
  });

  test("texts of whitespace only are dropped", () => {
    const blank = { type: "text", text: "\n" };
    const turns = turnsOf(
      { role: "user", content: [blank, { type: "text", text: "a" }] },
      { role: "assistant", content: " \n " },
      { role: "user", content: "b" },
    );
    const text = (said: string) => ({ type: "text", text: said });
    expect(turns).toEqual([{ role: "user", content: [text("a"), text("b")] }]);
  });

  test("ids of calls that Anthropic would refuse become ones it accepts, the same in their results", () => {
    const ids = ["call_1-a", "functions.f:0", "functions.f:1", ""];
    const named = { name: "f", arguments: "{}" };
    const [, turn, results] = turnsOf(
      { role: "user", content: "a" },
      {
        role: "assistant",
        content: null,
        tool_calls: ids.map((id) => ({ id, type: "function", function: named })),
      },
      ...ids.map((id) => ({ role: "tool", tool_call_id: id, content: "x" })),
    );
    const called = turn.content.map(({ id }: { id: string }) => id);
    expect(results.content.map((one: { tool_use_id: string }) => one.tool_use_id)).toEqual(called);
    expect(called[0]).toBe("call_1-a");
    expect(new Set(called).size).toBe(ids.length);
    for (const id of called) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
  });

  test("images and files, inline and by address", () => {
    const [turn] = turnsOf({
      role: "user",
      content: [
        { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
        { type: "image_url", image_url: { url: "data:image/jpg;base64,AA==" } },
        { type: "image_url", image_url: { url: "https://x.example/a.png" } },
        { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JV" } },
        { type: "text", text: "" },
      ],
    });
    expect(turn.content).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } },
      { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "AA==" } },
      { type: "image", source: { type: "url", url: "https://x.example/a.png" } },
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: "JV" },
        title: "a.pdf",
      },
    ]);
  });

  test("signed and encrypted reasoning is sent back, even as fragments of a stream", () => {
    const [, turn] = turnsOf(
      { role: "user", content: "a" },
      {
        role: "assistant",
        content: "b",
        reasoning_details: [
          { type: "reasoning.text", text: "I ", index: 0 },
          { type: "reasoning.text", text: "see", signature: "sig", index: 0 },
          { type: "reasoning.encrypted", data: "xx", index: 1 },
          // What OpenAI encrypted is of no use here.
          { type: "reasoning.encrypted", data: "yy", format: "openai-responses-v1", index: 2 },
          { type: "reasoning.text", text: "another model's", index: 3 },
          { type: "reasoning.text", text: "Gemini's", signature: "gemini:c2ln", index: 4 },
          { type: "reasoning.encrypted", data: "gemini:c2ln", index: 5 },
        ],
      },
      { role: "user", content: "c" },
    );
    expect(turn.content).toEqual([
      { type: "thinking", thinking: "I see", signature: "sig" },
      { type: "redacted_thinking", data: "xx" },
      { type: "text", text: "b" },
    ]);
  });

  test("cache marks stay on parts, messages and tools", () => {
    const mark = { type: "ephemeral" };
    const body = written({
      messages: [
        { role: "system", content: [{ type: "text", text: "s", cache_control: mark }] },
        { role: "user", content: "a", cache_control: mark },
      ],
      tools: [{ type: "function", function: { name: "f" }, cache_control: mark }],
    });
    expect(body.system[0].cache_control).toEqual(mark);
    expect(body.messages[0].content[0].cache_control).toEqual(mark);
    expect(body.tools).toEqual([
      { name: "f", input_schema: { type: "object", properties: {} }, cache_control: mark },
    ]);
  });

  test("sampling, stop sequences, the user and schemas", () => {
    const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
    const json_schema = { name: "s", schema };
    const body = written({
      temperature: 1.5,
      top_p: 0.5,
      stop: "x",
      user: "u",
      response_format: { type: "json_schema", json_schema },
    });
    expect(body).toMatchObject({ temperature: 1, stop_sequences: ["x"] });
    // Newer models refuse both.
    expect(body.top_p).toBeUndefined();
    expect(written({ top_p: 0.5 }).top_p).toBe(0.5);
    expect(body.metadata).toEqual({ user_id: "u" });
    expect(body.output_config).toEqual({ format: { type: "json_schema", schema } });
  });
});

describe("how much a model is asked to think", () => {
  const ask4 = (fields: object) => written({ max_tokens: 10_000, ...fields });
  const newest = { upstreamModel: "claude-opus-4-8" };

  test("older models get a budget below the limit", () => {
    const { thinking } = ask4({ reasoning_effort: "high", temperature: 0.5 });
    expect(thinking).toEqual({ type: "enabled", budget_tokens: 8_000 });
    expect(ask4({ reasoning_effort: "high", temperature: 0.5 }).temperature).toBeUndefined();
    const enabled = ask4({ reasoning: { enabled: true } });
    expect(enabled.thinking).toEqual({ type: "enabled", budget_tokens: 5_000 });
    const budget = ask4({ reasoning: { max_tokens: 50_000, exclude: true } });
    expect(budget.thinking).toEqual({
      type: "enabled",
      budget_tokens: 9_999,
      display: "omitted",
    });
    const hidden = ask4({ reasoning_effort: "high", include_reasoning: false });
    expect(hidden.thinking).toMatchObject({ display: "omitted" });
    expect(written({ max_tokens: 500, reasoning_effort: "low" }).thinking).toBeUndefined();
  });

  test("newer ones decide themselves, with an effort", () => {
    const body = written({ reasoning_effort: "low" }, newest);
    expect(body.thinking).toEqual({ type: "adaptive" });
    expect(body.output_config).toEqual({ effort: "low" });
  });

  test("a tool that must be called is called without thinking", () => {
    const tools = [{ type: "function", function: { name: "f" } }];
    const forced = ["required", { type: "function", function: { name: "f" } }];
    for (const tool_choice of forced) {
      const body = ask4({ reasoning_effort: "high", tools, tool_choice, temperature: 0.5 });
      expect([body.thinking, body.temperature]).toEqual([undefined, 0.5]);
      const adaptive = written({ reasoning_effort: "high", tools, tool_choice }, newest);
      expect(adaptive.thinking).toBeUndefined();
    }
    const free = ask4({ reasoning_effort: "high", tools, tool_choice: "auto", top_p: 0.5 });
    expect([free.thinking.type, free.top_p]).toEqual(["enabled", undefined]);
  });

  test("an effort of none disables thinking, and no effort sends nothing about it", () => {
    expect(ask4({ reasoning_effort: "none" }).thinking).toEqual({ type: "disabled" });
    expect(ask4({}).thinking).toBeUndefined();
    const omittedFields = ["reasoning"];
    expect(written({ reasoning_effort: "high" }, { omittedFields }).thinking).toBeUndefined();
  });

  test("a turn that another model began without signed thinking continues without thinking", () => {
    const call = { id: "t1", type: "function", function: { name: "f", arguments: "{}" } };
    const messages = [
      { role: "user", content: "a" },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "t1", content: "x" },
    ];
    expect(ask4({ reasoning_effort: "high", messages }).thinking).toBeUndefined();
  });
});

test("the name of a user becomes a prefix of its text, because there is no field for it", () => {
  const messages = [{ role: "user", name: "Ada", content: "Hello" }];
  const { body } = buildRequest(chatCall({ messages }));
  expect(JSON.parse(body).messages).toEqual([
    { role: "user", content: [{ type: "text", text: "Ada: Hello" }] },
  ]);
});
