// A request with `functions` as one with tools, and its answer in the form that its caller knows.
import { describe, expect, test } from "bun:test";
import type { DeltaEvent } from "../protocol/pivot.ts";
import { chatProtocol } from "./chat-protocol.ts";
import { parseChatRequest } from "./parse-chat-request.ts";

const user = { role: "user", content: "Hello" };
const definition = { name: "f", parameters: { type: "object", properties: {} } };
const parse = (fields: object) =>
  parseChatRequest(JSON.stringify({ model: "m", messages: [user], ...fields }));
const call = (spelled = "{}") => ({
  role: "assistant",
  content: null,
  function_call: { name: "f", arguments: spelled },
});
const result = { role: "function", name: "f", content: "done" };

describe("functions are tools", () => {
  test.each([
    [undefined, undefined],
    ["auto", "auto"],
    ["none", "none"],
    [{ name: "f" }, { type: "function", function: { name: "f" } }],
  ])("with the choice %j", (function_call, tool_choice) => {
    const { parsed, raw, callsFunctions } = parse({ functions: [definition], function_call });
    expect(parsed).toEqual({
      model: "m",
      messages: [user],
      parallel_tool_calls: false,
      tools: [{ type: "function", function: definition }],
      ...(tool_choice !== undefined && { tool_choice }),
    });
    expect(raw).toContain('"functions"');
    expect(callsFunctions).toBe(true);
  });

  test("with the numbers of their schemas as they were written", () => {
    const raw = `{"model":"m","messages":[{"role":"user","content":"a"}],"functions":[{"name":"f","parameters":{"const":12345678901234567890}}]}`;
    expect(JSON.stringify(parseChatRequest(raw).parsed.tools)).toContain("12345678901234567890");
  });

  test("unless there are tools: then they are left for the dialect to refuse", () => {
    const tools = [{ type: "function", function: definition }];
    const { parsed, callsFunctions } = parse({ tools, functions: [definition] });
    expect([parsed.functions, callsFunctions]).toEqual([[definition], undefined]);
  });
});

test("calls and results in the conversation are those of tools", () => {
  const messages = [user, call('{"a":1}'), result, { ...call(), content: "So" }, result];
  const { parsed, callsFunctions } = parse({ messages });
  const called = (id: string, spelled: string) => [
    { id, type: "function", function: { name: "f", arguments: spelled } },
  ];
  expect(parsed.messages).toEqual([
    user,
    { role: "assistant", content: null, tool_calls: called("call_1", '{"a":1}') },
    { role: "tool", tool_call_id: "call_1", content: "done" },
    { role: "assistant", content: "So", tool_calls: called("call_3", "{}") },
    { role: "tool", tool_call_id: "call_3", content: "done" },
  ]);
  expect(callsFunctions).toBe(false);
});

test("a call without a result has an empty one, a result without a call is said by the user", () => {
  const empty = { ...result, content: null };
  const { parsed } = parse({ messages: [empty, call(), user, result, call()] });
  const messages = parsed.messages;
  expect(messages).toMatchObject([
    { role: "user", name: "f", content: "" },
    { role: "assistant" },
    { role: "tool", tool_call_id: "call_1", content: "" },
    user,
    { role: "user", name: "f", content: "done" },
    { role: "assistant" },
    { role: "tool", tool_call_id: "call_4", content: "" },
  ]);
});

test("a refusal names what the caller wrote", () => {
  const { callerParam } = parse({
    messages: [call(), user, call(), result],
    functions: [definition],
  });
  const names = [
    ["messages[3].tool_calls[0].function.arguments", "messages[2].function_call.arguments"],
    ["messages[4].content", "messages[3].content"],
    ["tools[0].function.parameters", "functions[0].parameters"],
    ["tools", "functions"],
    ["tool_choice", "function_call"],
    ["temperature", "temperature"],
  ];
  for (const [param = "", own] of names) expect(callerParam?.(param)).toBe(own ?? "");
});

describe("an answer", () => {
  const identity = { id: "ours", model: "m", created: 0 };
  const named = (index: number, name: string): DeltaEvent => ({
    kind: "tool_call",
    choice: 0,
    index,
    id: `call_${index}`,
    name,
    arguments: "",
  });
  const more = (index: number, spelled: string): DeltaEvent => ({
    kind: "tool_call",
    choice: 0,
    index,
    id: undefined,
    name: undefined,
    arguments: spelled,
  });
  const deltas: DeltaEvent[] = [
    named(0, "f"),
    more(0, '{"a"'),
    named(1, "g"),
    more(0, ":1}"),
    more(1, "{}"),
    { kind: "finish", choice: 0, reason: "tool_calls" },
  ];
  const request = parse({ functions: [definition], stream: true });

  test("is the one call, whole", () => {
    const body = chatProtocol.writeWhole({ kind: "deltas", deltas }, identity, undefined, request);
    expect(JSON.parse(body).choices).toEqual([
      {
        index: 0,
        message: {
          role: "assistant",
          content: null,
          refusal: null,
          function_call: { name: "f", arguments: '{"a":1}' },
        },
        logprobs: null,
        finish_reason: "function_call",
      },
    ]);
  });

  test("is the one call, streamed", () => {
    const frames = chatProtocol.stream?.open(request, identity).writeDeltas(deltas) ?? "";
    const choices = [...frames.matchAll(/^data: (.*)$/gm)].map(
      ([, json = ""]) => JSON.parse(json).choices[0],
    );
    expect(choices.map(({ delta }) => delta)).toEqual([
      { role: "assistant", content: null, function_call: { name: "f", arguments: "" } },
      { function_call: { arguments: '{"a"' } },
      { function_call: { arguments: ":1}" } },
      {},
    ]);
    expect(choices.at(-1).finish_reason).toBe("function_call");
  });

  test("to a caller of tools has all of them", () => {
    const tools = parse({ tools: [{ type: "function", function: definition }] });
    const body = chatProtocol.writeWhole({ kind: "deltas", deltas }, identity, undefined, tools);
    expect(JSON.parse(body).choices[0]).toMatchObject({
      message: { tool_calls: [{ id: "call_0" }, { id: "call_1" }] },
      finish_reason: "tool_calls",
    });
  });
});
