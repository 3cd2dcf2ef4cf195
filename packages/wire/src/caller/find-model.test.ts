import { expect, test } from "bun:test";
import { findModel } from "./find-model.ts";

test.each([
  ["beside a field of the wrong type", '{"temperature": "hot", "model": "a/b"}', "a/b"],
  ["not of a nested object", '{"metadata": {"model": "x"}, "model": "a/b"}', "a/b"],
  ["as JSON.parse reads it, the last one", '{"model": "x", "model": "a/b"}', "a/b"],
  ["written with escapes", '{"model": "a\\u002fb"}', "a/b"],
  ["absent", '{"messages": []}', ""],
  ["of another type", '{"model": {"id": "a/b"}}', ""],
  ["longer than any name", `{"model": "${"a".repeat(129)}"}`, ""],
  ["in an array", '[{"model": "a/b"}]', ""],
  ["in no JSON", '{"model": "a', ""],
  ["nested too deep", `{"model": "a/b", "x": ${"[".repeat(200)}`, ""],
])("the model of a refused body: %s", (_, body, model) => {
  expect(findModel(body)).toBe(model);
});

test("a body beyond the bound is not read a second time", () => {
  expect(findModel(`{"model": "a/b", "x": "${"y".repeat(1_000_000)}"}`)).toBe("");
});
