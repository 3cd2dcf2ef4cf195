import { expect, test } from "bun:test";
import { parseChatRequest } from "./parse-chat-request.ts";

const audio = { voice: "alloy", format: "mp3" };

test.each<[object, boolean | undefined]>([
  [{ modalities: ["text", "audio"], audio }, true],
  [{ audio }, true],
  [{ modalities: ["text"], audio }, true],
  [{ modalities: ["text"], web_search_options: {} }, false],
  [{ audio: null, web_search_options: {} }, false],
])("an answer may be audio if a voice or audio is asked for: %j is %p", (fields, expected) => {
  const messages = [{ role: "user", content: "Hi" }];
  const { extras } = parseChatRequest(JSON.stringify({ model: "m", messages, ...fields }));
  expect(extras?.answersIn).toBe(expected ? "audio" : "text");
});
