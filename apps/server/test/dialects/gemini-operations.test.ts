// Images, speech and transcriptions of models behind Gemini's API, asked for as OpenAI's clients do: billed by Google's counts of
// each kind of token, and refused by name where Gemini has no word for what is asked.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  geminiHeardTokensPerSecond,
  geminiImageTokens,
  geminiReferenceTokens,
  geminiSpokenTokensPerSecond,
  smallImage,
  speechSecondsOf,
  wavFile,
} from "@turnpike/testing";
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

const catalog = (baseUrl: string) => `
providers:
  - { id: scripted, kind: google, baseUrl: "${baseUrl}beta", apiKey: "${providerKey}" }
models:
  - id: google/image
    operation: image
    inputImages: 3
    outputTokens: { any: 1300 }
    routes: [{ provider: scripted, model: gemini-image }]
    prices: { input: "1", imageInput: "2", output: "3", imageOutput: "30" }
  - id: google/speech
    operation: speech
    voices: [Kore, Puck]
    routes: [{ provider: scripted, model: gemini-tts }]
    prices: { input: "1", output: "10", audioOutput: "20" }
  - id: google/transcription
    operation: transcription
    routes: [{ provider: scripted, model: gemini-transcribe }]
    prices: { input: "1", audioInput: "3", output: "5" }
`;

const server = await startTestServer({ catalog });
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const spent = async (id: Parameters<typeof readMoney>[1]) => {
  expect(await waitForSettled(server)).toBe(0);
  return 10_000_000_000n - (await readMoney(server, id)).balanceNanos;
};
const prompt = "a lighthouse";
const draw = (key: string, fields: object = {}) =>
  postJson(server, key, "/images/generations", { model: "google/image", prompt, ...fields });

test("an image of a size is asked for by its ratio and tier, and billed as image tokens", async () => {
  const account = await openAccount(server);
  const response = await draw(account.key, { size: "2048x1152", user: "u-1" });
  expect(response.status).toBe(200);
  expect(response.headers.get("x-turnpike-ignored")).toBe("user");
  const body = await readJson(response);
  const png = Buffer.from(String(at(body, "data.0.b64_json")), "base64");
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect(body.output_format).toBe("png");
  const sent = server.upstream.requests.at(-1);
  expect(sent?.path).toBe("/v1beta/models/gemini-image:generateContent");
  expect(at(sent?.parsed, "generationConfig.imageConfig")).toEqual({
    aspectRatio: "16:9",
    imageSize: "2K",
  });
  const textTokens = BigInt(Math.ceil(prompt.length / 4));
  expect(await spent(account.id)).toBe(textTokens * 1_000n + BigInt(geminiImageTokens) * 30_000n);
});

