import { expect, test } from "bun:test";
import fc from "fast-check";
import { ObjectEnd } from "./object-end.ts";

/** After which fragments the end is reached. */
function reachedAfter(fragments: readonly string[]): boolean[] {
  const end = new ObjectEnd();
  return fragments.map((fragment) => {
    end.add(fragment);
    return end.isReached;
  });
}

test("the end of any object is its last brace, wherever it is cut", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (object, cut) => {
      const text = `  ${JSON.stringify(object, null, 1)}`;
      const at = cut % text.length;
      expect(reachedAfter([text.slice(0, at), text.slice(at), " \n"])).toEqual([false, true, true]);
      expect(reachedAfter([...text]).indexOf(true)).toBe(text.length - 1);
    }),
  );
});

test("texts that are no object have no end", () => {
  for (const text of ["", "  ", "[1]", '"{}"', "*** Begin {} ***"]) {
    expect(reachedAfter([text, "}"])).toEqual([false, false]);
  }
});

test("a fragment is not read before the end is asked for, and once", () => {
  const end = new ObjectEnd();
  for (const fragment of ['{"a":', '"}"', "}"]) end.add(fragment);
  expect([end.isReached, end.isReached]).toEqual([true, true]);
});
