// Members set in an upstream's own text leave every other byte as it is, also in a text that is larger than a
// caller may send.
import { expect, test } from "bun:test";
import { setInnerMembers, setMembers } from "../index.ts";

/** Blanks and a number of 64 bits, which a text written again would not have. */
const mark = '"n" : 9007199254740993';
const keys = Array.from({ length: 10_001 }, (_, index) => `"k${index}": 1`).join(", ");

test.each([
  ["keys", `{${mark}, "inner": {${keys}}}`],
  ["commas", `{${mark}, "list": [${"0,".repeat(250_001)}0]}`],
  ["levels", `{${mark}, "list": ${"[".repeat(65)}${"]".repeat(65)}}`],
])("with more %s than a body may have, only what is set changes", (_, text) => {
  const set = { added: '"x"' };
  const changed = `${text.slice(0, -1)},"added":"x"}`;
  expect(setMembers(text, set)).toBe(changed);
  const event = `{"a": 1, "response": ${text}}`;
  expect(setInnerMembers(event, "response", set)).toBe(`{"a": 1, "response": ${changed}}`);
});

test("docs/compatibility.md says so", async () => {
  const page = await Bun.file(`${import.meta.dir}/../../../../docs/compatibility.md`).text();
  expect(page.replaceAll("\n", " ")).toContain("keep their bytes, whatever their size");
});