test("images to edit are sent within the request, as files and as data URLs, and billed as such", async () => {
  const account = await openAccount(server);
  const image = smallImage("png", { width: 8, height: 8, color: [1, 2, 3] });
  const form = new FormData();
  form.append("model", "google/image");
  form.append("prompt", prompt);
  form.append("image[]", new File([new Uint8Array(image)], "a.png"));
  form.append("image[]", new File([new Uint8Array(image)], "b.png"));
  const response = await fetch(`${server.baseUrl}/images/edits`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}` },
    body: form,
  });
  expect(response.status).toBe(200);
  expect(at(await readJson(response), "usage.input_tokens_details.image_tokens")).toBe(
    2 * geminiReferenceTokens,
  );
  const sent = server.upstream.requests.at(-1);
  const inline = { inlineData: { mimeType: "image/png", data: image.toString("base64") } };
  expect(at(sent?.parsed, "contents.0.parts")).toEqual([{ text: prompt }, inline, inline]);
  const url = `data:image/png;base64,${image.toString("base64")}`;
  await (await draw(account.key, { image: url })).text();
  expect(at(server.upstream.requests.at(-1)?.parsed, "contents.0.parts.1")).toEqual(inline);
  const textNanos = BigInt(Math.ceil(prompt.length / 4)) * 1_000n;
  const outNanos = BigInt(geminiImageTokens) * 30_000n;
  const readNanos = BigInt(geminiReferenceTokens) * 2_000n;
  expect(await spent(account.id)).toBe(2n * (textNanos + outNanos) + 3n * readNanos);
});

test("a caller who asks for a stream of images is sent the one event with the image", async () => {
  const account = await openAccount(server);
  const text = await (await draw(account.key, { stream: true })).text();
  expect(text).toContain("event: image_generation.completed");
  expect(text).toContain('"b64_json"');
  expect(await spent(account.id)).toBeGreaterThan(0n);
});

test.each([
  ["more images than one", { n: 2 }, "n"],
  ["a mask", { image: "data:image/png;base64,AA", mask: "data:image/png;base64,AA" }, "mask"],
  ["a size of other sides", { size: "1000x300" }, "size"],
  ["a ratio that Gemini does not have", { aspect_ratio: "7:5" }, "aspect_ratio"],
  ["a quality", { quality: "high" }, "quality"],
  ["another format", { output_format: "webp" }, "output_format"],
  ["an address", { image: "https://example.com/a.png" }, "image"],
])("%s is refused by name, and nothing is sent", async (_what, fields, param) => {
  const account = await openAccount(server);
  const before = server.upstream.requests.length;
  const response = await draw(account.key, fields);
  expect([response.status, at(await readJson(response), "error.param")]).toEqual([400, param]);
  expect(server.upstream.requests.length).toBe(before);
  expect(await spent(account.id)).toBe(0n);
});

const input = "The quick brown fox.";
const speak = (key: string, fields: object) =>
  postJson(server, key, "/audio/speech", {
    model: "google/speech",
    input,
    voice: "Kore",
    response_format: "wav",
    ...fields,
  });
/** Of a text of 20 characters. */
const spokenNanos =
  5n * 1_000n + BigInt(Math.ceil(speechSecondsOf(input) * geminiSpokenTokensPerSecond)) * 20_000n;

test("speech is a WAV file around Gemini's samples, and billed by its audio tokens", async () => {
  const account = await openAccount(server);
  const response = await speak(account.key, {});
  expect(response.headers.get("content-type")).toBe("audio/wav");
  const wav = Buffer.from(await response.arrayBuffer());
  expect(wav.toString("latin1", 0, 4)).toBe("RIFF");
  expect([wav.readUInt32LE(24), wav.readUInt32LE(40)]).toEqual([24_000, wav.length - 44]);
  const samples = await (await speak(account.key, { response_format: "pcm" })).arrayBuffer();
  expect(Buffer.from(samples).equals(wav.subarray(44))).toBe(true);
  expect(await spent(account.id)).toBe(2n * spokenNanos);
});

test("speech in events is the same file in events, the last of which says what it cost", async () => {
  const account = await openAccount(server);
  const wav = Buffer.from(await (await speak(account.key, {})).arrayBuffer());
  const text = await (await speak(account.key, { stream_format: "sse" })).text();
  const events = text
    .split("\n\n")
    .filter(Boolean)
    .map((one) => JSON.parse(one.slice(6)));
  const [first, last] = [events[0], events.at(-1)];
  expect(Buffer.from(String(first.audio), "base64").equals(wav)).toBe(true);
  expect(last.usage.cost).toBe(Number(spokenNanos) / 1e9);
  expect(await spent(account.id)).toBe(2n * spokenNanos);
});

test.each([
  ["mp3, which would have to be encoded", { response_format: "mp3" }, "response_format"],
  ["a speed", { speed: 1.5 }, "speed"],
  ["a voice that the model does not have", { voice: "alloy" }, "voice"],
])("speech: %s is refused by name", async (_what, fields, param) => {
  const account = await openAccount(server);
  const response = await speak(account.key, fields);
  expect([response.status, at(await readJson(response), "error.param")]).toEqual([400, param]);
  expect(await spent(account.id)).toBe(0n);
});

function transcribe(key: string, fields: Readonly<Record<string, string>> = {}, seconds = 3) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model: "google/transcription", ...fields })) {
    form.append(name, value);
  }
  form.append("file", new File([new Uint8Array(wavFile({ seconds }))], "speech.wav"));
  return fetch(`${server.baseUrl}/audio/transcriptions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: form,
  });
}

