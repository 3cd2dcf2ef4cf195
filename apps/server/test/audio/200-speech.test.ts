// Speech: the audio as it comes, billed by the characters that were spoken, whole or as far as an upstream came that broke off.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  at,
  expectCleanBooks,
  getPath,
  openAccount,
  postJson,
  readJson,
  readMoney,
  startTestServer,
  testModels,
  waitForSettled,
} from "../harness/index.ts";

const server = await startTestServer();
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const input = "The quick brown fox jumps over the lazy dog.";
const speak = (key: string, fields: object = {}, init: RequestInit = {}) =>
  postJson(
    server,
    key,
    "/audio/speech",
    { model: testModels.speech, input, voice: "alloy", ...fields },
    init,
  );

const full = 10_000_000_000n;
const spent = async (id: Parameters<typeof readMoney>[1]) =>
  full - (await readMoney(server, id)).balanceNanos;
/** 15 USD for a million characters. */
const priceOf = (text: string) => BigInt(text.length) * 15_000n;

test.each([
  ["mp3", "audio/mpeg"],
  ["wav", "audio/wav"],
  ["pcm", "audio/pcm"],
  ["opus", "audio/ogg"],
] as const)(
  "%s is passed on as bytes of its type and billed by its characters",
  async (format, type) => {
    const account = await openAccount(server);
    const response = await speak(account.key, { response_format: format });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
    const audio = Buffer.from(await response.arrayBuffer());
    expect(audio.length).toBeGreaterThan(500);
    if (format === "wav") expect(audio.subarray(0, 4).toString()).toBe("RIFF");
    await waitForSettled(server);
    expect(await spent(account.id)).toBe(priceOf(input));
    const id = response.headers.get("x-generation-id");
    const generation = await readJson(await getPath(server, account.key, `/generation?id=${id}`));
    expect(at(generation, "data.units")).toEqual([{ unit: "characters", count: input.length }]);
    expect(at(generation, "data.api_type")).toBe("tts");
  },
);

test("without a format the answer is mp3", async () => {
  const account = await openAccount(server);
  const response = await speak(account.key);
  expect(response.headers.get("content-type")).toBe("audio/mpeg");
  await response.arrayBuffer();
});

test("events carry the same audio, and the last one what it cost", async () => {
  const account = await openAccount(server);
  const whole = Buffer.from(
    await (await speak(account.key, { response_format: "wav" })).arrayBuffer(),
  );
  const response = await speak(account.key, { response_format: "wav", stream_format: "sse" });
  const events = (await response.text())
    .split("\n\n")
    .filter(Boolean)
    .map((frame) => JSON.parse(frame.replace(/^data: /, "")));
  const pieces = events.flatMap(({ type, audio }) =>
    type === "speech.audio.delta" ? [Buffer.from(audio, "base64")] : [],
  );
  expect(Buffer.concat(pieces).equals(whole)).toBe(true);
  const last = events.at(-1);
  expect(last.type).toBe("speech.audio.done");
  expect(last.usage.cost).toBe(Number(priceOf(input)) / 1e9);
});

test.each([
  ["a voice that the model does not have", { voice: "nobody" }, "voice"],
  ["no voice", { voice: null }, "voice"],
  ["a text that is too long", { input: "x".repeat(1_001) }, "input"],
  ["nothing to say", { input: "  " }, "input"],
  ["an unknown format", { response_format: "midi" }, "response_format"],
])("%s is refused by name, and nothing is held", async (_what, fields, param) => {
  const account = await openAccount(server);
  const response = await speak(account.key, fields);
  expect(response.status).toBe(400);
  expect(at(await readJson(response), "error.param")).toBe(param);
  expect(await spent(account.id)).toBe(0n);
});

test("an upstream that refuses costs nothing, and says so in JSON", async () => {
  const account = await openAccount(server);
  const text = `${input} #script ${JSON.stringify({ status: 500 })}`;
  const response = await speak(account.key, { input: text });
  expect(response.status).toBe(502);
  expect(at(await readJson(response), "error.type")).toBe("upstream_error");
  expect(await spent(account.id)).toBe(0n);
});

test("audio that breaks off is cut, not ended, and costs at most what was spoken", async () => {
  const account = await openAccount(server);
  const text = `${input.repeat(10)} #script ${JSON.stringify({ cutAfterDeltas: 1 })}`;
  const response = await speak(account.key, { input: text, response_format: "wav" });
  expect(response.status).toBe(200);
  expect(await response.arrayBuffer().catch(() => "cut")).toBe("cut");
  await waitForSettled(server);
  const cost = await spent(account.id);
  expect(cost > 0n && cost < priceOf(text) / 2n).toBe(true);
});

test("a client that leaves after the status line pays for the whole text", async () => {
  const account = await openAccount(server);
  const leaving = new AbortController();
  const text = `${input.repeat(5)} #script ${JSON.stringify({ tag: "left-speech", gate: true })}`;
  const left = speak(account.key, { input: text }, { signal: leaving.signal });
  const seen = await server.upstream.waitFor((request) => request.tag === "left-speech");
  const response = await left;
  leaving.abort();
  await response.arrayBuffer().catch(() => undefined);
  server.upstream.open("left-speech");
  await seen.ended;
  expect(await waitForSettled(server)).toBe(0);
  expect(await spent(account.id)).toBe(priceOf(text));
});

test.each([
  ["an idempotency key", { "idempotency-key": "speech-1" }, "idempotent-replayed", "true"],
  ["the response cache", { "x-openrouter-cache": "true" }, "x-openrouter-cache-status", "HIT"],
] as const)(
  "the same audio is repeated by %s, byte for byte and for nothing",
  async (_what, headers, name, value) => {
    const account = await openAccount(server);
    const ask = async () => {
      const response = await speak(account.key, { response_format: "wav" }, { headers });
      return { response, audio: Buffer.from(await response.arrayBuffer()) };
    };
    const first = await ask();
    await waitForSettled(server);
    const cost = await spent(account.id);
    let second = await ask();
    // What was streamed is stored after its client has it.
    for (let tries = 0; tries < 100 && second.response.headers.get(name) !== value; tries += 1) {
      second = await ask();
    }
    expect(second.response.headers.get(name)).toBe(value);
    expect(second.response.headers.get("content-type")).toBe("audio/wav");
    expect(second.audio.equals(first.audio)).toBe(true);
    if (name === "idempotent-replayed") expect(await spent(account.id)).toBe(cost);
  },
);

test("another text under the same key is refused", async () => {
  const account = await openAccount(server);
  const headers = { "idempotency-key": "speech-2" };
  await (await speak(account.key, {}, { headers })).arrayBuffer();
  const other = await speak(account.key, { input: "Something else." }, { headers });
  expect(other.status).toBe(409);
});
