// The names under which a model sees the tools of a response.
import { expect, test } from "bun:test";
import { chatNameOf } from "./offered-tools.ts";

test("a name of 64 characters stays, a longer one is shortened and ends with eight digits of its hash", () => {
  const name = "n".repeat(64);
  expect(chatNameOf(undefined, name)).toBe(name);
  const longer = [`${name}a`, `${name}b`].map((long) => chatNameOf(undefined, long));
  for (const short of longer) expect(short).toMatch(/^n{55}_[0-9a-f]{8}$/);
  expect(new Set(longer).size).toBe(2);
});
