import { expect, test } from "bun:test";
import { jsonSchemaOf } from "./google-schema.ts";

test.each<[string, object, object]>([
  ["types are in lower case", { type: "OBJECT" }, { type: "object" }],
  ["an unspecified type is none", { type: "TYPE_UNSPECIFIED" }, {}],
  [
    "names of properties stay, whatever they are",
    { type: "OBJECT", properties: { type: { type: "STRING" }, min_items: { type: "NUMBER" } } },
    { type: "object", properties: { type: { type: "string" }, min_items: { type: "number" } } },
  ],
  [
    "null is a type",
    { type: "STRING", nullable: true, enum: ["a"] },
    { type: ["string", "null"], enum: ["a", null] },
  ],
  [
    "null is a variant of what has no type",
    { any_of: [{ type: "STRING" }], nullable: true },
    { anyOf: [{ anyOf: [{ type: "string" }] }, { type: "null" }] },
  ],
  [
    "counts may be texts",
    { type: "ARRAY", min_items: "2", maxItems: 3, items: { type: "INTEGER" } },
    { type: "array", minItems: 2, maxItems: 3, items: { type: "integer" } },
  ],
  [
    "an order is for Gemini alone, an example for everyone",
    { type: "STRING", propertyOrdering: ["a"], example: "x" },
    { type: "string", examples: ["x"] },
  ],
  [
    "JSON Schema stays what it is",
    { type: ["string", "null"], $defs: { a: { type: "string" } }, additionalProperties: false },
    { type: ["string", "null"], $defs: { a: { type: "string" } }, additionalProperties: false },
  ],
])("%s", (_, schema, expected) => {
  expect(jsonSchemaOf({ ...schema })).toEqual({ ...expected });
});
