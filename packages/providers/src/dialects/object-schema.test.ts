// Schemas of tools that are unions at their root, for providers that take only an object there.
import { expect, test } from "bun:test";
import { isObjectSchema, objectSchemaOf } from "./object-schema.ts";

const text = { type: "string" };

test("an object without unions is not touched", () => {
  const schema = { type: "object", properties: { a: { anyOf: [text, { type: "null" }] } } };
  expect(objectSchemaOf(schema)).toBe(schema);
});

test("variants that only require are told to the model", () => {
  const schema = {
    type: "object",
    description: "Updates it.",
    properties: { a: text, b: text, c: text },
    required: ["c"],
    anyOf: [{ required: ["a"] }, { required: ["b"] }],
  };
  expect(objectSchemaOf(schema)).toEqual({
    type: "object",
    description: "Updates it.\n\nOf these sets of properties, at least one is required: a; b.",
    properties: { a: text, b: text, c: text },
    required: ["c"],
  });
});

test("variants that are objects give their members, and require what all of them do", () => {
  const kind = (name: string) => ({ const: name });
  const schema = {
    oneOf: [
      { type: "object", properties: { kind: kind("a"), a: text }, required: ["kind", "a"] },
      { $ref: "#/$defs/b" },
    ],
    $defs: { b: { type: "object", properties: { kind: kind("b"), b: text }, required: ["kind"] } },
  };
  const fitted = objectSchemaOf(schema);
  expect(isObjectSchema(fitted)).toBe(true);
  expect(fitted).toMatchObject({
    properties: { kind: { anyOf: [kind("a"), kind("b")] }, a: text, b: text },
    required: ["kind"],
    $defs: schema.$defs,
  });
});

test("variants of variants and definitions at the root are members too, even where they repeat", () => {
  const definitions = {
    a: { type: "object", title: "A", properties: { a: text }, required: ["a"] },
    b: { anyOf: [{ properties: { b: text } }, { $ref: "#/definitions/b" }] },
  };
  const fitted = objectSchemaOf({
    allOf: [{ $ref: "#/definitions/a" }, { anyOf: [{ $ref: "#/definitions/b" }] }],
    definitions,
  });
  expect(fitted).toMatchObject({ properties: { a: text, b: text }, required: ["a"] });
  const $defs = { a: { ...definitions.a, additionalProperties: false } };
  expect(objectSchemaOf({ $ref: "#/$defs/a", $defs })).toEqual({ ...$defs.a, $defs });
  expect(objectSchemaOf({ $ref: "#/$defs/b", $defs: { b: { $ref: "#/$defs/b" } } })).toEqual({
    type: "object",
    properties: {},
    $defs: { b: { $ref: "#/$defs/b" } },
  });
});

test.each([
  ["#/$defs/Foo%3CBar%3E", "Foo<Bar>"],
  ["#/$defs/a~1b~0c", "a/b~c"],
])("a reference that is written as %s is followed", ($ref, name) => {
  const $defs = { [name]: { type: "object", properties: { a: text }, required: ["a"] } };
  expect(objectSchemaOf({ $ref, $defs })).toMatchObject({ properties: { a: text } });
});

test("definitions that refer to one another many times are read once", () => {
  const defs = Array.from({ length: 30 }, (_, index) => [
    `d${index}`,
    { anyOf: Array.from({ length: 20 }, () => ({ $ref: `#/$defs/d${index + 1}` })) },
  ]);
  const $defs = { ...Object.fromEntries(defs), d30: { properties: { a: text }, required: ["a"] } };
  const fitted = objectSchemaOf({ $ref: "#/$defs/d0", $defs });
  expect(fitted).toMatchObject({ properties: { a: text }, required: ["a"] });
});

test("all of several is their sum", () => {
  const both = {
    allOf: [
      { type: "object", properties: { a: text }, required: ["a"] },
      { type: "object", properties: { b: text }, required: ["b"] },
    ],
  };
  expect(objectSchemaOf(both)).toEqual({
    type: "object",
    properties: { a: text, b: text },
    required: ["a", "b"],
  });
});
