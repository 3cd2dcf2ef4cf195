import { afterAll, expect, test } from "bun:test";
import { commentChunk } from "./answer-speech.ts";
import { mp3File, wavFile } from "./audio-files.ts";
import { eventsOf, post, postJson } from "./call-upstream.fixture.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import { startScriptedUpstream } from "./scripted-upstream.ts";

const upstream = await startScriptedUpstream();
afterAll(() => upstream.close());
const path = "/v1/audio/transcriptions";
const said = wavFile({ seconds: 12, before: commentChunk("One two data four five six") });

type Fields = Readonly<Record<string, string | readonly string[]>>;

function form(
  fields: Fields,
  file: Uint8Array | undefined = said,
  filename = "audio.wav",
): FormData {
  const body = new FormData();
  if (!("model" in fields)) body.set("model", "sandbox-transcription");
  for (const [name, value] of Object.entries(fields)) {
    for (const text of typeof value === "string" ? [value] : value) body.append(name, text);
  }
  if (file) body.set("file", new File([new Uint8Array(file)], filename, { type: "audio/wav" }));
  return body;
}

async function json(fields: Fields, file?: Uint8Array, filename?: string) {
  return postJson(upstream, path, form(fields, file, filename));
}

async function text(fields: Fields) {
  const response = await post(upstream, path, form(fields));
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  return response.text();
}

test("the comment of a WAV file is what is said in it, billed by the second", async () => {
  const { answer } = await json({});
  expect(answer).toEqual({
    text: "One two data four five six",
    usage: { type: "duration", seconds: 12 },
  });
});

test("audio without a comment says how long it is", async () => {
  expect((await json({}, wavFile({ seconds: 3 }))).answer.text).toBe("3 seconds of audio.");
  const { answer } = await json({}, mp3File(500), "a.mp3");
  expect(answer.usage).toEqual({ type: "duration", seconds: 18 });
});

test("text, srt and vtt are plain text", async () => {
  expect(await text({ response_format: "text" })).toBe("One two data four five six\n");
  expect(await text({ response_format: "srt" })).toStartWith(
    "1\n00:00:00,000 --> 00:00:05,000\nOne two data\n\n2\n00:00:05,000 -->",
  );
  expect(await text({ response_format: "vtt" })).toStartWith(
    "WEBVTT\n\n00:00:00.000 --> 00:00:05.000\nOne two data\n\n",
  );
});

test("the verbose form has segments, and words where they are asked for", async () => {
  const { answer } = await json({ response_format: "verbose_json" });
  expect(answer).toMatchObject({ task: "transcribe", duration: 12, usage: { seconds: 12 } });
  expect(answer.words).toBeUndefined();
  expect(answer.segments).toMatchObject([
    { id: 0, start: 0, end: 5 },
    { id: 1, start: 5, end: 10 },
    { id: 2, start: 10, end: 12 },
  ]);
  const words = await json({
    response_format: "verbose_json",
    "timestamp_granularities[]": ["word", "segment"],
  });
  expect(words.answer.words).toHaveLength(6);
  expect(words.answer.segments).toHaveLength(3);
});

test("a model with tokens streams words, and its usage at the end", async () => {
  const body = form({
    model: "sandbox-transcription-tokens",
    stream: "true",
    "include[]": "logprobs",
  });
  const events = await eventsOf(await post(upstream, path, body));
  const deltas = events.filter(({ type }) => type === "transcript.text.delta");
  expect(
    deltas
      .map(({ delta }) => delta)
      .join("")
      .trim(),
  ).toBe("One two data four five six");
  expect(deltas[0]?.logprobs).toBeArray();
  expect(events.at(-1)).toMatchObject({
    type: "transcript.text.done",
    usage: { type: "tokens", input_tokens: 120, output_tokens: 7, total_tokens: 127 },
  });
});

test("whisper answers whole when it is asked to stream", async () => {
  expect((await json({ stream: "true" })).answer.text).toStartWith("One");
});

test("two speakers take turns, whole and streamed", async () => {
  const model = "sandbox-transcription-diarize";
  const { answer } = await json({ model, response_format: "diarized_json" });
  const segments = Array.isArray(answer.segments) ? answer.segments.map(fieldsOf) : [];
  expect(segments.map(({ speaker }) => speaker)).toEqual(["A", "B", "A"]);
  const events = await eventsOf(
    await post(upstream, path, form({ model, stream: "true", response_format: "diarized_json" })),
  );
  const streamed = events.filter(({ type }) => type === "transcript.text.segment");
  expect(streamed).toEqual(segments);
});

test("usage is missing or wrong where a script in the prompt says so", async () => {
  const scripted = (script: object) => json({ prompt: `#script ${JSON.stringify(script)}` });
  expect((await scripted({ usage: "missing" })).answer.usage).toBeUndefined();
  const wrong = { type: "duration", seconds: 999 };
  expect((await scripted({ usage: wrong })).answer.usage).toEqual(wrong);
});

test("what is received is recorded byte for byte", async () => {
  await json({ prompt: '#script {"tag":"recorded"}' });
  const request = await upstream.waitFor(({ tag }) => tag === "recorded");
  expect(request.rawBody.includes(said)).toBe(true);
  expect(request.parsed).toMatchObject({ file: { filename: "audio.wav", size: said.length } });
});

test("a translation takes fewer fields", async () => {
  const translated = await postJson(upstream, "/v1/audio/translations", form({}));
  expect(translated.answer.text).toStartWith("One");
  const { error } = await postJson(upstream, "/v1/audio/translations", form({ language: "de" }));
  expect(error.code).toBe("unknown_parameter");
});

const tokens = { model: "sandbox-transcription-tokens" };
test.each<[string, Fields, Uint8Array | undefined, string, number, string | null]>([
  ["no model", { model: [] }, said, "a.wav", 400, "missing_required_parameter"],
  ["a name without an extension", {}, said, "blob", 400, null],
  ["an extension of something else", {}, said, "a.mp3", 400, "invalid_value"],
  ["too short a file", {}, wavFile({ seconds: 0.05 }), "a.wav", 400, "audio_too_short"],
  ["more than 25 MiB", {}, Buffer.alloc(26_214_401), "a.wav", 413, null],
  [
    "a form that the model does not have",
    { ...tokens, response_format: "verbose_json" },
    said,
    "a.wav",
    400,
    "invalid_value",
  ],
  [
    "words in plain JSON",
    { "timestamp_granularities[]": "word" },
    said,
    "a.wav",
    400,
    "invalid_value",
  ],
  [
    "a list without brackets",
    { timestamp_granularities: "word" },
    said,
    "a.wav",
    400,
    "invalid_type",
  ],
  ["a field twice", { language: ["de", "en"] }, said, "a.wav", 400, "duplicate_parameter"],
  ["a temperature that is no number", { temperature: "warm" }, said, "a.wav", 400, "invalid_type"],
  ["an unknown field", { diarize: "true" }, said, "a.wav", 400, "unknown_parameter"],
  [
    "long speech of several speakers without chunks",
    { model: "x-diarize" },
    wavFile({ seconds: 31 }),
    "a.wav",
    400,
    "invalid_value",
  ],
])("%s is refused", async (_, fields, file, filename, status, code) => {
  const refused = await json(fields, file, filename);
  expect([refused.status, refused.error.code]).toEqual([status, code]);
});

test("a form without a file is refused, and so is what is no form", async () => {
  const body = form({});
  body.delete("file");
  expect((await postJson(upstream, path, body)).error.param).toBe("file");
  expect((await postJson(upstream, path, { model: "m" })).status).toBe(415);
});
