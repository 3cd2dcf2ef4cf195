// Which schemas OpenAI accepts as strict, and how the others are translated in a translated request.
import { describe, expect, test } from "bun:test";
import { messagesProtocol } from "@turnpike/wire";
import { buildTranslatedRequest } from "../openai-responses/write-request.ts";
import { buildRequest } from "./build-request.ts";
import { sampleCall } from "./sample-call.fixture.ts";
import { isStrictSchema } from "./strict-schema.ts";

const text = { type: "string" };
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const strict = object({
  name: { ...text, description: "Of the city", pattern: "^[A-Z]" },
  at: { ...text, format: "date-time" },
  people: { type: ["integer", "null"], minimum: 0 },
  either: { anyOf: [object({ a: text }), { type: "null" }] },
  list: { type: "array", items: { $ref: "#/$defs/Item" }, minItems: 2 },
});
const optional = object({ name: text, motto: text }, ["name"]);

test("a schema of OpenAI's strict mode is strict", () => {
  expect(isStrictSchema({ ...strict, $defs: { Item: object({}) } })).toBe(true);
});

describe("not strict is", () => {
  test.each<[string, unknown]>([
    ["a member that is not required", optional],
    ["an open object", { type: "object", properties: { a: text }, required: ["a"] }],
    ["an object without a type", { properties: { a: text }, required: ["a"] }],
    ["a format that OpenAI does not know", { ...text, format: "uri" }],
    ["another keyword", { ...text, minLength: 1 }],
    ["all of several", { allOf: [text] }],
    ["any value", true],
  ])("%s, wherever it is", (_, schema) => {
    expect(isStrictSchema(schema)).toBe(false);
    const holders: object[] = [
      object({ inside: schema }),
      object({ list: { type: "array", items: schema } }),
      object({ either: { anyOf: [text, schema] } }),
      { ...object({}), $defs: { A: schema } },
      { ...object({}), definitions: { A: schema } },
    ];
    for (const holder of holders) expect(isStrictSchema(holder)).toBe(false);
  });

  test("anything but an object", () => {
    expect(isStrictSchema(text)).toBe(false);
    expect(isStrictSchema({ anyOf: [strict] })).toBe(false);
    expect(isStrictSchema(undefined)).toBe(false);
  });
});

describe("Anthropic's strict schemas, whose members may be optional", () => {
  const requestFor = (schema: object) => {
    const body = {
      model: "m",
      max_tokens: 9,
      messages: [{ role: "user", content: "a" }],
      tools: [{ name: "f", input_schema: schema, strict: true }],
      output_config: { format: { type: "json_schema", schema } },
    };
    return messagesProtocol.parse(JSON.stringify(body), new Headers());
  };

  test.each([
    [optional, false],
    [object({ name: text }), true],
  ])("%j over chat completions and responses", (schema, isStrict) => {
    const call = { ...sampleCall({ like: "openai" }), request: requestFor(schema) };
    const chat = JSON.parse(buildRequest(call).body);
    expect(chat.response_format.json_schema).toMatchObject({ schema, strict: isStrict });
    expect(chat.tools[0].function).toMatchObject({ parameters: schema, strict: isStrict });
    const response = JSON.parse(buildTranslatedRequest(call).body);
    expect(response.text.format).toMatchObject({ schema, strict: isStrict });
    expect(response.tools[0]).toMatchObject({ parameters: schema, strict: isStrict });
  });
});

test("callers of OpenAI's own APIs, who know its rules, are refused by OpenAI itself", () => {
  const json_schema = { name: "s", schema: optional, strict: true };
  const body = { response_format: { type: "json_schema", json_schema } };
  const call = sampleCall({ like: "openai", body });
  expect(JSON.parse(buildTranslatedRequest(call).body).text.format.strict).toBe(true);
});
