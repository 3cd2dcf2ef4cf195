// The depth of JSON: of brackets that open something, not of those within strings.
import { expect, test } from "bun:test";
import { isNestedDeeper } from "./json-depth.ts";

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

test.each([
  ["as many levels as may be", nested(64), false],
  ["one more", nested(65), true],
  ["thirty thousand that are never closed", `{"name":${"[".repeat(30_000)}`, true],
  ["objects and arrays together", '{"a":['.repeat(33), true],
  ["many, one after the other", "[],".repeat(1_000), false],
  ["brackets in a string", `{"a":"${"[".repeat(100)}"}`, false],
  ["brackets behind an escaped quote", `{"a":"\\"${"[".repeat(100)}"}`, false],
  ["brackets behind an escaped backslash", `{"a":"\\\\","b":${nested(64)}}`, true],
  ["a string that does not end", `"${"[".repeat(100)}`, false],
])("%s", (_, text, isDeeper) => {
  expect(isNestedDeeper(text)).toBe(isDeeper);
});
