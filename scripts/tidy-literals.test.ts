// Literals are written as the formatter writes them: no array or object is spread where its members could stand, and a
// file without a limit of lines is one literal of data and nothing else.
import { expect, test } from "bun:test";
import { listFiles, readSource, readSources, withoutComments } from "./tidy/read-sources.ts";

const token = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\.\.\.|[\w$]+|[^\s\w$]/g;
const closings: Readonly<Record<string, string>> = { "[": "]", "{": "}", "(": ")" };

/** How many spreads stand before a whole literal of the same kind as the one around them. */
function countSpreadLiterals(text: string): number {
  const tokens = withoutComments(text).match(token) ?? [];
  return tokens.filter((word, at) => word === "..." && isSpreadLiteral(tokens, at)).length;
}

function isSpreadLiteral(tokens: readonly string[], spread: number): boolean {
  const isWrapped = tokens[spread + 1] === "(";
  const opening = tokens[spread + (isWrapped ? 2 : 1)];
  if (opening !== "[" && opening !== "{") return false;
  // A rest parameter has a pattern there, followed by its type; a list that is mapped is followed by a dot.
  return [",", "]", "}", ")"].includes(tokens[endOf(tokens, spread + 1) + 1] ?? "");
}

/** Of the literal that begins at this token: its last token. */
function endOf(tokens: readonly string[], opening: number): number {
  let depth = 0;
  for (let at = opening; at < tokens.length; at += 1) {
    const word = tokens[at] ?? "";
    if (word in closings) depth += 1;
    else if (Object.values(closings).includes(word)) depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

/** Whether the file has one statement beside imports and types, and that assigns a literal without a function in it. */
function isOneLiteral(text: string): boolean {
  const code = withoutComments(text);
  const statements = code.match(/^(?:export )?(?:const|function|class|let|async|if|for|test)\b/gm);
  return statements?.length === 1 && /^export const [^=]+= [[{]/m.test(code) && !/=>/.test(code);
}

test("no literal is spread into another literal of its kind", () => {
  const wrong = readSources()
    .filter(({ path }) => path !== "scripts/tidy-literals.test.ts")
    .map(({ path, text }) => `${path}: ${countSpreadLiterals(text)}`);
  expect(wrong.filter((line) => !line.endsWith(": 0"))).toEqual([]);
});

test("a spread literal is found, and a spread of a call or of a list that differs is not", () => {
  expect(countSpreadLiterals('[\n  ...["a", f("]")],\n  ...(["b"] as const),\n]')).toBe(2);
  expect(countSpreadLiterals("({ ...{ a: 1 }, b })")).toBe(1);
  expect(countSpreadLiterals("f(...[1, 2])")).toBe(1);
  const others = [
    '[...["a"].map(f), ...a]',
    "({ ...(b ? { c } : {}), ...{ a }[b] })",
    '[...(["a"] as const).map(f)]',
    "(...[a, b]: readonly number[]) => a",
    '["...", // ...["a"],\n]',
  ];
  for (const text of others) expect([text, countSpreadLiterals(text)]).toEqual([text, 0]);
});

test("files without a limit of lines are one literal of data", () => {
  const { overrides } = JSON.parse(readSource("biome.json").text) as {
    overrides: { includes: string[]; linter: { rules: { style?: Record<string, unknown> } } }[];
  };
  const patterns = overrides
    .filter(({ linter }) => linter.rules.style?.noExcessiveLinesPerFile === "off")
    .flatMap(({ includes }) => includes);
  const files = listFiles(...patterns).map(readSource);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter(({ text }) => !isOneLiteral(text)).map(({ path }) => path)).toEqual([]);
});

test("a file with a function or a second constant is more than one literal", () => {
  expect(
    isOneLiteral('// Data.\nimport type { A } from "./a.ts";\nexport const a = [\n  1,\n];'),
  ).toBe(true);
  expect(isOneLiteral("export const a = [1];\nconst b = 1;")).toBe(false);
  expect(isOneLiteral("export const a = { f: () => 1 };")).toBe(false);
  expect(isOneLiteral("export const a = read();")).toBe(false);
});
