// Random tools that callers may offer: names and schemas that one provider takes and another refuses.
import fc from "fast-check";

export const toolNames = ["f", "1c_reload", "_x", "g-h"];
/** That are not offered, as other providers write them. */
const foreignNames = ["default_api:f", "a.b"];
const union = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
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
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};

/** As Kimi, Anthropic, vLLM, Mistral and templates write them. */
const callId = fc.constantFrom(
  "functions.Bash:0",
  "functions.Bash:1",
  "toolu_01AbCdEf",
  "AbCdEf012",
  "call_0",
  "a b",
  `chatcmpl-tool-${"0".repeat(32)}`,
  `call_${"x".repeat(70)}`,
);

/** Calls of one turn, whose ids differ, and the order of their results. */
export const callsOfTurn = fc.uniqueArray(callId, { minLength: 1, maxLength: 3 }).chain((ids) =>
  fc.record({
    calls: fc.tuple(
      ...ids.map((one) =>
        fc.record({ id: fc.constant(one), name: fc.constantFrom(...toolNames, ...foreignNames) }),
      ),
    ),
    order: fc.shuffledSubarray(ids, { minLength: ids.length }),
  }),
);
