// Transcriptions: forms in any order, every format that a client may ask for, billed by what is reported or by the time that
// was measured here, and never by what the caller's file says of itself.
import { afterAll, afterEach, expect, test } from "bun:test";
import { wavFile } from "@turnpike/testing";
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
} from "../harness/index.ts";

const server = await startTestServer();
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const twoSeconds = wavFile({ seconds: 2 });
type Fields = Readonly<Record<string, string>>;

function send(
  key: string,
  fields: Fields = {},
  {
    file = twoSeconds,
    path = "/audio/transcriptions",
    filename = "speech.wav",
    isFileFirst = false,
    headers: more = {},
  } = {},
): Promise<Response> {
  const form = new FormData();
  const blob = new File([new Uint8Array(file)], filename);
  if (isFileFirst) form.append("file", blob);
  const all: Fields = { model: testModels.transcription, ...fields };
  for (const [name, value] of Object.entries(all)) form.append(name, value);
  if (!isFileFirst) form.append("file", blob);
  const headers = { authorization: `Bearer ${key}`, ...more };
  return fetch(`${server.baseUrl}${path}`, { method: "POST", headers, body: form });
}

const spent = async (id: Parameters<typeof readMoney>[1]) =>
  10_000_000_000n - (await readMoney(server, id)).balanceNanos;
/** 0.006 USD for a minute. */
const twoSecondsNanos = 200_000n;

test.each([true, false])("a form is read whether its file comes first: %p", async (isFileFirst) => {
  const account = await openAccount(server);
  const response = await send(account.key, {}, { isFileFirst });
  expect(response.status).toBe(200);
  const body = await readJson(response);
  expect(String(body.text)).toContain("2");
  expect(body.usage).toMatchObject({ type: "duration", seconds: 2, cost: 0.0002 });
  expect(await spent(account.id)).toBe(twoSecondsNanos);
  const id = response.headers.get("x-generation-id");
  const generation = await readJson(await getPath(server, account.key, `/generation?id=${id}`));
  expect(at(generation, "data.units")).toEqual([{ unit: "audioMilliseconds", count: 2_000 }]);
});

