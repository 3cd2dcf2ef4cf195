// Speech and transcriptions of Gemini: what the model is told, what becomes of its samples and its text, and how they are billed.
import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { geminiSpeechDialect } from "./gemini-speech-dialect.ts";
import { geminiTranscriptionDialect } from "./gemini-transcription-dialect.ts";
import {
  answer,
  inline,
  speechCall,
  transcriptionCall,
  uploadedFile,
} from "./sample-operations.fixture.ts";

function codeOf(run: () => unknown): unknown {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof Fault) return [thrown.code, thrown.details.param];
    throw thrown;
  }
  return "nothing was thrown";
}

test("a voice and instructions are sent as Gemini's", () => {
  const fields = { voice: { id: "Kore" }, instructions: "Say cheerfully" };
  const { path, body, ignored } = geminiSpeechDialect.buildRequest(speechCall(fields));
  expect(path).toBe("/models/gemini-2.5-flash-preview-tts:generateContent");
  expect(JSON.parse(body)).toEqual({
    contents: [{ role: "user", parts: [{ text: "Say cheerfully: Hello" }] }],
    generationConfig: {
      responseModalities: ["AUDIO"],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: "Kore" } } },
    },
  });
  expect(ignored).toEqual([]);
});

const spoken = {
  promptTokenCount: 4,
  candidatesTokenCount: 30,
  thoughtsTokenCount: 5,
  totalTokenCount: 39,
};

test.each([
  ["audio/L16;codec=pcm;rate=16000", 16_000],
  ["audio/pcm", 24_000],
])("samples of the type %s are a WAV file of %p a second", (type, rate) => {
  const parts = [inline(type, "abcd"), inline(type, "efgh")];
  const whole = geminiSpeechDialect.parseWhole(
    speechCall(),
    answer({ content: { parts }, finishReason: "STOP" }, spoken),
    new Headers(),
  );
  if (whole.content.kind !== "audio") throw new Error("expected audio");
  const file = Buffer.from(whole.content.bytes);
  expect(file.toString("latin1", 0, 16)).toBe("RIFF\x2c\0\0\0WAVEfmt ");
  expect([file.readUInt32LE(24), file.readUInt32LE(28)]).toEqual([rate, 2 * rate]);
  expect(file.toString("latin1", 36)).toBe("data\x08\0\0\0abcdefgh");
  expect(whole.usage).toMatchObject({ completionTokens: 35, audioCompletionTokens: 30 });
});

test("an answer without audio is none, and a text that was filtered is refused", () => {
  const parse = (candidate: Readonly<Record<string, unknown>>) => () =>
    geminiSpeechDialect.parseWhole(speechCall(), answer(candidate, spoken), new Headers());
  expect(codeOf(parse({ finishReason: "STOP" }))).toEqual(["bad_gateway", undefined]);
  expect(codeOf(parse({ finishReason: "OTHER" }))).toEqual(["bad_gateway", undefined]);
  expect(codeOf(parse({ finishReason: "PROHIBITED_CONTENT" }))).toEqual([
    "content_filter",
    "input",
  ]);
});

test("a file to write down is sent as base64 after what the model is told", async () => {
  const fields = { prompt: "Ada Lovelace", language: "en", seed: 5, diarize: true };
  const call = transcriptionCall(fields, uploadedFile("audio/mpeg", "ID3 some audio"));
  const { upload, ignored } = geminiTranscriptionDialect.buildRequest(call);
  if (upload === undefined) throw new Error("expected an upload");
  const sent = JSON.parse(await new Response(upload.stream()).text());
  const [told, file] = sent.contents[0].parts;
  expect(told.text).toEndWith("spoken is en. Names and words that may occur: Ada Lovelace");
  expect(file).toEqual(inline("audio/mpeg", "ID3 some audio"));
  expect(sent.generationConfig).toEqual({ maxOutputTokens: 1_000, seed: 5 });
  expect(ignored).toEqual(["diarize"]);
});

const heard = {
  promptTokenCount: 120,
  candidatesTokenCount: 9,
  totalTokenCount: 129,
  promptTokensDetails: [
    { modality: "TEXT", tokenCount: 24 },
    { modality: "AUDIO", tokenCount: 96 },
  ],
};
const parseHeard = (text: string, finishReason: string) =>
  geminiTranscriptionDialect.parseWhole(
    transcriptionCall(),
    answer({ content: { parts: [{ text }] }, finishReason }, heard),
    new Headers(),
  );

test("a transcript is the text without white space around it, billed by its audio tokens", () => {
  const whole = parseHeard(" Hello.\n", "STOP");
  expect(whole.content).toMatchObject({ kind: "transcript", text: "Hello." });
  expect(whole.usage).toMatchObject({
    promptTokens: 120,
    audioPromptTokens: 96,
    completionTokens: 9,
  });
});

test("half of a transcript is none, and neither is an empty one", () => {
  expect(codeOf(() => parseHeard("Hello, and", "MAX_TOKENS"))).toEqual(["bad_gateway", undefined]);
  expect(codeOf(() => parseHeard(" ", "STOP"))).toEqual(["bad_gateway", undefined]);
  expect(codeOf(() => parseHeard("", "RECITATION"))).toEqual(["content_filter", "file"]);
});

test.each(["srt", "vtt", "verbose_json", "diarized_json"])(
  "%s needs times and is refused",
  (format) => {
    const call = transcriptionCall({ response_format: format });
    const fault = geminiTranscriptionDialect.whyUntranslatable?.(call, call.request);
    expect(fault?.details.param).toBe("response_format");
  },
);
