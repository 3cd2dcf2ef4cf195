import { expect, test } from "bun:test";
import { isObject, type JsonObject } from "@turnpike/base";
import {
  chunksOf,
  readEvents,
  sampleCall,
  tokensOf,
  upstreamChunk,
} from "./sample-call.fixture.ts";

const call = sampleCall({ body: { stream: true } });

type Seen = { deltas: JsonObject[]; finish: unknown; native: unknown; tokens: number };

function read(...payloads: string[]): Seen {
  const { events } = readEvents(call, ...payloads);
  const choices = chunksOf(events).flatMap((chunk) =>
    Array.isArray(chunk.choices) ? chunk.choices.filter(isObject) : [],
  );
  const last = choices.findLast((choice) => choice.finish_reason !== null);
  const deltas = choices.map((choice) => (isObject(choice.delta) ? choice.delta : {}));
  const { finish_reason: finish, native_finish_reason: native } = last ?? {};
  return { deltas, finish, native, tokens: tokensOf(events) };
}

const finish = (reason: string, choice: object = {}) =>
  upstreamChunk({}, { finish_reason: reason, ...choice });
const tools = (...tool_calls: unknown[]) => upstreamChunk({ tool_calls });

test("an upstream's own finish reasons become OpenAI's, and the original is kept", () => {
  const words: [string, string][] = [
    ["eos", "stop"],
    ["model_length", "length"],
    ["max_tokens", "length"],
    ["end_turn", "stop"],
    ["SAFETY", "content_filter"],
    ["toString", "stop"],
  ];
  for (const [word, meaning] of words) {
    const seen = read(upstreamChunk({ content: "a" }), finish(word));
    expect([seen.finish, seen.native]).toEqual([meaning, word]);
  }
  const routed = read(finish("stop", { native_finish_reason: "STOP" }));
  expect([routed.finish, routed.native]).toEqual(["stop", "STOP"]);
});

test("a finish reason that means aborted is a failure", () => {
  for (const word of ["error", "insufficient_system_resource"]) {
    const { stream } = readEvents(call, upstreamChunk({ content: "a" }), finish(word), "[DONE]");
    expect([stream.fault?.code, stream.done]).toEqual(["bad_gateway", false]);
  }
});

