// ElevenLabs and Deepgram, asked for speech and transcripts as OpenAI's clients do: billed by characters and seconds, captions made
// of their words, and refused by name where they have nothing like what is asked.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { elevenLabsVoices, wavFile } from "@turnpike/testing";
import {
  at,
  expectCleanBooks,
  openAccount,
  postJson,
  providerKey,
  readJson,
  readMoney,
  startTestServer,
  waitForSettled,
} from "../harness/index.ts";

const models = (provider: string, speech: string, transcription: string) => `
  - id: ${provider}/speech
    operation: speech
    routes: [{ provider: ${provider}, model: ${speech} }]
    prices: { characters: "40" }
  - id: ${provider}/transcription
    operation: transcription
    capabilities: [timestamps]
    routes: [{ provider: ${provider}, model: ${transcription} }]
    prices: { audioMinute: "0.006" }`;

const catalog = (baseUrl: string) => `
providers:
  - { id: elevenlabs, baseUrl: "${baseUrl}", apiKey: "${providerKey}" }
  - { id: deepgram, baseUrl: "${baseUrl}", apiKey: "${providerKey}" }
models:${models("elevenlabs", "eleven_flash_v2_5", "scribe_v1")}${models("deepgram", "aura-2", "nova-3")}
`;

const server = await startTestServer({ catalog });
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const spent = async (id: Parameters<typeof readMoney>[1]) => {
  expect(await waitForSettled(server)).toBe(0);
  return 10_000_000_000n - (await readMoney(server, id)).balanceNanos;
};
const input = "The quick brown fox jumps over the lazy dog.";
/** 40 USD for a million characters. */
const spokenNanos = BigInt(input.length) * 40_000n;
/** Three seconds at 0.006 USD for a minute. */
const heardNanos = 300_000n;

const voices = { elevenlabs: elevenLabsVoices[0], deepgram: "thalia-en" } as const;
const services = ["elevenlabs", "deepgram"] as const;
type Service = (typeof services)[number];

const speak = (key: string, service: Service, fields: object = {}, init: RequestInit = {}) => {
  const body = { model: `${service}/speech`, input, voice: voices[service], ...fields };
  return postJson(server, key, "/audio/speech", body, init);
};

function transcribe(
  key: string,
  service: Service,
  fields: Readonly<Record<string, string>> = {},
  path = "/audio/transcriptions",
) {
  const form = new FormData();
  form.append("file", new File([new Uint8Array(wavFile({ seconds: 3 }))], "blob"));
  form.append("model", `${service}/transcription`);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const headers = { authorization: `Bearer ${key}` };
  return fetch(`${server.baseUrl}${path}`, { method: "POST", headers, body: form });
}

