import { expect, test } from "bun:test";
import { lexBounded } from "./lex-bounded.ts";

test("ordinary Markdown is read", () => {
  const tokens = lexBounded("# Title\n\n- one **bold**\n\n| a |\n|---|\n| 1 |\n");
  expect(tokens?.map(({ type }) => type)).toEqual(["heading", "space", "list", "space", "table"]);
});

test.each([
  ["deeper than any text is meant to be", `${">".repeat(60)} deep`],
  [
    "lists in lists in lists",
    Array.from({ length: 40 }, (_, n) => `${"  ".repeat(n)}- x`).join("\n"),
  ],
  ["in more pieces than a page can draw", "*a* ".repeat(6_000)],
  ["a table of too many cells", `|a|\n|---|\n${"|b|\n".repeat(6_000)}`],
  ["longer than a page can hold", "word ".repeat(50_000)],
])("what is %s stays as it was written", (_, text) => {
  expect(lexBounded(text)).toBeUndefined();
});
