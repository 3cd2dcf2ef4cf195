import { expect, test } from "bun:test";
import { isObject } from "@turnpike/base";
import fc from "fast-check";
import { type JsonPlace, replaceInside } from "./replace-inside.ts";

/** Every place in a value except the whole, by the keys and indexes on the way to it. */
function placesIn(value: unknown): JsonPlace[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => [[index], ...placesIn(item).map((at) => [index, ...at])]);
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    [key],
    ...placesIn(member).map((at) => [key, ...at]),
  ]);
}

function withValue(value: unknown, [key, ...rest]: JsonPlace): unknown {
  if (key === undefined) return "new";
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === key ? withValue(item, rest) : item));
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) =>
    name === key ? [name, withValue(member, rest)] : [name, member],
  );
  return Object.fromEntries(entries);
}

const keys = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("a", 'qu"ote', "{[,:]}"));
const documents = fc.dictionary(keys, fc.jsonValue({ maxDepth: 4 }), { minKeys: 1 });

test("one value at any depth is replaced, and the others stay", () => {
  fc.assert(
    fc.property(documents, fc.nat(), fc.constantFrom(0, 1, 3), (value, choice, indent) => {
      const json = JSON.stringify(value, null, indent);
      const parsed: unknown = JSON.parse(json);
      const places = placesIn(parsed);
      const place = places[choice % places.length] ?? [];
      const replaced = replaceInside(json, [{ place, json: '"new"' }]);
      expect(JSON.parse(replaced)).toEqual(withValue(parsed, place));
    }),
  );
});

test("several values are replaced, and no other byte changes", () => {
  const raw =
    ' {"a" : [ 1.50, {"b":9007199254740993 ,"c":[ "x" , 2e0 ]}, "]" ],\n"d":{"e":null} } ';
  const replaced = replaceInside(raw, [
    { place: ["a", 1, "c", 0], json: '"y"' },
    { place: ["a", 2], json: "[]" },
    { place: ["d", "e"], json: "true" },
  ]);
  expect(replaced).toBe(
    ' {"a" : [ 1.50, {"b":9007199254740993 ,"c":[ "y" , 2e0 ]}, [] ],\n"d":{"e":true} } ',
  );
});

test("a key that the object has twice keeps its last value, and only that is replaced", () => {
  const raw = '{"a":[1,2],"b":3,"\\u0061":[1,2]}';
  expect(replaceInside(raw, [{ place: ["a", 0], json: '"new"' }])).toBe(
    '{"b":3,"\\u0061":["new",2]}',
  );
});

test("a place that the text does not have is left out", () => {
  const raw = '{"a":[1,"]"],"b":{}}';
  const places: readonly JsonPlace[] = [["a", 2], ["a", 0, "b"], ["c"], ["b", "a"]];
  expect(
    replaceInside(
      raw,
      places.map((place) => ({ place, json: "null" })),
    ),
  ).toBe(raw);
});
