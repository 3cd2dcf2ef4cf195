import { expect, test } from "bun:test";
import { parseAnyRequest } from "./parse-any-request.ts";

const isChat = () => "chat" as const;
/** Of 12,000 keys, more than a chat completion may have. */
const blocks = Array.from({ length: 6_000 }, () => ({ type: "text", text: "a" }));

function parse(body: object, headers: Record<string, string> = {}) {
  return parseAnyRequest(JSON.stringify(body), new Headers(headers), isChat);
}

test("a body that /v1/messages takes is read whatever the bounds of chat completions are", () => {
  const body = { model: "m", max_tokens: 1, messages: [{ role: "user", content: blocks }] };
  const asked = parse(body, { "anthropic-version": "2023-06-01" });
  expect(asked.language).toBe("anthropic-messages");
  expect(() => parse(body)).toThrow("has more than 10000 keys");
});