test("a tool call names itself once and has a dense index", () => {
  const opening = {
    index: 3,
    id: "call_1",
    type: "function",
    function: { name: "f", arguments: "" },
  };
  const seen = read(
    tools(opening),
    tools({ ...opening, function: { name: "f", arguments: '{"a"' } }),
    tools({ index: 3, function: { arguments: ":1}" } }),
    tools({ index: 7, id: "call_2", function: { name: "g", arguments: "{}" } }),
    finish("stop"),
  );
  expect(seen.deltas).toEqual([
    { role: "assistant", content: null, tool_calls: [{ ...opening, index: 0 }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
    { tool_calls: [{ index: 0, function: { arguments: ":1}" } }] },
    {
      tool_calls: [
        { index: 1, id: "call_2", type: "function", function: { name: "g", arguments: "{}" } },
      ],
    },
    {},
  ]);
  expect([seen.finish, seen.native, seen.tokens]).toEqual(["tool_calls", "stop", 4]);
});

test("fragments without an index belong to the current call", () => {
  const seen = read(
    tools({ id: "a", function: { name: "f", arguments: "1" } }),
    tools({ function: { arguments: "2" } }),
    tools({ id: "b", function: { name: "g", arguments: { x: 1 } } }),
    tools({ id: "a", function: { arguments: "3" } }),
  );
  const entries = seen.deltas.flatMap((delta) => delta.tool_calls);
  expect(entries).toMatchObject([
    { index: 0, id: "a", function: { name: "f", arguments: "1" } },
    { index: 0, function: { arguments: "2" } },
    { index: 1, id: "b", function: { name: "g", arguments: '{"x":1}' } },
    { index: 0, function: { arguments: "3" } },
  ]);
});

test("parallel calls that all claim index 0 are distinguished by id and name", () => {
  const seen = read(
    tools({ index: 0, id: "a", function: { name: "f", arguments: "{}" } }),
    tools({ index: 0, id: "b", function: { name: "g", arguments: "{}" } }),
  );
  expect(seen.deltas.flatMap((delta) => delta.tool_calls)).toMatchObject([
    { index: 0, id: "a" },
    { index: 1, id: "b" },
  ]);
});

test("a call without id gets one, custom tools and thought signatures pass", () => {
  const seen = read(
    tools({
      index: 0,
      function: { name: "f" },
      extra_content: { google: { thought_signature: "s" } },
    }),
    tools({ index: 1, id: "c", type: "custom", custom: { name: "g", input: "x" } }),
  );
  expect(seen.deltas.flatMap((delta) => delta.tool_calls)).toEqual([
    {
      index: 0,
      id: expect.stringMatching(/^call_[0-9a-f]{24}$/),
      type: "function",
      function: { name: "f", arguments: "" },
      extra_content: { google: { thought_signature: "s" } },
    },
    { index: 1, id: "c", type: "custom", custom: { name: "g", input: "x" } },
  ]);
});

test("the deprecated function call keeps its own finish reason", () => {
  const seen = read(
    upstreamChunk({ function_call: { name: "f", arguments: "" } }),
    upstreamChunk({ function_call: { name: "f", arguments: "{}" } }),
    finish("stop"),
  );
  expect(seen.deltas).toEqual([
    { role: "assistant", content: null, function_call: { name: "f", arguments: "" } },
    { function_call: { arguments: "{}" } },
    {},
  ]);
  expect([seen.finish, seen.tokens]).toEqual(["function_call", 2]);
});

test("thinking is in one pair of fields, never in content", () => {
  const thought = { reasoning_content: "hm", reasoning: "hm" };
  const mistral = [
    { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
    { type: "text", text: "so" },
  ];
  const seen = read(
    upstreamChunk({ role: "assistant", content: null, reasoning_content: "hm" }),
    upstreamChunk({ content: null, reasoning: "hm" }),
    upstreamChunk({ content: mistral }),
    upstreamChunk({ reasoning_details: [{ type: "reasoning.text", text: "hm" }] }),
  );
  expect(seen.deltas).toEqual([
    { role: "assistant", content: "", ...thought },
    thought,
    { content: "so", ...thought },
    { reasoning_details: [{ type: "reasoning.text", text: "hm", index: 0 }] },
  ]);
  expect(seen.tokens).toBe(4);
});

test("refusals, logprobs and unknown members are passed on, nulls are not", () => {
  const logprobs = { content: [{ token: "a", logprob: -1, bytes: null, top_logprobs: [] }] };
  const { events } = readEvents(
    call,
    upstreamChunk(
      { refusal: "no", tool_calls: null, audio: null },
      { logprobs, stop_reason: null },
    ),
    upstreamChunk(
      { content: "a" },
      { stop_reason: 5 },
      { service_tier: "default", citations: ["u"] },
    ),
    upstreamChunk({ content: "b" }, {}, { system_fingerprint: null, timings: null }),
  );
  expect(chunksOf(events)).toMatchObject([
    { choices: [{ delta: { role: "assistant", content: "", refusal: "no" }, logprobs }] },
    {
      choices: [{ delta: { content: "a" }, stop_reason: 5 }],
      service_tier: "default",
      citations: ["u"],
    },
    { choices: [{ delta: { content: "b" } }] },
  ]);
  expect(JSON.stringify(events)).not.toMatch(
    /null,"citations|audio|timings|fingerprint|stop_reason":null/,
  );
});

test("a key called __proto__ changes nothing", () => {
  const payload = upstreamChunk({ content: "a" }).replace(
    '"content"',
    '"__proto__":{"x":1},"content"',
  );
  const seen = read(payload);
  expect(seen.deltas).toEqual([{ role: "assistant", content: "a" }]);
});

test("streamed audio counts as its transcript and as the length of its data, rounded up once", () => {
  const speech = { modalities: ["text", "audio"], audio: { voice: "alloy", format: "pcm16" } };
  for (const language of [undefined, "anthropic"]) {
    const withAudio = sampleCall({
      body: { stream: true, ...speech },
      ...(language && { language }),
    });
    // 100 ms of 24 kHz, 16 bits, in base64; then a fifth of a token three times.
    const audio = [
      { id: "audio_1", transcript: "Hi" },
      { data: "A".repeat(6_400) },
      ...Array.from({ length: 3 }, () => ({ data: "A".repeat(640) })),
      { expires_at: 1 },
    ];
    const { events } = readEvents(
      withAudio,
      ...audio.map((part) => upstreamChunk({ audio: part })),
      finish("stop"),
    );
    const counts = events.flatMap((event) =>
      "tokens" in event ? [[event.tokens, "audioTokens" in event ? event.audioTokens : 0]] : [],
    );
    const none = [0, 0];
    expect(counts).toEqual([[1, 0], [2, 2], [1, 1], none, none, none, none]);
  }
});

test("audio data of a few bytes is a token, and a compressed format lasts longer than PCM", () => {
  const tokens = (format: string, data: string) => {
    const audio = { voice: "alloy", format };
    const withAudio = sampleCall({ body: { stream: true, modalities: ["text", "audio"], audio } });
    return tokensOf(readEvents(withAudio, upstreamChunk({ audio: { data } })).events);
  };
  expect(tokens("pcm16", "AAAA")).toBe(1);
  const sixSeconds = "A".repeat(64_000 * 6);
  expect([tokens("pcm16", sixSeconds), tokens("wav", sixSeconds)]).toEqual([120, 120]);
  expect([tokens("flac", sixSeconds), tokens("mp3", sixSeconds)]).toEqual([240, 360]);
  expect([tokens("aac", sixSeconds), tokens("opus", sixSeconds)]).toEqual([720, 1_440]);
});

test("a choice beyond the 128 that can be asked for ends the answer", () => {
  const ending = (index: number) =>
    readEvents(call, upstreamChunk({ content: "a" }, { index })).events.length;
  expect([ending(127), ending(128)]).toEqual([1, 0]);
});
