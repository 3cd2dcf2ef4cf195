import { expect, test } from "bun:test";
import { createTexts } from "./create-texts.ts";

const t = createTexts({
  keys: {
    hello: "Hello {name}, {name}",
    count: { one: "{count} key", other: "{count} keys" },
  },
});

test("parameters are filled in and plurals follow the count", () => {
  expect(t("keys.hello", { name: "<b>Ada</b>" })).toBe("Hello <b>Ada</b>, <b>Ada</b>");
  expect([0, 1, 2].map((count) => t("keys.count", { count }))).toEqual([
    "0 keys",
    "1 key",
    "2 keys",
  ]);
});

test("a missing parameter fails instead of showing a gap", () => {
  expect(() => t("keys.hello")).toThrow("keys.hello needs {name}");
});
