import { afterEach, expect, test } from "bun:test";
import { numberFormat } from "./locale.ts";

afterEach(() => void Reflect.deleteProperty(navigator, "language"));

test("numbers are formatted as the browser states, and as American where it states no locale", () => {
  for (const [value, number] of [
    ["de-DE", "1.234,5"],
    ["en-US@posix", "1,234.5"],
    ["", "1,234.5"],
  ] as const) {
    Object.defineProperty(navigator, "language", { value, configurable: true });
    expect([value, numberFormat({}).format(1_234.5)]).toEqual([value, number]);
  }
});