test("a transcript is what Gemini hears, billed by its audio tokens and its words", async () => {
  const account = await openAccount(server);
  const response = await transcribe(account.key, { language: "de", temperature: "0.5" });
  expect(response.status).toBe(200);
  const body = await readJson(response);
  expect(body.text).toBe("3 seconds of audio.");
  const audioTokens = 3 * geminiHeardTokensPerSecond;
  expect(at(body, "usage.input_token_details.audio_tokens")).toBe(audioTokens);
  const sent = server.upstream.requests.at(-1);
  expect(at(sent?.parsed, "generationConfig.temperature")).toBe(0.5);
  const told = String(at(sent?.parsed, "contents.0.parts.0.text"));
  expect(told).toContain("spoken is de.");
  const nanos = BigInt(Math.ceil(told.length / 4)) * 1_000n + BigInt(audioTokens) * 3_000n;
  expect(await spent(account.id)).toBe(nanos + 5n * 5_000n);
});

test("a file that is too large for memory is encoded from where it is kept", async () => {
  const account = await openAccount(server);
  const body = await readJson(await transcribe(account.key, {}, 60));
  expect(body.text).toBe("60 seconds of audio.");
  const sent = String(
    at(server.upstream.requests.at(-1)?.parsed, "contents.0.parts.1.inlineData.data"),
  );
  expect(Buffer.from(sent, "base64").equals(wavFile({ seconds: 60 }))).toBe(true);
  expect(await spent(account.id)).toBeGreaterThan(0n);
});

test("an upstream that refuses an image costs nothing, and one that breaks off neither", async () => {
  const account = await openAccount(server);
  server.upstream.script({ status: 400, error: "Please use another prompt." });
  const refused = await draw(account.key);
  expect([refused.status, at(await readJson(refused), "error.message")]).toEqual([
    400,
    "Please use another prompt.",
  ]);
  server.upstream.script({ cutAfterDeltas: 0 });
  expect((await draw(account.key)).status).toBe(502);
  server.upstream.script(undefined);
  expect(await spent(account.id)).toBe(0n);
});

test("an image whose client has left is billed as it is reported", async () => {
  const account = await openAccount(server);
  const leaving = new AbortController();
  const text = `${prompt} #script ${JSON.stringify({ tag: "left-image", gate: true })}`;
  const fields = { model: "google/image", prompt: text };
  const left = postJson(server, account.key, "/images/generations", fields, {
    signal: leaving.signal,
  }).catch(() => undefined);
  const seen = await server.upstream.waitFor((request) => request.tag === "left-image");
  leaving.abort();
  await left;
  server.upstream.open("left-image");
  await seen.ended;
  const textTokens = BigInt(Math.ceil(text.length / 4));
  expect(await spent(account.id)).toBe(textTokens * 1_000n + BigInt(geminiImageTokens) * 30_000n);
});

test("a caller who asks for a stream of a transcript is sent all of it in one event, and the bill", async () => {
  const account = await openAccount(server);
  const text = await (await transcribe(account.key, { stream: "true" })).text();
  const events = text
    .split("\n\n")
    .filter(Boolean)
    .map((one) => JSON.parse(one.slice(6)));
  expect(events.map(({ type }) => type)).toEqual(["transcript.text.delta", "transcript.text.done"]);
  expect(events[1]).toMatchObject({ text: "3 seconds of audio.", usage: { type: "tokens" } });
  expect(await spent(account.id)).toBeGreaterThan(0n);
});

test.each(["srt", "vtt", "verbose_json"])(
  "a transcript in %s is refused by name",
  async (format) => {
    const account = await openAccount(server);
    const response = await transcribe(account.key, { response_format: format });
    const param = at(await readJson(response), "error.param");
    expect([response.status, param]).toEqual([400, "response_format"]);
    expect(await spent(account.id)).toBe(0n);
  },
);
