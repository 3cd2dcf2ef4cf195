// Tools and tool choice of a chat completion, as they are sent to Anthropic.
import { expect, test } from "bun:test";
import { buildRequest } from "./build-request.ts";
import { chatCall } from "./sample-messages-call.fixture.ts";

const written = (fields: object, change: object = {}) =>
  JSON.parse(buildRequest({ ...chatCall(fields), ...change }).body);

test("a custom tool is a function with one text and its grammar", () => {
  const grammar = { syntax: "lark", definition: "start: WORD" };
  const patch = { name: "patch", format: { type: "grammar", grammar } };
  const [tool] = written({ tools: [{ type: "custom", custom: patch }] }).tools;
  expect(tool.input_schema).toMatchObject({ required: ["input"], additionalProperties: false });
  expect(tool.description).toContain("lark grammar:\nstart: WORD");
});

test.each([
  ["auto", true, { type: "auto" }],
  ["required", true, { type: "any" }],
  ["none", false, { type: "none" }],
  [
    { type: "function", function: { name: "f" } },
    false,
    { type: "tool", name: "f", disable_parallel_tool_use: true },
  ],
  [undefined, false, { type: "auto", disable_parallel_tool_use: true }],
])("tool_choice %j with parallel calls %p is %j", (tool_choice, parallel, expected) => {
  const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
  const body = written({ tools, tool_choice, parallel_tool_calls: parallel });
  expect(body.tool_choice).toEqual(expected);
});

test("allowed tools are the tools that are offered", () => {
  const named = (name: string) => ({ type: "function", function: { name } });
  const tools = [named("f"), { type: "custom", custom: { name: "patch" } }, named("g")];
  const allowed = [named("g"), { type: "custom", custom: { name: "patch" } }];
  const choose = (mode: string) => ({
    tool_choice: { type: "allowed_tools", allowed_tools: { mode, tools: allowed } },
  });
  const free = written({ tools, ...choose("auto") });
  expect(free.tools.map(({ name }: { name: string }) => name)).toEqual(["patch", "g"]);
  expect(free.tool_choice).toEqual({ type: "auto" });
  expect(written({ tools, ...choose("required") }).tool_choice).toEqual({ type: "any" });
  const single = written({ tools, parallel_tool_calls: false, ...choose("required") });
  expect(single.tool_choice).toEqual({ type: "any", disable_parallel_tool_use: true });
});
