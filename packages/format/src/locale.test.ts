import { afterEach, expect, test } from "bun:test";
import { formatDuration } from "./count.ts";
import { numberFormat, setLanguage } from "./locale.ts";

afterEach(() => setLanguage(() => "en-US"));

test("numbers are formatted as the browser states, and as American where it states no locale", () => {
  for (const [value, number] of [
    ["de-DE", "1.234,5"],
    ["en-US@posix", "1,234.5"],
    ["", "1,234.5"],
  ] as const) {
    setLanguage(() => value);
    expect([value, numberFormat({}).format(1_234.5)]).toEqual([value, number]);
  }
});

test("the least duration that is shown is written as others are", () => {
  setLanguage(() => "de-DE");
  expect([0.04, 0.65].map(formatDuration)).toEqual(["<0,1 ms", "0,7 ms"]);
});
