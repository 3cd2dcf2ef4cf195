import { describe, expect, test } from "bun:test";
import { conversationOf, messagesProtocol } from "@turnpike/wire";
import { whyUntranslatable } from "../../why-untranslatable.ts";
import { claudeCodeUser } from "../claude-code-user.fixture.ts";
import { buildRequest } from "./build-request.ts";
import { fitTranslated } from "./fit-translated.ts";
import { sampleCall, sampleProvider } from "./sample-call.fixture.ts";

const asked = (body: object, like = "openai", omittedFields: readonly string[] = []) =>
  JSON.parse(
    buildRequest({ ...sampleCall({ like, body: { ...body }, language: "other" }), omittedFields })
      .body,
  );

const mark = { type: "ephemeral" };
const part = { type: "text", text: "a", cache_control: mark };
const call = { id: "t1", type: "function", function: { name: "f", arguments: "{}" } };
const conversation = [
  { role: "user", content: [part] },
  { role: "assistant", content: null, tool_calls: [call] },
  { role: "tool", tool_call_id: "t1", content: "x", is_error: true },
];

test("cache marks reach only services that support them, an error flag none", () => {
  const openrouter = JSON.stringify(asked({ messages: conversation }, "openrouter"));
  expect(openrouter).toContain("cache_control");
  expect(openrouter).not.toContain("is_error");
  for (const like of ["openai", "vllm"]) {
    const text = JSON.stringify(asked({ messages: conversation }, like));
    expect(text).not.toMatch(/cache_control|is_error/);
  }
});

test("the result of a failed tool says that it is an error", () => {
  const result = (content: unknown, is_error?: boolean) => {
    const failed = { role: "tool", tool_call_id: "t1", content, is_error };
    return asked({ messages: [...conversation.slice(0, 2), failed] }).messages[2].content;
  };
  const text = (said: string) => ({ type: "text", text: said });
  expect(result("x", true)).toBe("Error: x");
  expect(result("", true)).toBe("Error: ");
  expect(result([text("x"), text("y")], true)).toEqual([text("Error: x"), text("y")]);
  expect(result("x", false)).toBe("x");
  expect(result("x")).toBe("x");
});

test("the user that Claude Code names is as short as OpenAI takes it, and routed by its whole name", () => {
  const userOf = (user_id: string) => {
    const body = { model: "m", max_tokens: 9, metadata: { user_id } };
    const messages = [{ role: "user", content: "Hi" }];
    const request = messagesProtocol.parse(JSON.stringify({ ...body, messages }), new Headers());
    const sent = JSON.parse(buildRequest({ ...sampleCall({ like: "openai" }), request }).body);
    return { sent: sent.user, conversation: conversationOf(request) };
  };
  const [first, other] = [claudeCodeUser("a"), claudeCodeUser("b")].map(userOf);
  expect(first?.sent).toMatch(/^[0-9a-f]{64}$/);
  expect(first?.sent).not.toBe(other?.sent);
  expect(first).toEqual({ ...userOf(claudeCodeUser("a")), conversation: claudeCodeUser("a") });
  expect(userOf("u".repeat(64)).sent).toBe("u".repeat(64));
});

test("a service that refuses unknown fields gets no user and no tier that asks for nothing", () => {
  const body = { user: "u", service_tier: "auto", safety_identifier: "s" };
  for (const like of ["mistral", "fireworks"]) {
    const sent = asked(body, like);
    for (const name of Object.keys(body)) expect(sent).not.toHaveProperty(name);
  }
  expect(asked({ service_tier: "flex" }, "groq").service_tier).toBe("flex");
  expect(asked(body, "openai")).toMatchObject(body);
});

test("a long cache key is shortened, unless the caller speaks the upstream's language", () => {
  const body = { prompt_cache_key: "k".repeat(65) };
  expect(asked(body).prompt_cache_key).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.parse(buildRequest(sampleCall({ like: "openai", body })).body)).toMatchObject(body);
});

