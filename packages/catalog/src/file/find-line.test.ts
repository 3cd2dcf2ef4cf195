// The line of a mistake: where an editor shows it.
import { expect, test } from "bun:test";
import { createLineFinder } from "./find-line.ts";

const text = `# a comment
providers:
  - id: a
    baseUrl: "http://127.0.0.1"
models:
  - &first
    id: x/one
    prices:
      input: "1"
  - { id: x/two, prices: { input: 2 } }
  - *first
`;

test.each([
  ["providers[0].baseUrl", 4],
  ["models[0].prices.input", 9],
  ["models[1].prices.input", 10],
  // What is missing is at what should have it.
  ["models[0].prices.output", 8],
  ["models[0].contextTokens", 7],
  ["providers[0].nested.deep", 3],
  ["models[7]", 5],
  ["line 12, column 3", 12],
  ["", null],
  ["elsewhere", null],
] as const)("%s is on line %p", (path, line) => {
  expect(createLineFinder(text)(path)).toBe(line);
});

test("a text that is no YAML has lines only where its mistakes name them", () => {
  const find = createLineFinder("models: [\n  - {");
  expect(find("line 2, column 3")).toBe(2);
  expect(find("models")).toBe(1);
});
