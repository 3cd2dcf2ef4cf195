// The elements of an array are found where `JSON.parse` finds them, whatever they contain.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { findElements } from "./find-elements.ts";

test("each span is the text of its element", () => {
  const elements = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(elements, fc.constantFrom(0, 2), (values, indent) => {
      const text = JSON.stringify(values, null, indent);
      const found = findElements(text).map(({ start, end }) => JSON.parse(text.slice(start, end)));
      expect(found).toEqual(JSON.parse(text));
    }),
  );
});

test("brackets, commas and quotes inside of texts are not those of the array", () => {
  const text = String.raw`[ "a]\",{" , {"b":[1,"],"]} ,2 ]`;
  const found = findElements(text).map(({ start, end }) => text.slice(start, end).trim());
  expect(found).toEqual([String.raw`"a]\",{"`, '{"b":[1,"],"]}', "2"]);
});
