// What every operation costs where somebody tries to pay less, or an upstream reports something else than its price is for: no
// call costs less than what was asked for, none more than what it was held for, and the books agree.
import { afterAll, afterEach, expect, test } from "bun:test";
import { wavFile } from "@turnpike/testing";
import {
  at,
  expectCleanBooks,
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

const full = 10_000_000_000n;
type AccountId = Parameters<typeof readMoney>[1];
const spent = async (id: AccountId, usd = full) => usd - (await readMoney(server, id)).balanceNanos;

/** A text that has the scripted upstream answer with exactly this body. */
function answering(body: object): string {
  const headers = { "content-type": "application/json" };
  return `hello #script ${JSON.stringify({ body: JSON.stringify(body), headers })}`;
}

const image = { size: "1024x1024", quality: "high" };
/** 4,200 tokens at 30,000 nano-dollars are held, and 4,160 are reported. */
const highNanos = 4_160n * 30_000n;

test("no ceiling buys an image for less: it is refused, and nothing is sent", async () => {
  const account = await openAccount(server);
  const before = server.upstream.requests.length;
  const asked = { model: testModels.image, prompt: "x", ...image, max_cost: "0.05" };
  const response = await postJson(server, account.key, "/images/generations", asked);
  expect(response.status).toBe(400);
  expect(at(await readJson(response), "error.param")).toBe("max_cost");
  const poor = await openAccount(server, { usd: "0.05" });
  const refused = await postJson(server, poor.key, "/images/generations", {
    model: testModels.image,
    prompt: "x",
    ...image,
  });
  expect(refused.status).toBe(402);
  expect(Number(at(await readJson(refused), "error.metadata.needed_usd"))).toBeGreaterThan(0.12);
  expect(server.upstream.requests.length).toBe(before);
  expect(await spent(account.id)).toBe(0n);
});

test("who has the money for an image gets it, and pays what it cost", async () => {
  const account = await openAccount(server);
  const asked = { model: testModels.image, prompt: "x", ...image, max_cost: "0.13" };
  const response = await postJson(server, account.key, "/images/generations", asked);
  expect(response.status).toBe(200);
  expect(await spent(account.id)).toBeGreaterThanOrEqual(highNanos);
});

const documents = ["one", "two"];
const ranked = { results: [{ index: 0, relevance_score: 0.5 }] };

test.each([
  ["search units", testModels.rerank, { ...ranked, usage: { total_tokens: 900 } }, 2_000_000n],
  [
    "tokens",
    testModels.rerankTokens,
    { ...ranked, meta: { billed_units: { search_units: 1 } } },
    1n,
  ],
] as const)(
  "a rerank that is priced by %s is billed by them, whatever is reported",
  async (_unit, model, body, least) => {
    const account = await openAccount(server);
    const asked = { model, query: answering(body), documents };
    const response = await postJson(server, account.key, "/rerank", asked);
    expect(response.status).toBe(200);
    expect(await spent(account.id)).toBeGreaterThanOrEqual(least);
  },
);

async function transcribe(key: string, model: string, body: object): Promise<Response> {
  const form = new FormData();
  form.append("model", model);
  form.append("prompt", answering(body));
  form.append("file", new File([new Uint8Array(wavFile({ seconds: 60 }))], "a.wav"));
  const headers = { authorization: `Bearer ${key}` };
  return fetch(`${server.baseUrl}/audio/transcriptions`, { method: "POST", headers, body: form });
}

const tokens = { type: "tokens", input_tokens: 10, output_tokens: 10, total_tokens: 20 };
const seconds = { type: "duration", seconds: 60 };

test.each([
  ["the minute", testModels.transcription, tokens, 6_000_000n],
  ["the token", testModels.transcriptionTokens, seconds, 600n * 2_500n],
] as const)(
  "a transcription that is priced by %s is billed by it, whatever is reported",
  async (_unit, model, usage, least) => {
    const account = await openAccount(server);
    const response = await transcribe(account.key, model, { text: "hello", usage });
    expect(response.status).toBe(200);
    expect(await spent(account.id)).toBeGreaterThanOrEqual(least);
  },
);

test("images by the piece cost the same if their client leaves", async () => {
  const account = await openAccount(server);
  const leaving = new AbortController();
  const prompt = `x #script ${JSON.stringify({ tag: "left-images", gate: true })}`;
  const asked = { model: testModels.imagePiece, prompt, n: 3, size: "1024x1024" };
  const left = postJson(server, account.key, "/images/generations", asked, {
    signal: leaving.signal,
  });
  const seen = await server.upstream.waitFor((request) => request.tag === "left-images");
  leaving.abort();
  await left.catch(() => undefined);
  server.upstream.open("left-images");
  await seen.ended;
  expect(await waitForSettled(server)).toBe(0);
  expect(await spent(account.id)).toBe(120_000_000n);
});

test("every streamed image is billed", async () => {
  const account = await openAccount(server);
  const asked = { model: testModels.image, prompt: "x", ...image, n: 2, stream: true };
  const response = await postJson(server, account.key, "/images/generations", asked);
  await response.text();
  await waitForSettled(server);
  expect(await spent(account.id)).toBeGreaterThanOrEqual(2n * highNanos);
});

test("an answer that turns out smaller than what was left open costs what it is", async () => {
  const account = await openAccount(server);
  const data = [{ b64_json: "AAAA" }];
  const prompt = answering({ created: 1, data, size: "1024x1024" });
  const response = await postJson(server, account.key, "/images/generations", {
    model: testModels.imagePiece,
    prompt,
  });
  expect(response.status).toBe(200);
  expect(await spent(account.id)).toBe(40_000_000n);
});

test("a translation is not the transcription of the same file", async () => {
  const account = await openAccount(server);
  const ask = (path: string) => {
    const form = new FormData();
    form.append("model", testModels.transcription);
    form.append("file", new File([new Uint8Array(wavFile({ seconds: 1 }))], "a.wav"));
    const headers = { authorization: `Bearer ${account.key}`, "idempotency-key": "same" };
    return fetch(`${server.baseUrl}${path}`, { method: "POST", headers, body: form });
  };
  expect((await ask("/audio/transcriptions")).status).toBe(200);
  expect((await ask("/audio/translations")).status).toBe(409);
});

test("an error in JSON instead of audio is a refusal, and costs nothing", async () => {
  const account = await openAccount(server);
  const input = answering({ error: { message: "No.", type: "server_error" } });
  const asked = { model: testModels.speech, voice: "alloy", input };
  const response = await postJson(server, account.key, "/audio/speech", asked);
  expect(response.status).toBe(502);
  expect(await spent(account.id)).toBe(0n);
});

test("JSON with the audio in base64, as Mistral answers, becomes the audio", async () => {
  const account = await openAccount(server);
  const audio = Buffer.alloc(300, 7);
  const input = answering({ audio_data: audio.toString("base64") });
  const asked = { model: testModels.speech, voice: "alloy", input };
  const response = await postJson(server, account.key, "/audio/speech", asked);
  expect(response.status).toBe(200);
  expect(Buffer.from(await response.arrayBuffer()).equals(audio)).toBe(true);
});

test("base64 with many blanks is read as quickly as any other", async () => {
  const account = await openAccount(server);
  const data = `AA${" ".repeat(400_000)}!`;
  const response = await postJson(server, account.key, "/audio/transcriptions", {
    model: testModels.transcription,
    input_audio: { data, format: "wav" },
  });
  expect(response.status).toBe(400);
  expect(at(await readJson(response), "error.param")).toBe("input_audio.data");
});
