import { expect, test } from "bun:test";
import { checkAnswer, sampleOf } from "./check-answer.ts";
import { responseFormatOf, schemaProblem } from "./read-schema.ts";

const city = {
  title: "a city",
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    size: { enum: ["small", "large"] },
    parts: { type: "array", items: { $ref: "#/$defs/part" } },
    mayor: { anyOf: [{ type: "string" }, { type: "null" }] },
  },
  required: ["name", "parts"],
  additionalProperties: false,
  $defs: { part: { type: "object", properties: { area: { type: "integer", maximum: 9 } } } },
};

test("an answer is compared with the schema, place by place", () => {
  expect(checkAnswer(city, { name: "Rome", parts: [{ area: 3 }], mayor: null })).toEqual([]);
  const wrong = { name: "", size: "huge", parts: [{ area: 1.5 }, { area: 10 }], mayor: 3, x: 1 };
  expect(checkAnswer(city, wrong)).toEqual([
    "/name is below the minimum of 1",
    '/size should be "small" or "large"',
    "/parts/0/area should be integer",
    "/parts/1/area is above the maximum of 9",
    "/mayor matches none of the allowed forms",
    "/x is not allowed",
  ]);
  expect(checkAnswer(city, { parts: [] })).toEqual(["/name is missing"]);
  expect(checkAnswer(city, [])).toEqual(["/ should be object"]);
});

test("a schema that refers to itself ends, and a sample fits its schema", () => {
  expect(checkAnswer({ anyOf: [{ $ref: "#" }] }, 1)).toEqual([]);
  const loop = { type: "object", properties: { next: { $ref: "#" } } };
  expect(JSON.stringify(sampleOf(loop))).toContain("next");
  expect(checkAnswer(city, sampleOf(city))).toEqual([]);
});

test("what is wrong with a schema is said while it is typed", () => {
  expect(schemaProblem('{"type":')).toStartWith("This is not JSON: ");
  expect(schemaProblem("[]")).toBe("The schema must be an object.");
  expect(schemaProblem('{"properties":{"a":{"type":"text"}}}')).toBe(
    '/a has an unknown type, "text".',
  );
  expect(schemaProblem(JSON.stringify(city))).toBeUndefined();
});

test("a request has the schema, strict if it forbids other fields", () => {
  expect(responseFormatOf(" ")).toEqual({ type: "json_object" });
  const format = { name: "a_city", strict: true, schema: city };
  expect(responseFormatOf(JSON.stringify(city))).toEqual({
    type: "json_schema",
    json_schema: format,
  });
  expect(responseFormatOf('{"type":"object"}')).toMatchObject({ json_schema: { strict: false } });
});
