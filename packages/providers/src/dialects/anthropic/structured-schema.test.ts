// Schemas that OpenAI's clients send, as Anthropic can be bound to them. Each rule is one that Anthropic's API refuses
// a request for.
import { describe, expect, test } from "bun:test";
import { StructuredSchemas } from "./structured-schema.ts";

const fit = (schema: object) => new StructuredSchemas().fit({ ...schema });
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const text = { type: "string" };

test("a schema of OpenAI's strict mode stays as it is", () => {
  const schema = object({
    name: { ...text, description: "Of the city", title: "Name" },
    kind: { enum: ["a", "b", null] },
    tag: { const: "x" },
    at: { ...text, format: "date-time" },
    list: { type: "array", items: { type: ["integer", "null"] }, minItems: 1 },
    either: { anyOf: [object({ a: text }), { type: "null" }] },
  });
  expect(fit(schema)).toEqual(schema);
});

test("objects are closed, and a member that is not required stays optional", () => {
  const open = { type: "object", properties: { a: text, b: text }, required: ["a"] };
  expect(fit(open)).toEqual(object({ a: text, b: text }, ["a"]));
  expect(fit({ type: "object", properties: { a: text } })).toEqual(object({ a: text }, []));
});

test("what narrows a value is told to the model", () => {
  const schema = object({
    age: { type: "integer", minimum: 0, maximum: 150, description: "In years" },
    code: { ...text, minLength: 2, pattern: "^[A-Z]+$", format: "iri" },
    list: { type: "array", items: text, minItems: 2, maxItems: 3 },
  });
  expect(fit({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema })).toEqual(
    object({
      age: { type: "integer", description: 'In years\n\n{"minimum":0,"maximum":150}' },
      code: { ...text, description: '{"minLength":2,"pattern":"^[A-Z]+$","format":"iri"}' },
      list: { type: "array", items: text, description: '{"minItems":2,"maxItems":3}' },
    }),
  );
});

test("definitions of either name are found, and only those that are used are sent", () => {
  const schema = object({ a: { $ref: "#/definitions/A", description: "ignored" } });
  const definitions = {
    A: object({ b: { allOf: [{ $ref: "#/definitions/B" }] } }),
    B: text,
    C: {},
  };
  expect(fit({ ...schema, definitions })).toEqual({
    ...object({ a: { $ref: "#/$defs/A" } }),
    $defs: { A: object({ b: { $ref: "#/$defs/B" } }), B: text },
  });
});

test("one of several is any of them", () => {
  const variants = [object({ a: text }), object({ b: text })];
  expect(fit({ oneOf: variants, type: "object" })).toEqual({ anyOf: variants });
});

describe("Anthropic cannot be bound to", () => {
  const recursive = { $defs: { Node: object({ next: { $ref: "#/$defs/Node" } }) } };
  test.each<[string, object]>([
    ["any value", {}],
    ["an object with members of any name", { type: "object" }],
    ["a map", { type: "object", properties: {}, additionalProperties: text }],
    ["an open object", { type: "object", properties: {}, additionalProperties: true }],
    ["members by a pattern", { ...object({}), patternProperties: { a: text } }],
    ["a list of anything", { type: "array" }],
    ["a tuple", { type: "array", prefixItems: [text], items: text }],
    ["a recursive schema", { ...recursive, $ref: "#/$defs/Node" }],
    ["the root inside itself", object({ self: { $ref: "#" } })],
    ["an unknown definition", object({ a: { $ref: "#/$defs/A" } })],
    ["another document", object({ a: { $ref: "https://example.com/schema" } })],
    ["all of several", { allOf: [object({ a: text }), object({ b: text })] }],
    [
      "one schema with members beside it",
      { allOf: [object({ a: text })], properties: { b: text } },
    ],
    ["variants with members of their own", { ...object({ a: text }), anyOf: [object({})] }],
    ["literals that are no primitives", { enum: [{ a: 1 }] }],
    ["a schema that is a boolean", object({ a: true })],
  ])("%s", (_, schema) => {
    expect(fit(schema)).toBeUndefined();
    expect(fit(object({ inside: schema }))).toBeUndefined();
  });

  const many = (count: number, schema: object) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, schema]));
  test.each<[string, (count: number) => object, number]>([
    ["values of several types", (count) => object(many(count, { type: ["string", "null"] })), 16],
    ["variants", (count) => object(many(count, { anyOf: [text, { type: "null" }] })), 16],
    ["optional members", (count) => object(many(count, text), []), 24],
  ])("more %s than it takes, in all schemas together", (_, schemaWith, most) => {
    expect(fit(schemaWith(most))).toBeDefined();
    expect(fit(schemaWith(most + 1))).toBeUndefined();
    const schemas = new StructuredSchemas();
    expect(schemas.fit({ ...schemaWith(most - 1) })).toBeDefined();
    expect(schemas.fitTool({ ...schemaWith(2) })).toBeUndefined();
    expect(schemas.fitTool({ ...schemaWith(1) })).toBeDefined();
  });

  test("more than 20 tools", () => {
    const schemas = new StructuredSchemas();
    for (let count = 0; count < 20; count += 1) expect(schemas.fitTool(object({}))).toBeDefined();
    expect(schemas.fitTool(object({}))).toBeUndefined();
    expect(schemas.fit(object({}))).toBeDefined();
  });
});

test("a member may have any name", () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
  );
  const fitted = JSON.stringify(fit(schema));
  expect(fitted).toContain('"properties":{"__proto__":{"type":"string"}}');
});
