import { expect, test } from "bun:test";
import { chatProtocol, embeddingsProtocol, messagesProtocol, responsesProtocol } from "../index.ts";
import { appOf, endUserOf } from "./name-caller.ts";

const referer = "https://app.example.com:8443/chat?secret=1#place";

test.each<[string, Record<string, string>, string | undefined]>([
  ["no header", {}, undefined],
  ["OpenRouter's title first", { "x-openrouter-title": "One", "x-title": "Two" }, "One"],
  ["the older title", { "x-title": "Two", "http-referer": referer }, "Two"],
  [
    "else the host of the referer, and nothing else of it",
    { "http-referer": referer },
    "app.example.com:8443",
  ],
  [
    "an empty title",
    { "x-openrouter-title": "", "x-title": " ", "http-referer": referer },
    "app.example.com:8443",
  ],
  ["the host of an app", { "http-referer": "app://obsidian.md/index.html" }, "obsidian.md"],
  ["a referer that is no URL", { "http-referer": "my app" }, undefined],
  ["a referer without a host", { "http-referer": "mailto:a@example.com" }, undefined],
  ["a long title", { "x-title": "t".repeat(101) }, "t".repeat(100)],
  ["a long host", { "http-referer": `https://${"h".repeat(120)}/` }, "h".repeat(100)],
])("the app of a call: %s", (_, headers, app) => {
  expect(appOf(new Headers(headers))).toBe(app);
});

const headers = new Headers();
const parse = {
  chat: (more: object) =>
    chatProtocol.parse(
      JSON.stringify({ model: "m", messages: [{ role: "user", content: "a" }], ...more }),
      headers,
    ),
  responses: (more: object) =>
    responsesProtocol.parse(JSON.stringify({ model: "m", input: "a", ...more }), headers),
  messages: (more: object) =>
    messagesProtocol.parse(
      JSON.stringify({
        model: "m",
        max_tokens: 5,
        messages: [{ role: "user", content: "a" }],
        ...more,
      }),
      headers,
    ),
  embeddings: (more: object) =>
    embeddingsProtocol.parse(JSON.stringify({ model: "m", input: "a", ...more }), headers),
};

test.each<[keyof typeof parse, object, string | undefined]>([
  ["chat", { user: "u" }, "u"],
  ["chat", { safety_identifier: "s" }, "s"],
  ["chat", { user: "u".repeat(129) }, "u".repeat(128)],
  ["chat", { user: "" }, undefined],
  ["chat", { user: null }, undefined],
  ["chat", { metadata: { user_id: "u" } }, undefined],
  ["responses", { user: "u", safety_identifier: "s" }, "u"],
  ["responses", { safety_identifier: "s" }, "s"],
  ["messages", { metadata: { user_id: '{"device": "d"}' } }, '{"device": "d"}'],
  ["messages", { metadata: {} }, undefined],
  ["embeddings", { user: "u" }, "u"],
  ["embeddings", {}, undefined],
])("the user of a request for %s with %j", (name, more, user) => {
  expect(endUserOf(parse[name](more))).toBe(user);
});
