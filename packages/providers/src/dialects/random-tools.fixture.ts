// Random tools that callers may offer: names and schemas that one provider takes and another refuses.
import fc from "fast-check";

export const toolNames = ["f", "1c_reload", "_x", "g-h"];
/** That are not offered, as other providers write them. */
export const foreignNames = ["default_api:f", "a.b"];
const union = {
  ...{ type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  anyOf: [{ required: ["a"] }, { properties: { b: { type: "integer" } }, required: ["b"] }],
};
const schemas = [
  { type: "object", properties: {} },
  { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  union,
  {
    oneOf: [{ type: "object", properties: { c: { const: 1 } } }, { $ref: "#/$defs/d" }],
    $defs: { d: union },
  },
  { type: "object" },
  {
    type: ["object", "null"],
    properties: { a: { type: "array" }, b: { type: ["array", "null"] } },
  },
  { $ref: "#/definitions/d", definitions: { d: union } },
  {
    allOf: [{ $ref: "#/definitions/d" }, { anyOf: [{ required: ["a"] }] }],
    definitions: { d: union },
  },
  { type: "object", properties: { a: { type: "object", anyOf: union.anyOf } } },
];
/** Of each tool one. */
export const schemasOfTools = fc.tuple(...toolNames.map(() => fc.constantFrom(...schemas)));

/** That an answer can be bound to. */
export const closedSchema = {
  ...{ type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  additionalProperties: false,
};
