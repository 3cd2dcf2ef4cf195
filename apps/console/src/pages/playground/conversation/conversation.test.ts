import { expect, test } from "bun:test";
import { modelOf } from "../../../../test/model.fixture.ts";
import { parseChunk } from "../../../product/completions/parse-chunk.ts";
import { addToolCalls } from "../answers/add-tool-calls.ts";
import { requestSnippets } from "../code/request-snippets.ts";
import { estimateInput } from "../composer/estimate-input.ts";
import { createHistory } from "../history/history.ts";
import { checkParameters } from "../parameters/check-parameters.ts";
import { type Message, newConversation, newMessage, newThread, requestOf } from "./conversation.ts";

const model = modelOf("sandbox/tools", {
  name: "Tools",
  contextTokens: 1000,
  maxOutputTokens: 100,
  capabilities: ["tools"],
  prices: { inputUsd: "1", cachedInputUsd: "1", cacheWriteUsd: "1", outputUsd: "1" },
});

const empty = newConversation([model.id]);
const none = { ...empty, model: model.id, messages: [] };

test("a request has the messages and settings, and nothing that the model does not support", () => {
  const parameters = {
    ...none.parameters,
    temperature: "0.5",
    maxTokens: "50",
    stop: "END\n\nSTOP",
    json: true,
    tools: '[{"type":"function","function":{"name":"f"}}]',
  };
  const messages = [newMessage("user", "Hi"), newMessage("assistant", "Hello")];
  expect(requestOf({ ...none, system: "Be brief.", messages, parameters }, model)).toEqual({
    model: "sandbox/tools",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello" },
    ],
    temperature: 0.5,
    max_tokens: 50,
    stop: ["END", "STOP"],
    // JSON mode was ticked while another model was chosen: this one lacks it.
    tools: [{ type: "function", function: { name: "f" } }],
  });
});

test("how much a model may think is sent to models that think", () => {
  const parameters = { ...none.parameters, effort: "low" } as const;
  const asked = { ...none, messages: [newMessage("user", "Hi")], parameters };
  const sent = requestOf(asked, { ...model, capabilities: ["reasoning"] });
  expect(sent).toMatchObject({ reasoning_effort: "low" });
  expect(requestOf(asked, model)).not.toHaveProperty("reasoning_effort");
});

test("a provider is asked for of the models it serves, and code says so as its client does", () => {
  const parameters = { ...none.parameters, provider: "cloud" };
  const asked = { ...none, messages: [newMessage("user", "Hi")], parameters };
  const sent = requestOf(asked, { ...model, providers: ["own", "cloud"] });
  expect(sent).toMatchObject({ provider: { only: ["cloud"] } });
  expect(requestOf(asked, { ...model, providers: ["own"] })).not.toHaveProperty("provider");
  const [curl, python] = requestSnippets("http://localhost/v1", sent);
  expect(curl?.code).toContain('"provider": {');
  expect(python?.code).toContain('extra_body={\n        "provider": {');
});

test("every tool call is followed by its result", () => {
  const call = { id: "call_1", name: "f", arguments: "{}", result: "42" };
  const answer: Message = { ...newMessage("assistant", ""), toolCalls: [call] };
  const { messages } = requestOf({ ...none, messages: [newMessage("user", "Go"), answer] }, model);
  expect(messages.slice(1)).toEqual([
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "call_1", content: "42" },
  ]);
});

test("tool calls are assembled from fragments, and an invalid index is ignored", () => {
  const delta = (
    index: number,
    id: string | undefined,
    name: string | undefined,
    piece: string,
  ) => ({
    index,
    id,
    name,
    arguments: piece,
  });
  const calls = [
    delta(0, "call_1", "f", ""),
    delta(0, undefined, undefined, '{"a":'),
    delta(1, "call_2", "g", "{}"),
    delta(0, undefined, undefined, "1}"),
    delta(9e15, "x", "x", ""),
    delta(-1, "x", "x", ""),
  ].reduce((all, one) => addToolCalls(all, [one]), addToolCalls([], []));
  expect(calls).toEqual([
    { id: "call_1", name: "f", arguments: '{"a":1}', result: "" },
    { id: "call_2", name: "g", arguments: "{}", result: "" },
  ]);
});

