import { expect, test } from "bun:test";
import { checkAnswer, sampleOf } from "../answers/check-answer.ts";
import { responseFormatOf, schemaProblem } from "./schema-problem.ts";

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

const check = (schema: unknown, value: unknown) => checkAnswer(JSON.stringify(schema), value);

test("an answer is compared with the schema, place by place", () => {
  expect(check(city, { name: "Rome", parts: [{ area: 3 }], mayor: null })).toEqual([]);
  const wrong = { name: "", size: "huge", parts: [{ area: 1.5 }, { area: 10 }], mayor: 3, x: 1 };
  expect(check(city, wrong)).toEqual([
    "/name: String is too short (0 < 1).",
    '/size: Instance does not match any of ["small","large"].',
    '/parts/0/area: Instance type "number" is invalid. Expected "integer".',
    "/parts/1/area: 10 is greater than 9.",
    "/mayor: Instance does not match any subschemas.",
    "/x is not allowed.",
  ]);
  expect(check(city, { parts: [] })).toEqual([
    '/: Instance does not have required property "name".',
  ]);
  expect(check(city, [])).toEqual(['/: Instance type "array" is invalid. Expected "object".']);
  const even = { allOf: [{ type: "integer" }, { multipleOf: 2 }] };
  expect([check(even, 4), check(even, 5).length]).toEqual([[], 1]);
});

test("a schema that cannot be checked says so, and a sample fits its schema", () => {
  for (const schema of [{ anyOf: [{ $ref: "#" }] }, { $ref: "#/$defs/gone" }]) {
    expect(check(schema, 1)).toEqual([
      "The schema refers to something that it does not define, or only to itself.",
    ]);
  }
  const loop = { type: "object", properties: { next: { $ref: "#" } } };
  expect(JSON.stringify(sampleOf(loop))).toContain("next");
  expect(check(city, sampleOf(city))).toEqual([]);
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
