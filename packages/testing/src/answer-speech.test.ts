import { afterAll, expect, test } from "bun:test";
import { speechSecondsOf, speechTokensPerSecond, speechVoices } from "./answer-speech.ts";
import { eventsOf, post, postJson } from "./call-upstream.fixture.ts";
import { startScriptedUpstream } from "./scripted-upstream.ts";

const upstream = await startScriptedUpstream();
afterAll(() => upstream.close());
const path = "/v1/audio/speech";
const input = "a sentence that is thirty-two ch";
const asked = { model: "sandbox-speech", voice: "alloy", input };

async function speak(fields: object) {
  const response = await post(upstream, path, { ...asked, ...fields });
  return {
    type: response.headers.get("content-type"),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

test("a second of sound is sixteen characters, and half of it at twice the speed", async () => {
  const pcm = await speak({ response_format: "pcm" });
  expect([pcm.type, pcm.bytes.length]).toEqual(["audio/pcm", 2 * 48_000]);
  const fast = await speak({ response_format: "pcm", speed: 2 });
  expect(fast.bytes.length).toBe(48_000);
  expect(speechSecondsOf(input)).toBe(2);
});

test("it is a tone of 440 Hz, the same each time", async () => {
  const [one, other] = await Promise.all([
    speak({ response_format: "pcm" }),
    speak({ response_format: "pcm" }),
  ]);
  expect(one.bytes.equals(other.bytes)).toBe(true);
  const samples = Array.from({ length: 24_000 }, (_, at) => one.bytes.readInt16LE(at * 2));
  const rises = samples.filter((sample, at) => sample >= 0 && (samples[at - 1] ?? 0) < 0);
  expect(rises.length).toBe(439);
});

test.each([
  ["mp3", "audio/mpeg", "fffb"],
  ["aac", "audio/aac", "fff1"],
  ["flac", "audio/flac", "664c6143"],
  ["opus", "audio/ogg", "4f676753"],
  ["wav", "audio/wav", "52494646"],
])("%s is sent as %s", async (response_format, type, start) => {
  const { type: given, bytes } = await speak({ response_format });
  expect(given).toBe(type);
  expect(bytes.toString("hex")).toStartWith(start);
});

test("without a format it is MP3", async () => {
  expect((await speak({})).type).toBe("audio/mpeg");
});

test("a WAV is a stream of unknown length with its text as a comment", async () => {
  const { bytes } = await speak({ response_format: "wav" });
  expect(bytes.toString("latin1")).toContain(input);
  expect(bytes.readUInt32LE(bytes.indexOf("data") + 4)).toBe(0xffff_ffff);
});

test("a newer model streams events, the last one with its usage", async () => {
  const body = {
    ...asked,
    model: "sandbox-speech-tokens",
    stream_format: "sse",
    response_format: "pcm",
  };
  const events = await eventsOf(await post(upstream, path, body));
  const deltas = events.filter(({ type }) => type === "speech.audio.delta");
  const sent = Buffer.concat(deltas.map(({ audio }) => Buffer.from(String(audio), "base64")));
  expect(sent.equals((await speak({ response_format: "pcm" })).bytes)).toBe(true);
  expect(events.at(-1)).toEqual({
    type: "speech.audio.done",
    usage: {
      input_tokens: 8,
      output_tokens: 2 * speechTokensPerSecond,
      total_tokens: 8 + 2 * speechTokensPerSecond,
    },
  });
});

test("a stream of bytes is cut where a script says so", async () => {
  const script = { cutAfterBytes: 5_000, tag: "cut speech" };
  const long = `${"x".repeat(500)} #script ${JSON.stringify(script)}`;
  const response = await post(upstream, path, { ...asked, input: long, response_format: "pcm" });
  await expect(response.arrayBuffer()).rejects.toThrow();
  expect(upstream.delivered("cut speech")).toMatchObject({ bytes: 5_000, deltas: 1 });
});

test("an error after the status line of success is JSON where a script says so", async () => {
  const script = { status: 200, error: "too late" };
  const { status, error } = await postJson(upstream, path, {
    ...asked,
    input: `#script ${JSON.stringify(script)}`,
  });
  expect([status, error.message]).toEqual([200, "too late"]);
});

test("pieces wait for each other where a script says so, and end with the client", async () => {
  const script = { stallAfterDeltas: 2, tag: "stalled speech" };
  const leaving = new AbortController();
  const body = JSON.stringify({
    ...asked,
    response_format: "pcm",
    input: `${"x".repeat(500)} #script ${JSON.stringify(script)}`,
  });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${upstream.url}${path}`, {
    method: "POST",
    headers,
    body,
    signal: leaving.signal,
  });
  expect(response.status).toBe(200);
  const request = await upstream.waitFor(({ tag }) => tag === "stalled speech");
  leaving.abort();
  expect(await request.ended).toBe("gone");
  expect(request.delivered.deltas).toBeLessThanOrEqual(2);
});

test.each([
  [{ input: undefined }, "missing_required_parameter", "input"],
  [{ input: "" }, "invalid_value", "input"],
  [{ input: "x".repeat(4_097) }, "string_above_max_length", "input"],
  [{ voice: undefined }, "missing_required_parameter", "voice"],
  [{ voice: "unknown" }, "invalid_value", "voice"],
  [{ speed: 5 }, "decimal_above_max_value", "speed"],
  [{ response_format: "ogg" }, "invalid_value", "response_format"],
  [{ stream_format: "sse" }, "invalid_value", "stream_format"],
  [{ user: "me" }, "unknown_parameter", "user"],
])("%j is refused", async (fields, code, param) => {
  const { status, error } = await postJson(upstream, path, { ...asked, ...fields });
  expect([status, error.code, error.param]).toEqual([400, code, param]);
});

test("a voice that is unknown is refused with those that are known", async () => {
  const { error } = await postJson(upstream, path, { ...asked, voice: "unknown" });
  for (const voice of speechVoices) expect(String(error.message)).toContain(voice);
});
