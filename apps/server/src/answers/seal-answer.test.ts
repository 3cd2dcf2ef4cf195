// What a reader of the table learns of a stored request: nothing that a guess of its text could be compared with.
import { expect, test } from "bun:test";
import { hashRequest } from "./seal-answer.ts";

const texts = ["chat", "openai", '{"model":"test/cheap","messages":[]}'] as const;

test("the hash of a request is the same for the same key and text, and cannot be made without the key", () => {
  const hash = hashRequest("sk-tp-one", ...texts).toHex();
  expect(hashRequest("sk-tp-one", ...texts).toHex()).toBe(hash);
  expect(hashRequest("sk-tp-two", ...texts).toHex()).not.toBe(hash);
  const unkeyed = new Bun.CryptoHasher("sha256").update(texts.join("\0")).digest("hex");
  expect(hash).not.toBe(unkeyed);
});
