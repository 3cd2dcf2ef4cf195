// What chat completions of an upstream have no field for is expressed in another way: nothing of a
// translated request is lost.
import { expect, test } from "bun:test";
import { ToolNames } from "../tool-names.ts";
import { defaultQuirks, type OpenaiQuirks } from "./quirks.ts";
import { sampleProvider } from "./sample-call.fixture.ts";
import { translateRequest as translate } from "./translate-request.ts";

const translateRequest = (body: Record<string, unknown>, quirks: OpenaiQuirks) =>
  translate(body, quirks, new ToolNames([], "any"));

const grammar = { syntax: "lark", definition: "start: WORD" };
const patch = { name: "patch", description: "Edits.", format: { type: "grammar", grammar } };
const custom = { type: "custom", custom: patch };
const call = { id: "c1", type: "custom", custom: { name: "patch", input: 'say "hi"\n' } };
const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };

test("a custom tool becomes a function with one text, its calls and a choice of it too", () => {
  const body = {
    tools: [custom],
    tool_choice: { type: "custom", custom: { name: "patch" } },
    messages: [{ role: "assistant", content: null, tool_calls: [call] }],
  };
  const { tools, tool_choice, messages } = translateRequest(body, defaultQuirks);
  expect(tools).toMatchObject([
    {
      type: "function",
      function: { name: "patch", parameters: { required: ["input"], additionalProperties: false } },
    },
  ]);
  expect(JSON.stringify(tools)).toContain("start: WORD");
  expect(tool_choice).toEqual({ type: "function", function: { name: "patch" } });
  const spelled = JSON.stringify({ input: 'say "hi"\n' });
  expect(messages).toEqual([
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "patch", arguments: spelled } }],
    },
  ]);
});

test("an upstream that supports custom tools gets them unchanged", () => {
  const body = {
    tools: [custom],
    messages: [{ role: "assistant", content: null, tool_calls: [call] }],
  };
  expect(translateRequest(body, { ...defaultQuirks, customTools: "native" })).toEqual(body);
});

test("images among the results of tools follow in one message of the user", () => {
  const messages = [
    { role: "tool", tool_call_id: "a", content: [{ type: "text", text: "seen" }, image] },
    { role: "tool", tool_call_id: "b", content: [image] },
    { role: "assistant", content: "ok" },
  ];
  const translated = translateRequest({ messages }, defaultQuirks).messages;
  expect(translated).toMatchObject([
    { role: "tool", content: [{ type: "text", text: "seen" }] },
    { role: "tool", content: [{ type: "text" }] },
    { role: "user", content: [image, image] },
    { role: "assistant" },
  ]);
});

test("reasoning of earlier turns reaches upstreams that do not refuse it", () => {
  const reasoned = { role: "assistant", content: "x", reasoning_details: [{ type: "r" }] };
  const kept = translateRequest({ messages: [reasoned] }, defaultQuirks).messages;
  expect(kept).toEqual([reasoned]);
  const strict = { ...defaultQuirks, controlFields: "rejects" } as const;
  const dropped = translateRequest({ messages: [reasoned] }, strict).messages;
  expect(dropped).toEqual([{ role: "assistant", content: "x" }]);
});

test.each(["deepseek", "moonshot"])(
  "%s gets readable reasoning of earlier turns back as reasoning_content",
  (like) => {
    const reasoning_details = [
      { type: "reasoning.text", text: "I ", index: 0 },
      { type: "reasoning.text", text: "see.", signature: "sig", index: 0 },
      { type: "reasoning.encrypted", data: "xx", index: 1 },
      { type: "reasoning.summary", summary: " Done.", index: 2 },
    ];
    const sealed = reasoning_details.slice(2, 3);
    const messages = [
      { role: "assistant", content: "x", reasoning_details },
      { role: "assistant", content: "y", reasoning_details: sealed },
    ];
    expect(translateRequest({ messages }, sampleProvider(like).quirks).messages).toEqual([
      { role: "assistant", content: "x", reasoning_content: "I see. Done." },
      { role: "assistant", content: "y" },
    ]);
  },
);

test("hints that clients send by default reach only upstreams that do not refuse unknown fields", () => {
  const body = { messages: [], prompt_cache_key: "k", verbosity: "low", temperature: 1 };
  expect(translateRequest(body, defaultQuirks)).toEqual(body);
  const strict = { ...defaultQuirks, controlFields: "rejects" } as const;
  expect(translateRequest(body, strict)).toEqual({ messages: [], temperature: 1 });
  expect(translateRequest(body, { ...strict, customTools: "native" })).toEqual(body);
});
