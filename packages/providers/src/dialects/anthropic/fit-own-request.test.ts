// Requests of Anthropic's own language whose thinking Anthropic would refuse.
import { describe, expect, test } from "bun:test";
import { buildRequest } from "./build-request.ts";
import { ownCall } from "./sample-messages-call.fixture.ts";

describe("thinking of a caller of the same language", () => {
  const sent = (fields: object, maxTokens?: number) =>
    JSON.parse(buildRequest({ ...ownCall({ max_tokens: 8_000, ...fields }), maxTokens }).body);
  const thinking = { type: "enabled", budget_tokens: 4_000 };
  const foreign = [
    { type: "thinking", thinking: "a", signature: "" },
    { type: "thinking", thinking: "b", signature: "gemini:c2ln" },
    { type: "redacted_thinking", data: "gemini:c2ln" },
  ];
  const own = { type: "thinking", thinking: "c", signature: "theirs" };
  const text = { type: "text", text: "d" };
  const user = { role: "user", content: "e" };

  test("of other models is dropped from the history, and so is a turn with nothing else", () => {
    const messages = [
      user,
      { role: "assistant", content: [...foreign, own, text] },
      user,
      { role: "assistant", content: foreign },
      user,
    ];
    const body = sent({ messages, thinking });
    expect(body.messages).toEqual([user, { role: "assistant", content: [own, text] }, user, user]);
    expect(body.thinking).toEqual(thinking);
  });

  test("ends if another model's thinking led to calls that are now answered", () => {
    const called = { type: "tool_use", id: "t", name: "f", input: {} };
    const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t" }] };
    const messages = (kept: object[]) => [
      user,
      { role: "assistant", content: [...foreign, ...kept, called] },
      result,
    ];
    expect(sent({ messages: messages([]), thinking }).thinking).toEqual({ type: "disabled" });
    expect(sent({ messages: messages([own]), thinking }).thinking).toEqual(thinking);
  });

  test("is sent byte for byte if it is Anthropic's", () => {
    const messages = [user, { role: "assistant", content: [own, text] }, user];
    const call = ownCall({ messages });
    expect(buildRequest(call).body).toContain(JSON.stringify(messages));
  });

  test("stays below a limit that was lowered, or is disabled if there is no room for it", () => {
    expect(sent({ thinking }).thinking).toEqual(thinking);
    expect(sent({ thinking }, 5_000).thinking).toEqual(thinking);
    expect(sent({ thinking }, 4_000)).toMatchObject({
      max_tokens: 4_000,
      thinking: { type: "enabled", budget_tokens: 3_999 },
    });
    expect(sent({ thinking }, 1_025).thinking.budget_tokens).toBe(1_024);
    expect(sent({ thinking }, 1_024).thinking).toEqual({ type: "disabled" });
    const adaptive = { type: "adaptive" };
    expect(sent({ thinking: adaptive }, 500).thinking).toEqual(adaptive);
  });
});
