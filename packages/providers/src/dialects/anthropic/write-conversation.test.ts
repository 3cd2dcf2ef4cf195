// Conversations that Anthropic would refuse for who speaks first or last.
import { expect, test } from "bun:test";
import { buildRequest } from "./build-request.ts";
import { chatCall } from "./sample-messages-call.fixture.ts";

const said = (role: string, content: string) => ({ role, content });
const turn = (role: string, text: string) => ({ role, content: [{ type: "text", text }] });
const turnsOf = (messages: readonly object[], upstreamModel: string) =>
  JSON.parse(buildRequest({ ...chatCall({ messages }), upstreamModel }).body).messages;

const greeting = [said("system", "s"), said("assistant", "Hi "), said("user", "Hello")];
const started = [said("user", "Write JSON."), said("assistant", '{"a": \n')];
const begins = turn("user", "(The assistant begins.)");

test("an assistant that speaks first follows a turn of the user", () => {
  const turns = [begins, turn("assistant", "Hi "), turn("user", "Hello")];
  expect(turnsOf(greeting, "claude-sonnet-4-5")).toEqual(turns);
});

test("older models continue the beginning of an answer, without white space at its end", () => {
  const turns = [turn("user", "Write JSON."), turn("assistant", '{"a":')];
  expect(turnsOf(started, "claude-sonnet-4-5")).toEqual(turns);
});

test.each(["claude-opus-4-6", "claude-sonnet-5", "us.anthropic.claude-opus-4-8-v1"])(
  "%s refuses to continue it, and gets a turn of the user",
  (model) => {
    const [asked, answer, last] = turnsOf(started, model);
    expect([asked, answer]).toEqual([turn("user", "Write JSON."), turn("assistant", '{"a":')]);
    expect(last).toEqual(turn("user", "(Continue.)"));
    expect(turnsOf(greeting, model)).toHaveLength(3);
  },
);

test("an answer alone has a turn of the user before and after it", () => {
  expect(turnsOf([said("assistant", "Hi")], "claude-opus-4-6")).toEqual([
    begins,
    turn("assistant", "Hi"),
    turn("user", "(Continue.)"),
  ]);
});

test("a tool that failed is reported to the model as failed, one that did not is not", () => {
  const called = ["a", "b"].map((id) => ({
    id,
    type: "function",
    function: { name: "f", arguments: "{}" },
  }));
  const answers = [
    { role: "tool", tool_call_id: "a", content: "no", is_error: true },
    { role: "tool", tool_call_id: "b", content: "yes" },
  ];
  const messages = [
    said("user", "Call it."),
    { role: "assistant", content: null, tool_calls: called },
    ...answers,
  ];
  const results = turnsOf(messages, "claude-sonnet-4-5").at(-1).content;
  expect(results.map((one: { is_error?: boolean }) => one.is_error)).toEqual([true, undefined]);
});