test.each([
  ["text", "text/plain", /\w/],
  ["srt", "text/plain", /^1\n00:00:00,000 --> /],
  ["vtt", "text/plain", /^WEBVTT\n\n00:00:00\.000 --> /],
  ["verbose_json", "application/json", /"segments":\[\{/],
  ["json", "application/json", /^\{"text":/],
] as const)("%s is answered as its clients read it", async (format, type, pattern) => {
  const account = await openAccount(server);
  const response = await send(account.key, { response_format: format });
  expect(response.headers.get("content-type")).toStartWith(type);
  expect(await response.text()).toMatch(pattern);
  expect(await spent(account.id)).toBe(twoSecondsNanos);
  const cost = response.headers.get("x-turnpike-cost");
  expect(cost).toBe(type === "text/plain" ? "0.0002" : null);
});

test("captions that are repeated by the response cache cost nothing, and say so", async () => {
  const account = await openAccount(server);
  const ask = () => send(account.key, { response_format: "srt" }, { headers: cached });
  const cached = { "x-openrouter-cache": "true" };
  expect((await ask()).headers.get("x-turnpike-cost")).toBe("0.0002");
  const repeated = await ask();
  expect(repeated.headers.get("x-openrouter-cache-status")).toBe("HIT");
  expect(repeated.headers.get("x-turnpike-cost")).toBe("0");
  expect(await spent(account.id)).toBe(twoSecondsNanos);
});

test.each(["missing", "zero"])(
  "%s usage shows the time that was measured, and no tokens",
  async (usage) => {
    const account = await openAccount(server);
    const prompt = `#script ${JSON.stringify({ usage })}`;
    const response = await send(account.key, { prompt, response_format: "verbose_json" });
    const body = await readJson(response);
    expect(body.usage).toEqual({ type: "duration", seconds: 2, cost: 0.0002 });
    expect(body.duration).toBe(2);
    const id = response.headers.get("x-generation-id");
    const { data } = await readJson(await getPath(server, account.key, `/generation?id=${id}`));
    expect(data).toMatchObject({
      units: [{ unit: "audioMilliseconds", count: 2_000 }],
      tokens_prompt: 0,
      tokens_completion: 0,
    });
  },
);

test("OpenRouter's JSON with the audio in base64 is the same call", async () => {
  const account = await openAccount(server);
  const response = await postJson(server, account.key, "/audio/transcriptions", {
    model: testModels.transcription,
    input_audio: { data: twoSeconds.toString("base64"), format: "wav" },
  });
  expect(response.status).toBe(200);
  expect(await spent(account.id)).toBe(twoSecondsNanos);
});

test("a model without timestamps answers verbose_json as json and says so, and refuses captions", async () => {
  const account = await openAccount(server);
  const model = testModels.transcriptionTokens;
  const verbose = await send(account.key, { model, response_format: "verbose_json" });
  expect(verbose.status).toBe(200);
  expect(verbose.headers.get("x-turnpike-ignored")).toContain("response_format");
  const captions = await send(account.key, { model, response_format: "srt" });
  expect(captions.status).toBe(400);
});

test("tokens are billed as they are reported", async () => {
  const account = await openAccount(server);
  const response = await send(account.key, { model: testModels.transcriptionTokens });
  const { usage } = await readJson(response);
  const counts = usage as Record<string, number>;
  expect(counts).toMatchObject({ type: "tokens" });
  const nanos =
    BigInt(counts.input_tokens ?? 0) * 2_500n + BigInt(counts.output_tokens ?? 0) * 10_000n;
  expect(await spent(account.id)).toBe(nanos);
});

test("a transcript that is streamed ends with its whole text and what it cost", async () => {
  const account = await openAccount(server);
  const response = await send(account.key, {
    model: testModels.transcriptionTokens,
    stream: "true",
  });
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  const events = (await response.text())
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: "))
    .map((frame) => JSON.parse(frame.slice(6)));
  const said = events.flatMap(({ type, delta }) =>
    type === "transcript.text.delta" ? [delta] : [],
  );
  const last = events.at(-1);
  expect(last).toMatchObject({ type: "transcript.text.done", text: said.join("").trim() });
  expect(last.usage.cost).toBeGreaterThan(0);
});

test("translations go to their own endpoint", async () => {
  const account = await openAccount(server);
  const response = await send(account.key, {}, { path: "/audio/translations" });
  expect(response.status).toBe(200);
  expect(server.upstream.requests.at(-1)?.path).toContain("/audio/translations");
});

/** Says of itself that it has a hundredth of its sound. */
function shortenedHeader(): Buffer {
  const forged = Buffer.from(wavFile({ seconds: 60 }));
  const at = forged.indexOf("data");
  forged.writeUInt32LE(Math.floor(forged.readUInt32LE(at + 4) / 100), at + 4);
  return forged;
}

test("a file that says it is shorter than it is holds and costs what it is", async () => {
  const account = await openAccount(server, { usd: "0.005" });
  const response = await send(account.key, {}, { file: shortenedHeader() });
  expect(response.status).toBe(402);
  expect(at(await readJson(response), "error.metadata.needed_usd")).toBe("0.006");
});

test.each([
  ["a file that is no audio", Buffer.from("just a text"), 400, "file"],
  [
    "an image with the name of an audio file",
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    400,
    "file",
  ],
  ["a file that is too large", Buffer.alloc(26 * 1024 * 1024), 413, "file"],
  ["an empty file", Buffer.alloc(0), 400, "file"],
] as const)(
  "%s is refused by the name of its field, and nothing is held",
  async (_what, file, status, param) => {
    const account = await openAccount(server);
    const response = await send(account.key, {}, { file: Buffer.from(file) });
    expect(response.status).toBe(status);
    expect(at(await readJson(response), "error.param")).toBe(param);
    expect(await spent(account.id)).toBe(0n);
  },
);

test("a form without a file, and one that breaks off, are refused", async () => {
  const account = await openAccount(server);
  const without = new FormData();
  without.append("model", testModels.transcription);
  const headers = { authorization: `Bearer ${account.key}` };
  const url = `${server.baseUrl}/audio/transcriptions`;
  const missing = await fetch(url, { method: "POST", headers, body: without });
  expect(missing.status).toBe(400);
  expect(at(await readJson(missing), "error.param")).toBe("file");
  const broken = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "multipart/form-data; boundary=x" },
    body: '--x\r\ncontent-disposition: form-data; name="model"\r\n\r\nm',
  });
  expect(broken.status).toBe(400);
});

test.each<[string, Fields]>([
  ["JSON", { provider: '{"only":["scripted"],"zdr":false}', usage: '{"include":true}' }],
  ["JSON in lists and objects", { models: "[]", trace: '{"name":"test"}', max_cost: "0.5" }],
  ["brackets", { "provider[allow_fallbacks]": "false", "usage[include]": "true", "trace[a]": "b" }],
])("fields that every operation has may be %s in a form", async (_, fields) => {
  const account = await openAccount(server);
  expect((await send(account.key, fields)).status).toBe(200);
});

test.each<[Fields, number, string | null]>([
  [{ provider: '{"only":["nowhere"]}' }, 404, "provider.only"],
  [{ provider: '{"sort":"beauty"}' }, 400, "provider.sort"],
  [{ "provider[zdr]": "perhaps" }, 400, "provider.zdr"],
  [{ "provider[only][]": "scripted" }, 400, null],
  [{ models: '["test/echo"]' }, 400, "models"],
  [{ max_cost: "0.0000001" }, 400, "max_cost"],
  [{ "usage[include]": "perhaps" }, 400, "usage.include"],
])("a form with %p is refused as JSON is", async (fields, status, param) => {
  const account = await openAccount(server);
  const response = await send(account.key, fields);
  expect(response.status).toBe(status);
  expect(at(await readJson(response), "error.param")).toBe(param);
  expect(await spent(account.id)).toBe(0n);
});
