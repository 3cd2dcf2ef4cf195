// Schemas of tools as services take them: over chat completions, messages and responses alike.
import { expect, test } from "bun:test";
import {
  type ChatRequest,
  messagesProtocol,
  parseChatRequest,
  responsesProtocol,
} from "@turnpike/wire";
import { dialectOf } from "../dialect-of.ts";
import { sampleCall } from "./sample-call.fixture.ts";

const user = { role: "user", content: "Hi" };
const requestsWith = (parameters: object | undefined): readonly ChatRequest[] => [
  parseChatRequest(
    JSON.stringify({
      model: "m",
      messages: [user],
      tools: [{ type: "function", function: { name: "f", parameters } }],
    }),
  ),
  messagesProtocol.parse(
    JSON.stringify({
      model: "m",
      max_tokens: 9,
      messages: [user],
      tools: [{ name: "f", input_schema: { type: "object", ...parameters } }],
    }),
    new Headers(),
  ),
  responsesProtocol.parse(
    JSON.stringify({
      model: "m",
      input: "Hi",
      tools: [{ type: "function", name: "f", parameters, strict: false }],
    }),
    new Headers(),
  ),
];

/** What a service is sent for `parameters`, over each protocol. */
function sentFor(like: string, parameters: object | undefined): unknown[] {
  return requestsWith(parameters).map((request) => {
    const call = { ...sampleCall({ like }), request };
    const [tool] = JSON.parse(dialectOf(call).buildRequest(call).body).tools;
    return (tool.function ?? tool).parameters;
  });
}

const thrice = (schema: object) => [schema, schema, schema];

test("OpenAI is sent properties and the items of lists, at any depth", () => {
  expect(sentFor("openai", { type: "object" })).toEqual(thrice({ type: "object", properties: {} }));
  const list = { type: ["array", "null"] };
  const deep = (inner: object) => ({
    type: "object",
    properties: { a: { anyOf: [{ type: "object", properties: { b: inner } }] } },
  });
  expect(sentFor("openai", deep(list))).toEqual(thrice(deep({ ...list, items: {} })));
  // A value is no schema.
  const kept = { type: "object", properties: { a: { enum: [{ type: "array" }] } } };
  expect(sentFor("openai", kept)).toEqual(thrice(kept));
});

test("Kimi is sent the type of a union in its variants, and definitions by their newer name", () => {
  const [variant, other] = [{ required: ["a"] }, { type: "string" }];
  const refersTo = (list: string) => ({ $ref: `#/${list}/d` });
  const schema = (property: object, list: string) => ({
    type: "object",
    properties: { a: property, b: refersTo(list) },
    [list]: { d: { type: "string" } },
  });
  const union = { type: "object", anyOf: [variant, other] };
  const typed = { anyOf: [{ type: "object", ...variant }, other] };
  expect(sentFor("moonshot", schema(union, "definitions"))).toEqual(thrice(schema(typed, "$defs")));
  const nested = { type: "object", anyOf: [{ anyOf: [variant] }] };
  const typedToo = { anyOf: [{ anyOf: [{ type: "object", ...variant }] }] };
  expect(sentFor("moonshot", schema(nested, "$defs"))).toEqual(thrice(schema(typedToo, "$defs")));
  expect(sentFor("vllm", schema(union, "definitions"))).toEqual(
    thrice(schema(union, "definitions")),
  );
});

test("Mistral is sent a schema for a tool that has none", () => {
  const [overChat] = sentFor("mistral", undefined);
  expect(overChat).toEqual({ type: "object", properties: {} });
});
