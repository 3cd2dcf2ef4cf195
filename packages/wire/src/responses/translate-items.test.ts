// What one turn of the model says becomes plain text only where nothing of it is lost.
import { expect, test } from "bun:test";
import { translateItems } from "./translate-items.ts";

/** The content of the message that an assistant's item with these parts becomes. */
function contentOf(...content: object[]): unknown {
  return translateItems(undefined, [{ role: "assistant", content }]).messages[0]?.content;
}

const said = (text: string) => ({ type: "output_text", text, annotations: [] });

test("one text is a plain string", () => {
  expect(contentOf(said("one"))).toBe("one");
});

test("two texts of one item stay two parts", () => {
  expect(contentOf(said("one"), said("two"))).toEqual([
    { type: "text", text: "one" },
    { type: "text", text: "two" },
  ]);
});

test("a refusal alone stays a refusal", () => {
  expect(contentOf({ type: "refusal", refusal: "no" })).toEqual([
    { type: "refusal", refusal: "no" },
  ]);
});

test("a text with a mark for the cache keeps the mark", () => {
  const mark = { cache_control: { type: "ephemeral" } };
  expect(contentOf({ ...said("one"), ...mark })).toEqual([{ type: "text", text: "one", ...mark }]);
});