describe.each(services)("%s", (service) => {
  test.each([
    ["mp3", "audio/mpeg"],
    ["wav", "audio/wav"],
    ["pcm", "audio/pcm"],
    ["opus", "audio/ogg"],
  ] as const)("%s is passed on as it comes, and billed by its characters", async (format, type) => {
    const account = await openAccount(server);
    const response = await speak(account.key, service, { response_format: format });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    const audio = Buffer.from(await response.arrayBuffer());
    expect(audio.length).toBeGreaterThan(500);
    if (format === "wav") {
      expect(audio.toString("latin1", 0, 4)).toBe("RIFF");
      expect(audio.readUInt32LE(24)).toBe(24_000);
    }
    expect(await spent(account.id)).toBe(spokenNanos);
  });

  test("speech in events is the same audio, and the last event says what it cost", async () => {
    const account = await openAccount(server);
    const format = { response_format: "wav" };
    const whole = Buffer.from(await (await speak(account.key, service, format)).arrayBuffer());
    const streamed = await speak(account.key, service, { ...format, stream_format: "sse" });
    const events = (await streamed.text())
      .split("\n\n")
      .filter(Boolean)
      .map((one) => JSON.parse(one.slice(6)));
    const pieces = events.slice(0, -1).map(({ audio }) => Buffer.from(audio, "base64"));
    expect(Buffer.concat(pieces).equals(whole)).toBe(true);
    expect(events.at(-1).usage.cost).toBe(Number(spokenNanos) / 1e9);
  });

  test("audio that breaks off is cut, and costs at most what was spoken", async () => {
    const account = await openAccount(server);
    const text = `${input.repeat(10)} #script ${JSON.stringify({ cutAfterDeltas: 2 })}`;
    const response = await speak(account.key, service, { input: text, response_format: "pcm" });
    expect(await response.arrayBuffer().catch(() => "cut")).toBe("cut");
    const cost = await spent(account.id);
    expect(cost > 0n && cost < BigInt(text.length) * 20_000n).toBe(true);
  });

  test.each([
    ["json", "application/json", /^\{"text":"3 seconds of audio\."/],
    ["text", "text/plain", /^3 seconds of audio\.\n$/],
    ["srt", "text/plain", /^1\n00:00:00,000 --> 00:00:03,000\n3 seconds of audio\.\n/],
    ["vtt", "text/plain", /^WEBVTT\n\n00:00:00\.000 --> 00:00:03\.000\n3 seconds of audio\./],
    ["verbose_json", "application/json", /"segments":\[\{"id":0,"text":"3 seconds of audio\."/],
    ["diarized_json", "application/json", /"speaker":"speaker_0"/],
  ] as const)("a transcript in %s is made of its words", async (format, type, pattern) => {
    const account = await openAccount(server);
    const response = await transcribe(account.key, service, { response_format: format });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toStartWith(type);
    expect(await response.text()).toMatch(pattern);
    expect(await spent(account.id)).toBe(heardNanos);
  });

  test("words are listed with their times where these are asked for", async () => {
    const account = await openAccount(server);
    const fields = { response_format: "verbose_json", "timestamp_granularities[]": "word" };
    const body = await readJson(await transcribe(account.key, service, fields));
    expect(at(body, "words.0")).toEqual({ word: "3", start: 0, end: 0.75 });
    expect(body.usage).toMatchObject({ type: "duration", seconds: 3 });
  });

  test("a transcript without a reported length is billed by the length measured here", async () => {
    const account = await openAccount(server);
    server.upstream.script({ usage: "missing" });
    await (await transcribe(account.key, service)).text();
    server.upstream.script(undefined);
    expect(await spent(account.id)).toBe(heardNanos);
  });

  test("a caller who asks for a stream is sent the text in one event, and the bill", async () => {
    const account = await openAccount(server);
    const text = await (await transcribe(account.key, service, { stream: "true" })).text();
    expect(text).toContain('"type":"transcript.text.delta","delta":"3 seconds of audio."');
    expect(text).toContain('"seconds":3');
  });

  test("an upstream that refuses costs nothing, and is refused in OpenAI's words", async () => {
    const account = await openAccount(server);
    server.upstream.script({ status: 400, error: "corrupt or unsupported data" });
    const response = await transcribe(account.key, service);
    server.upstream.script(undefined);
    const message = String(at(await readJson(response), "error.message"));
    expect([response.status, message]).toEqual([400, "corrupt or unsupported data"]);
    expect(await spent(account.id)).toBe(0n);
  });

  test.each([
    ["a prompt", { prompt: "Ada" }, "/audio/transcriptions", "prompt"],
    ["a translation", {}, "/audio/translations", "model"],
  ])("%s is refused by name, and nothing is sent", async (_what, fields, path, param) => {
    const account = await openAccount(server);
    const before = server.upstream.requests.length;
    const response = await transcribe(account.key, service, fields, path);
    expect([response.status, at(await readJson(response), "error.param")]).toEqual([400, param]);
    expect(server.upstream.requests.length).toBe(before);
    expect(await spent(account.id)).toBe(0n);
  });
});

test("each is sent its own key and address, and the file under its own type", async () => {
  const account = await openAccount(server);
  await (await speak(account.key, "elevenlabs", { speed: 1.1, user: "u" })).arrayBuffer();
  const spoken = server.upstream.requests.at(-1);
  expect(spoken?.path).toBe(
    `/v1/text-to-speech/${elevenLabsVoices[0]}/stream?output_format=mp3_44100_128`,
  );
  expect(spoken?.headers["xi-api-key"]).toBe(providerKey);
  expect(at(spoken?.parsed, "voice_settings.speed")).toBe(1.1);
  await (await transcribe(account.key, "elevenlabs", { language: "en" })).text();
  expect(server.upstream.requests.at(-1)?.parsed).toMatchObject({
    language_code: "en",
    file: { filename: "blob.wav", type: "audio/wav" },
  });
  await (await speak(account.key, "deepgram")).arrayBuffer();
  expect(server.upstream.requests.at(-1)?.path).toBe(
    "/v1/speak?model=aura-2-thalia-en&encoding=mp3",
  );
  await (await transcribe(account.key, "deepgram", { "keywords[]": "Ada" })).text();
  const heard = server.upstream.requests.at(-1);
  expect(heard?.headers).toMatchObject({
    authorization: `Token ${providerKey}`,
    "content-type": "audio/wav",
  });
  expect(heard?.path).toBe(
    "/v1/listen?model=nova-3&smart_format=true&detect_language=true&keyterm=Ada",
  );
  expect(heard?.rawBody.equals(wavFile({ seconds: 3 }))).toBe(true);
});

test.each([
  ["elevenlabs", "a voice that would be another address", { voice: "../voices" }, "voice"],
  ["elevenlabs", "no voice", { voice: null }, "voice"],
  ["elevenlabs", "flac", { response_format: "flac" }, "response_format"],
  ["elevenlabs", "a speed out of its range", { speed: 2 }, "speed"],
  ["deepgram", "a speed", { speed: 1.5 }, "speed"],
] as const)("%s: %s is refused by name", async (service, _what, fields, param) => {
  const account = await openAccount(server);
  const response = await speak(account.key, service, fields);
  expect([response.status, at(await readJson(response), "error.param")]).toEqual([400, param]);
  expect(await spent(account.id)).toBe(0n);
});

test("a client that leaves after the status line pays for the whole text", async () => {
  const account = await openAccount(server);
  const leaving = new AbortController();
  const text = `${input} #script ${JSON.stringify({ tag: "left-audio", gate: true })}`;
  const left = speak(account.key, "elevenlabs", { input: text }, { signal: leaving.signal });
  const seen = await server.upstream.waitFor((request) => request.tag === "left-audio");
  const response = await left;
  leaving.abort();
  await response.arrayBuffer().catch(() => undefined);
  server.upstream.open("left-audio");
  await seen.ended;
  expect(await spent(account.id)).toBe(BigInt(text.length) * 40_000n);
});
