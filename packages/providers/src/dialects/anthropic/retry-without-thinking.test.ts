// Thinking that another model signed: what can be told by its form is not sent to Claude, and what Claude refuses is sent
// neither again nor later.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "@turnpike/base";
import { anthropicDialect } from "./anthropic-dialect.ts";
import type { MessagesCall } from "./message-stream.ts";
import { chatCall, ownCall } from "./sample-messages-call.fixture.ts";

const user = { role: "user", content: "Go on." };
const text = { type: "text", text: "Ho." };
const thought = (signature: string) => ({ type: "thinking", thinking: "Hm.", signature });
const bodyOf = (call: MessagesCall): JsonObject =>
  JSON.parse(anthropicDialect.buildRequest(call).body);
const refusal = (message: string) => JSON.stringify({ type: "error", error: { message } });
const invalid = "messages.1.content.0: Invalid `signature` in `thinking` block";

describe.each([
  ["a UUID", "d6b6e3c0-1111-4222-8333-aaaaaaaaaaaa"],
  ["a digest", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
  ["OpenAI's ciphertext", "gAAAAABmZ2hp"],
  ["a mark of this gateway", "openai:0:c2ln"],
])("%s is no signature of Claude's", (_, signature) => {
  test("to a caller of messages", () => {
    const messages = [user, { role: "assistant", content: [thought(signature), text] }, user];
    const [, answer] = bodyOf(ownCall({ messages })).messages as object[];
    expect(answer).toEqual({ role: "assistant", content: [text] });
  });

  test("to a caller of chat completions", () => {
    const details = [
      { type: "reasoning.text", text: "Hm.", signature, index: 0 },
      { type: "reasoning.encrypted", data: signature, index: 1 },
    ];
    const answered = { role: "assistant", content: "Ho.", reasoning_details: details };
    const [, answer] = bodyOf(chatCall({ messages: [user, answered, user] })).messages as object[];
    expect(answer).toEqual({ role: "assistant", content: [text] });
  });
});

describe("thinking that Claude refuses", () => {
  const called = { type: "tool_use", id: "t", name: "f", input: {} };
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t" }] };
  const thinking = { type: "enabled", budget_tokens: 4_000 };
  const messages = [
    user,
    { role: "assistant", content: [thought("bm90LUNsYXVkZQ==")] },
    user,
    { role: "assistant", content: [thought("bm90LUNsYXVkZQ=="), text, called] },
    result,
  ];
  const freshCall = (call: MessagesCall) => ({ ...call, provider: { ...call.provider } });

  test("is left out of the same request and of later ones, which then continue without", () => {
    const call = freshCall(ownCall({ max_tokens: 8_000, messages, thinking }));
    const asked = anthropicDialect.buildRequest(call);
    expect(asked.body).toContain("bm90LUNsYXVkZQ==");
    const again = anthropicDialect.retryAfterRefusal?.(call, asked, 400, refusal(invalid));
    const sent = JSON.parse(again?.body ?? "{}");
    expect(sent.messages.at(-2).content).toEqual([text, called]);
    expect(sent.thinking).toEqual({ type: "disabled" });
    expect(bodyOf(call)).toEqual(sent);
    const other = { ...ownCall({ messages }), provider: { ...call.provider } };
    expect(anthropicDialect.buildRequest(other).body).toContain("bm90LUNsYXVkZQ==");
  });

  test("does not take later thinking of Claude's own with it, which is sent again", () => {
    const [foreign, own] = ["bm90LUNsYXVkZQ==", "Q2xhdWRlJ3Mgb3du"];
    const mixed = [
      user,
      { role: "assistant", content: [thought(foreign), text] },
      user,
      { role: "assistant", content: [thought(own), text, called] },
      result,
    ];
    const call = freshCall(ownCall({ max_tokens: 8_000, messages: mixed, thinking }));
    const asked = anthropicDialect.buildRequest(call);
    const again = anthropicDialect.retryAfterRefusal?.(call, asked, 400, refusal(invalid));
    expect(again?.body).not.toContain(own);
    const later = bodyOf(call);
    expect(later.thinking).toEqual(thinking);
    expect(JSON.stringify(later)).toContain(own);
    expect(JSON.stringify(later)).not.toContain(foreign);
  });

  test("of a translated conversation too", () => {
    const details = [{ type: "reasoning.text", text: "Hm.", signature: "bm90LUNsYXVkZQ==" }];
    const answered = { role: "assistant", content: "Ho.", reasoning_details: details };
    const call = freshCall(chatCall({ messages: [user, answered, user] }));
    const asked = anthropicDialect.buildRequest(call);
    const again = anthropicDialect.retryAfterRefusal?.(call, asked, 400, refusal(invalid));
    const sent = JSON.parse(again?.body ?? "{}");
    expect(sent.messages[1]).toEqual({ role: "assistant", content: [text] });
    expect(bodyOf(call)).toEqual(sent);
  });

  test("is sent once where it is refused for something else", () => {
    const call = freshCall(ownCall({ messages }));
    const asked = anthropicDialect.buildRequest(call);
    for (const message of ["max_tokens: too many", `messages: you said: ${invalid}`]) {
      expect(
        anthropicDialect.retryAfterRefusal?.(call, asked, 400, refusal(message)),
      ).toBeUndefined();
    }
    expect(
      anthropicDialect.retryAfterRefusal?.(call, asked, 500, refusal(invalid)),
    ).toBeUndefined();
  });
});

test("a tool that failed without a word is said to have, in either language", () => {
  const called = { type: "tool_use", id: "t", name: "f", input: {} };
  const failed = { type: "tool_result", tool_use_id: "t", is_error: true };
  for (const content of [undefined, "", [], [{ type: "text", text: " " }]]) {
    const messages = [
      user,
      { role: "assistant", content: [called] },
      { role: "user", content: [{ ...failed, content }] },
    ];
    const own = ownCall({ messages });
    const translated = { ...own, request: { ...own.request, language: "openai-chat" } };
    for (const call of [own, translated]) {
      const [sent] = (bodyOf(call).messages as { content: JsonObject[] }[]).at(-1)?.content ?? [];
      expect(JSON.stringify(sent?.content)).toContain("The tool failed without a message.");
    }
  }
});

test("a tool that failed with an image says so in words, because Claude takes only these with the flag", () => {
  const image = {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: "AAAA" },
  };
  const called = { type: "tool_use", id: "t", name: "f", input: {} };
  const content = [{ type: "text", text: "No page." }, image];
  const result = { type: "tool_result", tool_use_id: "t", content, is_error: true };
  const messages = [
    user,
    { role: "assistant", content: [called] },
    { role: "user", content: [result] },
  ];
  const own = ownCall({ messages });
  const translated = { ...own, request: { ...own.request, language: "openai-chat" } };
  for (const call of [own, translated]) {
    const [sent] = (bodyOf(call).messages as { content: JsonObject[] }[]).at(-1)?.content ?? [];
    expect(sent).not.toHaveProperty("is_error");
    expect(sent?.content).toEqual([{ type: "text", text: "Error: No page." }, image]);
  }
});

test("an answer does not end in thinking, and one of nothing else is left out", () => {
  const own = thought("Q2xhdWRl");
  const messages = [
    user,
    { role: "assistant", content: [own, text, own] },
    user,
    { role: "assistant", content: [own] },
  ];
  const call = ownCall({ messages });
  expect(bodyOf(call).messages).toEqual([user, { role: "assistant", content: [own, text] }, user]);
  const interleaved = [
    user,
    { role: "assistant", content: [own] },
    { role: "assistant", content: [text] },
  ];
  expect(bodyOf(ownCall({ messages: [...interleaved, user] })).messages).toEqual([
    ...interleaved,
    user,
  ]);
});
