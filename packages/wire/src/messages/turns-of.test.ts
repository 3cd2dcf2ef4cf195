import { describe, expect, test } from "bun:test";
import { parseMessagesRequest } from "./parse-messages-request.ts";

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const messagesOf = (...messages: readonly unknown[]) => {
  const body = JSON.stringify({ model: "m", max_tokens: 9, messages });
  return parseMessagesRequest(body, new Headers()).parsed.messages;
};

describe("consecutive messages of one role are one turn, so that results follow their calls", () => {
  const use = (id: string) => ({ type: "tool_use", id, name: "f", input: {} });
  const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "r" });
  const instruction = { role: "system", content: "s" };
  const ask = user("a");
  test.each<[string, unknown[], string[]]>([
    [
      "calls in two messages",
      [ask, assistant([use("A")]), assistant([use("B")]), user([result("A"), result("B")])],
      ["user", "assistant A,B", "tool A", "tool B"],
    ],
    [
      "results in two messages",
      [ask, assistant([use("A"), use("B")]), user([result("A")]), user([result("B")]), ask],
      ["user", "assistant A,B", "tool A", "tool B", "user"],
    ],
    [
      "an instruction between call and result",
      [ask, assistant([use("A")]), instruction, user([result("A")])],
      ["user", "assistant A", "tool A", "system"],
    ],
    [
      "an instruction between results",
      [ask, assistant([use("A"), use("B")]), user([result("A")]), instruction, user([result("B")])],
      ["user", "assistant A,B", "tool A", "tool B", "system"],
    ],
    [
      "an instruction between calls",
      [
        ask,
        assistant([use("A")]),
        instruction,
        assistant([use("B")]),
        user([result("A"), result("B")]),
      ],
      ["user", "assistant A,B", "tool A", "tool B", "system"],
    ],
    [
      "an instruction after a text and a call in two messages, and more text behind it",
      [ask, assistant("x"), assistant([use("A")]), instruction, ask, user([result("A")])],
      ["user", "assistant A", "tool A", "user", "system"],
    ],
    [
      "adjacent texts",
      [ask, ask, assistant("x"), assistant("y"), ask],
      ["user", "assistant", "user"],
    ],
    [
      "an instruction elsewhere",
      [instruction, ask, instruction, ask],
      ["system", "user", "system", "user"],
    ],
  ])("%s", (_, messages, expected) => {
    type Said = { role: string; tool_call_id?: string; tool_calls?: { id: string }[] };
    const translated = messagesOf(...messages) as Said[];
    const shown = translated.map(({ role, tool_call_id: answered, tool_calls: calls }) =>
      [role, answered ?? calls?.map(({ id }) => id).join()].filter(Boolean).join(" "),
    );
    expect(shown).toEqual(expected);
  });
});