test("OpenAI is sent a digest of a call id it finds too long, in the call and in its result", () => {
  const idsOf = (id: string, like = "openai") => {
    const messages = [
      conversation[0],
      { role: "assistant", content: null, tool_calls: [{ ...call, id }] },
      { role: "tool", tool_call_id: id, content: "x" },
    ];
    const [, made, result] = asked({ messages }, like).messages;
    return [made.tool_calls[0].id, result.tool_call_id];
  };
  const longest = "c".repeat(40);
  expect(idsOf(longest)).toEqual([longest, longest]);
  const [made, result] = idsOf(`${longest}1`);
  expect(made).toMatch(/^[0-9a-f]{40}$/);
  expect(result).toBe(made);
  expect(idsOf(`${longest}2`)).not.toContain(made);
  // Its name is part of what such a model reads of a call.
  const named = "functions.mcp__github__create_pull_request:0";
  expect(idsOf(named, "vllm")).toEqual([named, named]);
});

test("of more stop sequences than OpenAI takes the first four are sent", () => {
  const stop = ["a", "b", "c", "d", "e"];
  const { quirks } = sampleProvider("openai");
  expect(fitTranslated({ stop }, quirks, "m").stop).toEqual(stop.slice(0, 4));
});

describe("requested reasoning", () => {
  test.each([
    [{ max_tokens: 2_000 }, "low"],
    [{ max_tokens: 10_000 }, "medium"],
    [{ max_tokens: 31_999 }, "high"],
    [{ effort: "xhigh" }, "xhigh"],
    [{ enabled: true }, undefined],
    [{ enabled: false }, undefined],
  ])("%j is effort %s", (reasoning, effort) => {
    const body = asked({ reasoning });
    expect([body.reasoning, body.reasoning_effort]).toEqual([undefined, effort]);
  });

  test.each([
    ["gpt-5.1", "none"],
    ["gpt-5.4-mini", "none"],
    ["gpt-5.2-2025-12-11", "none"],
    ["gpt-5", "minimal"],
    ["openai/gpt-5-mini-2025-08-07", "minimal"],
    ["o3", "low"],
    ["o1-mini", undefined],
    ["gpt-5.2-pro", undefined],
    ["gpt-5.1-codex", undefined],
  ])(
    "disabled is the least effort that the model has a word for: %s, %s",
    (upstreamModel, effort) => {
      const call = sampleCall({ body: { reasoning: { enabled: false } }, language: "other" });
      expect(JSON.parse(buildRequest({ ...call, upstreamModel }).body).reasoning_effort).toBe(
        effort,
      );
    },
  );

  test("a service with budgets gets the budget", () => {
    const reasoning = { max_tokens: 2_000 };
    expect(asked({ reasoning }, "openrouter").reasoning).toEqual(reasoning);
  });

  test("is dropped for a model that does not reason, unless its own server gets all fields", () => {
    const omitted = ["reasoning", "reasoning_effort"];
    expect(asked({ reasoning_effort: "low" }, "openai", omitted).reasoning_effort).toBeUndefined();
    const own = { ...sampleCall({ body: { reasoning_effort: "low" } }), omittedFields: omitted };
    expect(JSON.parse(buildRequest(own).body).reasoning_effort).toBeUndefined();
    const provider = { ...own.provider, unknownFields: "passed" } as const;
    expect(JSON.parse(buildRequest({ ...own, provider }).body).reasoning_effort).toBe("low");
  });
});

test("the address of a file is refused if only its data can be sent", () => {
  const file = { type: "file", file: { filename: "a.pdf", file_url: "https://x.example/a.pdf" } };
  const messages = [{ role: "user", content: [file] }];
  const why = (like: string) => {
    const { provider, request } = sampleCall({ like, body: { messages }, language: "other" });
    return whyUntranslatable({ provider, upstreamModel: "model-1" }, request)?.details.param;
  };
  expect(why("openai")).toBe("messages[0].content");
  expect(why("openrouter")).toBeUndefined();
  const [sent] = asked({ messages }, "openrouter").messages;
  expect(sent.content[0].file).toEqual({ filename: "a.pdf", file_data: file.file.file_url });
});
