// Media at addresses that do not show what they are: what the caller says of them decides how they are sent and priced.
import { expect, test } from "bun:test";
import { isObject } from "@turnpike/base";
import { languageProtocol } from "../ai-gateway/language-protocol.ts";
import type { ChatRequest } from "../chat/parse-chat-request.ts";
import { parseGeminiRequest } from "../gemini/parse-gemini-request.ts";
import { parseInteractionsRequest } from "../interactions/parse-interactions-request.ts";

const url = "https://example.com/download?id=7";

function ofInteraction(type: string): ChatRequest {
  return parseInteractionsRequest(JSON.stringify({ model: "a/b", input: [{ type, uri: url }] }));
}

function ofAiSdk(mediaType: string): ChatRequest {
  const file = { type: "file", mediaType, data: { type: "url", url } };
  const body = JSON.stringify({ prompt: [{ role: "user", content: [file] }] });
  const protocol = languageProtocol({ model: "a/b", specification: 4, stream: false });
  return protocol.parse(body, new Headers());
}

function partOf({ parsed: { messages } }: ChatRequest): unknown {
  const [first]: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const content = isObject(first) ? first.content : undefined;
  return Array.isArray(content) ? content[0] : undefined;
}

test("an image is an image, and not a document", () => {
  for (const request of [ofInteraction("image"), ofAiSdk("image"), ofAiSdk("image/*")]) {
    expect(partOf(request)).toEqual({ type: "image_url", image_url: { url } });
    expect(request).toMatchObject({ imageCount: 1, fileCount: 0 });
  }
});

test("a video is known as one, which no model has a price for", () => {
  for (const { priceChanging } of [
    ofInteraction("video"),
    ofAiSdk("video"),
    ofAiSdk("video/mp4"),
  ]) {
    expect(priceChanging).toEqual([{ kind: "member", name: "messages[0].content[0].video_url" }]);
  }
});

test("audio is priced as audio, in every language", () => {
  const fileData = { fileUri: url, mimeType: "audio/ogg" };
  const body = JSON.stringify({ model: "a/b", contents: [{ parts: [{ fileData }] }] });
  for (const { priceChanging, extras } of [
    ofInteraction("audio"),
    ofAiSdk("audio"),
    ofAiSdk("audio/flac"),
    parseGeminiRequest(body),
  ]) {
    expect(priceChanging).toEqual([{ kind: "field", name: "input_audio" }]);
    expect(extras?.audioSeconds).toBe(Number.POSITIVE_INFINITY);
  }
});
