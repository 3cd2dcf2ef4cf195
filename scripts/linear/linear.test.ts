// Texts from customers, upstreams and models are matched on the one thread that serves every request, so no
// regular expression may need more than linear work. Its steps on generated worst cases are counted, not timed.
import { expect, test } from "bun:test";
import { collectExpressions } from "./collect-expressions.ts";
import { countWork, parseExpression } from "./count-work.ts";
import { pumpsOf } from "./pump-inputs.ts";

const lengthChars = 500;
/** Twice the text means twice the work; a quadratic expression needs four times as much. */
const growthMax = 3;
const slackSteps = 1_000;
const budget = 600_000;

/** The first worst case whose work outgrows its length. */
function findExplosion(source: string, flags: string): string | undefined {
  const literal = parseExpression(source, flags);
  return pumpsOf(literal).find(({ write }) => {
    const once = countWork(literal, write(lengthChars), budget);
    const twice = countWork(literal, write(2 * lengthChars), growthMax * budget);
    return once > budget || twice > growthMax * once + slackSteps;
  })?.name;
}

test.each([
  ["\\s+$", "g"],
  ["[\\w.+-]+@[\\w-]+\\.[\\w.-]+", "g"],
  ["^(a+)+$", ""],
  ["^(?:a|aa)+$", ""],
  ["0+$", ""],
  ['"(?:\\\\.|[^"\\\\])*"', "y"],
  ["\\b[\\w.-]+\\.(?:internal|local)\\b", "gi"],
  ["^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$", ""],
  ["\\b(?:org|team)[-_][\\w-]*\\d[\\w-]*", "gi"],
  ["\\nparams: [\\s\\S]*?(?=\\n {4}at |$)x", "g"],
])("an expression with more than linear work is found: /%s/%s", (source, flags) => {
  expect(findExplosion(source, flags)).toBeString();
});

test.each([
  ["^a+$", ""],
  ["[^,]+", "g"],
  ["\\s{1,20}$", "g"],
  ["^(?:abc|abd)*$", ""],
])("a linear expression passes: /%s/%s", (source, flags) => {
  expect(findExplosion(source, flags)).toBeUndefined();
});

const { literals, built } = collectExpressions();

test("every expression of the product takes linear work", () => {
  expect(literals.length).toBeGreaterThan(100);
  const explosive = literals.flatMap(({ at, source, flags }) => {
    const pump = findExplosion(source, flags);
    return pump === undefined ? [] : `${at} /${source}/${flags} on ${pump}`;
  });
  expect(explosive).toEqual([]);
}, 900_000);

test("no expression of the product is built at run time", () => {
  expect(built).toEqual([]);
});
