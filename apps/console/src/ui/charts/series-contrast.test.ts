// Each color that a chart draws with stands out from the card behind it, in both themes: at least 3 : 1,
// as WCAG 2.2 (1.4.11) requires of graphics.
import { expect, test } from "bun:test";

const css = await Bun.file(new URL("../../tokens.css", import.meta.url)).text();
const leastContrast = 3;
const drawn = [
  ...[1, 2, 3, 4, 5, 6, "other"].map((name) => `--series-${name}`),
  "--success",
  "--danger",
  "--muted",
];

function tokensOf(selector: string): ReadonlyMap<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf("}", start));
  return new Map(
    [...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
}

const light = tokensOf(":root");
const dark = tokensOf(':root[data-theme="dark"]');

/** Of a `#rrggbb`, followed through variables; the dark theme inherits what it does not set. */
function luminanceOf(tokens: ReadonlyMap<string, string>, name: string): number {
  const value = tokens.get(name) ?? light.get(name) ?? "";
  const variable = /^var\((--[\w-]+)\)$/.exec(value)?.[1];
  if (variable !== undefined) return luminanceOf(tokens, variable);
  const digits = /^#([0-9a-f]{6})$/.exec(value)?.[1];
  if (digits === undefined) throw new Error(`${name} is ${value}, not a color`);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(tokens: ReadonlyMap<string, string>, color: string, behind: string): number {
  const [lower = 0, higher = 0] = [
    luminanceOf(tokens, color),
    luminanceOf(tokens, behind),
  ].toSorted((a, b) => a - b);
  return (higher + 0.05) / (lower + 0.05);
}

test.each([
  ["light", light],
  ["dark", dark],
])("every color of a chart is visible on its card, %s", (_, tokens) => {
  expect(contrastOf(tokens, "--text", "--bg")).toBeGreaterThan(7);
  for (const color of drawn) {
    expect([color, contrastOf(tokens, color, "--bg") >= leastContrast]).toEqual([color, true]);
  }
});