test("parameters outside the ranges of the API are named before anything is sent", () => {
  const wrong = {
    ...none.parameters,
    temperature: "2.1",
    maxTokens: "101",
    topP: "-1",
    stop: "stop\n".repeat(65),
    json: true,
    schema: '{"type":"text"}',
    tools: "{}",
  };
  expect(Object.keys(checkParameters(wrong, 100)).sort()).toEqual([
    "maxTokens",
    "schema",
    "stop",
    "temperature",
    "tools",
    "topP",
  ]);
  for (const temperature of ["1e1", "NaN", "0x1", " 1", "1,5"]) {
    expect(checkParameters({ ...none.parameters, temperature }, 100)).toHaveProperty("temperature");
  }
  expect(checkParameters(none.parameters, 100)).toEqual({});
});

test("the cost of a chunk is an exact decimal, also where numbers print as powers of ten", () => {
  const payload = '{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"cost":4.7e-7}}';
  expect(parseChunk(payload).usage).toEqual({
    promptTokens: 1,
    completionTokens: 2,
    costUsd: "0.000000470",
  });
});

test("a broken or unknown chunk adds nothing", () => {
  const text = '{"choices":[{"delta":{"content":7}}]}';
  for (const payload of ["{", "null", "[]", '{"choices":{}}', text]) {
    expect(parseChunk(payload)).toMatchObject({ text: "", toolCalls: [], error: undefined });
  }
});

test("history is kept per account, distrusts what it reads, and can be cleared", () => {
  const history = createHistory("a");
  const asked = newConversation([model.id], [newMessage("user", "Hi")]);
  history.write({ conversations: [asked, empty], draft: "half a" });
  expect(createHistory("b").read()).toEqual({ conversations: [], draft: "" });
  expect(createHistory("a").read()).toEqual({
    conversations: [asked],
    draft: "half a",
  });
  localStorage.setItem("playground.a", '{"conversations":[{"id":7},{"id":"x","threads":[{}]}]}');
  expect(history.read().conversations).toEqual([]);
  history.clear();
  expect(localStorage.getItem("playground.a")).toBeNull();
});

test("conversations that an earlier version stored are read", () => {
  const message = newMessage("user", "Hi");
  const former = {
    id: "x",
    updatedAt: 5,
    model: "m/one",
    system: "Be brief.",
    messages: [message],
  };
  localStorage.setItem("playground.a", JSON.stringify({ conversations: [former] }));
  expect(createHistory("a").read().conversations).toEqual([
    {
      id: "x",
      updatedAt: 5,
      system: "Be brief.",
      parameters: none.parameters,
      threads: [{ id: "x", model: "m/one", messages: [message] }],
    },
  ]);
});

test("code for a request survives quotes in every language", () => {
  const request = { model: "m", messages: [{ role: "user", content: `It's "so" \\n $HOME` }] };
  const [curl, python, node] = requestSnippets("http://localhost/v1", request);
  expect(curl?.code).toContain(`It'\\''s`);
  expect(python?.code).toContain(`"content": "It's \\"so\\" \\\\n $HOME",`);
  expect(python?.code).toContain("stream=True,");
  expect(node?.code).toContain(`"content": "It's \\"so\\" \\\\n $HOME"`);
});

test("what a draft costs is said before it is sent, for one model and for several", () => {
  const prices = { ...model.prices, inputUsd: "2", outputUsd: "8" };
  const dear = { ...model, id: "a/dear", prices };
  const draft = "x".repeat(400);
  const of = (asked: typeof model | undefined) => ({
    ...newThread(asked?.id ?? ""),
    system: "y".repeat(400),
    model: asked,
  });
  expect(estimateInput([of(dear)], draft)).toBe("Input about $0.0004, output $8.00 / 1M");
  expect(estimateInput([of(dear), of(model)], draft)).toBe("Input about $0.0006 for 2 models");
  expect(estimateInput([of(model)], " ")).toBeUndefined();
  expect(estimateInput([], draft)).toBeUndefined();
  // The price of one of them is not known.
  expect(estimateInput([of(model), of(undefined)], draft)).toBeUndefined();
});
