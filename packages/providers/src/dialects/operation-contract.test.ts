// What every dialect of images, speech and transcripts keeps to with whatever its upstream answers: an answer is read whole, or
// refused with a Fault, and one that was cut is never taken for a whole one.
import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import type { ParsedRequest } from "@turnpike/wire";
import type { Provider, UpstreamCall } from "../provider.ts";
import { dialectOf } from "./dialect-of.ts";
import { geminiCall } from "./gemini/sample-response.fixture.ts";
import {
  answer,
  imageCall,
  inline,
  speechCall,
  transcriptionCall,
} from "./gemini-operations/sample-operations.fixture.ts";
import { sampleProvider } from "./openai/sample-call.fixture.ts";

const google = geminiCall().provider;
const { kind: _, ...shared } = google;
const elevenlabs: Provider = { ...shared, kind: "elevenlabs" };
const deepgram: Provider = { ...shared, kind: "deepgram" };
const verbose = { response_format: "verbose_json" };

const withProvider = (call: UpstreamCall, provider: Provider): UpstreamCall => ({
  ...call,
  provider,
});
const counts = { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 };
const word = { word: "hi", punctuated_word: "Hi.", start: 0, end: 1, speaker: 0 };

const answers: readonly (readonly [string, UpstreamCall, string])[] = [
  [
    "Gemini's images",
    imageCall(),
    answer({ content: { parts: [inline("image/png", "an image")] }, finishReason: "STOP" }, counts),
  ],
  [
    "Gemini's speech",
    speechCall(),
    answer({ content: { parts: [inline("audio/L16", "sound")] }, finishReason: "STOP" }, counts),
  ],
  [
    "Gemini's transcripts",
    transcriptionCall(),
    answer({ content: { parts: [{ text: "Hi." }] }, finishReason: "STOP" }, counts),
  ],
  [
    "transcripts of ElevenLabs",
    withProvider(transcriptionCall(verbose), elevenlabs),
    JSON.stringify({ text: "Hi.", words: [{ ...word, text: "Hi.", type: "word" }] }),
  ],
  [
    "transcripts of Deepgram",
    withProvider(transcriptionCall(verbose), deepgram),
    JSON.stringify({
      metadata: { duration: 1 },
      results: { channels: [{ alternatives: [{ transcript: "Hi.", words: [word] }] }] },
    }),
  ],
  [
    "images of OpenRouter",
    withProvider(imageCall(), sampleProvider("openrouter")),
    JSON.stringify({ created: 1, data: [{ b64_json: "AAAA", media_type: "image/png" }] }),
  ],
];

function read(call: UpstreamCall<ParsedRequest>, text: string): "answer" | "fault" {
  try {
    dialectOf(call).parseWhole(call, text, new Headers());
    return "answer";
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return "fault";
  }
}

/** Every value of `json` once replaced by something of another type. */
function* wrongTypes(json: unknown): Generator<unknown> {
  for (const other of [null, 7, "text", [], {}, true, [null], [[]]]) yield other;
  if (Array.isArray(json)) {
    for (const [index, item] of json.entries()) {
      for (const wrong of wrongTypes(item)) yield json.with(index, wrong);
    }
  } else if (typeof json === "object" && json !== null) {
    for (const [name, member] of Object.entries(json)) {
      for (const wrong of wrongTypes(member)) yield { ...json, [name]: wrong };
    }
  }
}

test.each(answers)(
  "%s: one that is whole is read, one that was cut anywhere is refused",
  (_, call, text) => {
    expect(read(call, text)).toBe("answer");
    for (let end = 0; end < text.length; end += 1)
      expect(read(call, text.slice(0, end))).toBe("fault");
  },
);

test.each(answers)(
  "%s: values of other types are read or refused, and break nothing",
  (_, call, text) => {
    let count = 0;
    for (const wrong of wrongTypes(JSON.parse(text))) {
      read(call, JSON.stringify(wrong));
      const members = typeof wrong === "object" && wrong !== null ? { ...wrong } : undefined;
      try {
        dialectOf(call).parseUnread(call, members, new Headers());
      } catch (thrown) {
        if (!(thrown instanceof Fault)) throw thrown;
      }
      count += 1;
    }
    expect(count).toBeGreaterThan(40);
  },
);

test.each(answers)("%s: the same call is sent the same way every time", (_, call) => {
  const { path, body, ignored } = dialectOf(call).buildRequest(call);
  expect(dialectOf(call).buildRequest(call)).toMatchObject({ path, body, ignored });
});
