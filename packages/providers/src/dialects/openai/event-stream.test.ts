import { expect, spyOn, test } from "bun:test";
import type { StreamEvent } from "../../provider.ts";
import { EventStream } from "./event-stream.ts";
import {
  chunksOf,
  readEvents,
  sampleCall,
  shown,
  sseBytes,
  tokensOf,
  upstreamChunk,
} from "./sample-call.fixture.ts";

const call = sampleCall({ body: { stream: true } });
const say = (content: string) => upstreamChunk({ content });
const stop = upstreamChunk({}, { finish_reason: "stop" });
const usage = JSON.stringify({
  id: "",
  choices: [],
  usage: { prompt_tokens: 4, completion_tokens: 2 },
});

test("a stream becomes ours: same id, model and time, role once, finish once, no usage key", () => {
  const first = upstreamChunk({ role: "assistant", content: "" });
  const repeated = upstreamChunk({ role: "assistant", content: "b" });
  const { events, stream } = readEvents(
    call,
    first,
    say("a"),
    repeated,
    stop,
    stop,
    usage,
    "[DONE]",
  );
  const head = {
    id: "chatcmpl-ours",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "vendor/model",
  };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  expect(chunksOf(events)).toEqual([
    chunk({ role: "assistant", content: "" }),
    chunk({ content: "a" }),
    chunk({ content: "b" }),
    chunk({}, "stop"),
  ]);
  expect(events.slice(3)).toMatchObject([
    { kind: "usage", usage: { promptTokens: 4, completionTokens: 2 } },
    { kind: "chunk" },
    { kind: "finish", reason: "stop", native: "stop" },
    { kind: "done" },
  ]);
  expect([stream.done, stream.fault]).toEqual([true, undefined]);
});

test("chunks carry a null usage exactly when the caller asked for usage", () => {
  const stream_options = { include_usage: true };
  const asked = sampleCall({ body: { stream: true, stream_options } });
  const { events } = readEvents(asked, say("a"), say("b"), say("c"), stop, "[DONE]");
  const chunks = chunksOf(events);
  expect(chunks).toHaveLength(4);
  for (const chunk of chunks) expect(chunk.usage).toBeNull();
});

test("however the bytes are cut, the same events are produced and tokens are counted once", () => {
  const payloads = [
    say("Grüße "),
    say("😀"),
    say("\n\n"),
    say('"q"'),
    say("z"),
    stop,
    usage,
    "[DONE]",
  ];
  const bytes = sseBytes(...payloads);
  const { events: expected } = readEvents(call, ...payloads);
  expect(tokensOf(expected)).toBe(5);
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const stream = new EventStream(call, { maxEventBytes: 4096, headers: new Headers() });
    const events = [...stream.push(bytes.subarray(0, cut)), ...stream.push(bytes.subarray(cut))];
    expect(shown(events)).toEqual(shown(expected));
  }
});

test("T8: cut at any byte, a stream ends in a fault and every counted token was sent", () => {
  const bytes = sseBytes(say("a"), say("b"), say("c"), say("d"), stop, "[DONE]");
  // An object that is complete is an event, whether or not its blank line arrived.
  const blank = "\n\n".length;
  const finishAt = sseBytes(say("a"), say("b"), say("c"), say("d"), stop).length - blank;
  for (let cut = 0; cut < bytes.length; cut += 1) {
    const stream = new EventStream(call, { maxEventBytes: 4096, headers: new Headers() });
    const events = [...stream.push(bytes.subarray(0, cut)), ...stream.end()];
    const sent = Math.min(4, Math.floor((cut + blank) / sseBytes(say("a")).length));
    expect(tokensOf(events)).toBe(sent);
    expect(stream.done).toBe(cut >= finishAt);
    expect(stream.fault?.code).toBe(cut >= finishAt ? undefined : "bad_gateway");
  }
});

test("[DONE] before a finish is a failure, never an invented stop", () => {
  const { events, stream } = readEvents(call, say("a"), "[DONE]", say("b"));
  expect(events.map(({ kind }) => kind)).toEqual(["chunk"]);
  expect(stream.fault?.code).toBe("bad_gateway");
});

test("events before garbage are yielded, then the fault", () => {
  for (const garbage of [
    "{not json",
    "[1]",
    '"text"',
    "null",
    '{"choices":5}',
    '{"choices":[5]}',
  ]) {
    const { events, stream } = readEvents(
      call,
      say("a"),
      say("b"),
      garbage,
      say("c"),
      stop,
      "[DONE]",
    );
    expect(tokensOf(events)).toBe(2);
    expect([stream.fault?.code, stream.done]).toEqual(["bad_gateway", false]);
  }
});

test("an event that never ends is abandoned", () => {
  const stream = new EventStream(call, { maxEventBytes: 1000, headers: new Headers() });
  expect(stream.push(new TextEncoder().encode(`data: ${"x".repeat(2000)}`))).toEqual([]);
  expect(stream.fault?.code).toBe("bad_gateway");
});

test("an error inside a stream ends it; before the first token it keeps its own status", () => {
  const errors = [
    { error: { message: "busy", code: 429 } },
    { error: "busy" },
    { code: "x", error: "busy" },
    { x_groq: { id: "r", error: "busy" }, choices: [] },
    { choices: [{ index: 0, delta: { content: "" }, error: { message: "busy", code: 502 } }] },
  ];
  for (const error of errors) {
    const { stream } = readEvents(call, say("a"), JSON.stringify(error), stop, "[DONE]");
    expect(stream.fault?.code).toBe("bad_gateway");
    expect(stream.fault?.message).toMatch(/busy|rate limited/);
  }
  const role = upstreamChunk({ role: "assistant", content: "" });
  const { stream } = readEvents(call, role, JSON.stringify(errors[0]));
  expect(stream.fault?.code).toBe("upstream_rate_limited");
});

test("an event that says only that all is well changes nothing", () => {
  const wells = [
    '{"choices":null,"base_resp":{"status_code":0,"status_msg":"success"}}',
    '{"code":0,"msg":"success","choices":null}',
  ];
  for (const well of wells) {
    const { events, stream } = readEvents(call, well, say("a"), well, stop, usage, well, "[DONE]");
    expect([tokensOf(events), stream.fault, stream.done]).toEqual([1, undefined, true]);
    expect(events.filter(({ kind }) => kind === "usage").length).toBeGreaterThan(0);
  }
});

test("a null error is not an error, and is never passed on", () => {
  const quiet = upstreamChunk({ content: "a" }, { error: null }, { error: null });
  const { events, stream } = readEvents(call, quiet, quiet, stop, "[DONE]");
  expect(JSON.stringify(events)).not.toContain("error");
  expect(stream.done).toBe(true);
});

test("events without choices, usage or meaning are dropped", () => {
  const azure = '{"id":"","choices":[],"prompt_filter_results":[]}';
  const filter = '{"choices":[{"index":0,"content_filter_results":{},"finish_reason":null}]}';
  const { events } = readEvents(call, azure, say("a"), filter, say(""), stop, filter, "[DONE]");
  expect(chunksOf(events)).toHaveLength(2);
});

test("of several usages the last valid one counts, and none before the end of the text", () => {
  const early = upstreamChunk(
    { content: "a" },
    {},
    { usage: { prompt_tokens: 4, completion_tokens: 0 } },
  );
  const bad = '{"choices":[],"usage":{"prompt_tokens":4,"completion_tokens":-7}}';
  const { events } = readEvents(call, early, say("b"), stop, usage, bad, "[DONE]");
  expect(events.filter((event) => event.kind === "usage")).toMatchObject([
    { usage: { promptTokens: 4, completionTokens: 2 } },
  ]);
  for (const outdated of [early, usage]) {
    const payloads = [say("a"), say("b"), outdated, say("c"), stop, bad, "[DONE]"];
    const { events: unbilled } = readEvents(call, ...payloads);
    expect(unbilled.some((event) => event.kind === "usage")).toBe(false);
  }
});

test("usage is found where Groq puts it and beside the finish", () => {
  const counts = { prompt_tokens: 4, completion_tokens: 1 };
  const places = [
    upstreamChunk({}, { finish_reason: "stop" }, { x_groq: { id: "r", usage: counts } }),
    upstreamChunk({}, { finish_reason: "stop" }, { usage: counts }),
    upstreamChunk({}, { finish_reason: "stop", usage: counts }),
  ];
  for (const last of places) {
    const { events } = readEvents(
      sampleCall({ like: "groq", body: { stream: true } }),
      say("a"),
      last,
    );
    expect(events.map(({ kind }) => kind)).toEqual(["chunk", "usage", "chunk", "finish", "done"]);
    expect(JSON.stringify(chunksOf(events))).not.toContain("usage");
    expect(JSON.stringify(chunksOf(events))).not.toContain("x_groq");
  }
});

test("two choices interleave, one per chunk, each with its own role, and its finish when all text is there", () => {
  const both = JSON.stringify({
    choices: [
      { index: 0, delta: { role: "assistant", content: "a" } },
      { index: 1, delta: { role: "assistant", content: "b" } },
    ],
  });
  const stopSecond = upstreamChunk({}, { index: 1, finish_reason: "length" });
  const { events, stream } = readEvents(call, both, stop, say("late"), stopSecond, usage, "[DONE]");
  expect(chunksOf(events)).toMatchObject([
    { choices: [{ index: 0, delta: { role: "assistant", content: "a" } }] },
    { choices: [{ index: 1, delta: { role: "assistant", content: "b" } }] },
    { choices: [{ index: 0, delta: { content: "late" }, finish_reason: null }] },
    { choices: [{ index: 0, finish_reason: "stop" }] },
    { choices: [{ index: 1, finish_reason: "length" }] },
  ]);
  expect(tokensOf(events)).toBe(3);
  expect(stream.done).toBe(true);
  expect(readEvents(call, both, stop, "[DONE]").stream.fault?.code).toBe("bad_gateway");
});

test("bursts of tokens are estimated by their bytes, deltas that can be one token counted", () => {
  const burst = sampleCall({ like: "groq", body: { stream: true } });
  const payloads = [say("four"), say("four and more"), say("ää"), say("x"), stop];
  expect(tokensOf(readEvents(burst, ...payloads).events)).toBe(1 + 4 + 1 + 1);
  expect(tokensOf(readEvents(call, ...payloads).events)).toBe(1 + 4 + 1 + 1);
  expect(tokensOf(readEvents(call, say("longest"), say("verantwoordelijkheid")).events)).toBe(2);
});

test("what follows a fault or the end is neither relayed nor counted", () => {
  const stream = new EventStream(call, { maxEventBytes: 4096, headers: new Headers() });
  const events: StreamEvent[] = stream.push(sseBytes(say("a"), stop, "[DONE]", say("b")));
  expect(tokensOf(events)).toBe(1);
  expect(stream.push(sseBytes(say("c")))).toEqual([]);
  expect(stream.end()).toEqual([]);
});

test("a thousand plain deltas cost a handful of parses", () => {
  const bytes = sseBytes(...Array.from({ length: 1000 }, (_, n) => say(` word${n}`)));
  const stream = new EventStream(call, { maxEventBytes: 4096, headers: new Headers() });
  const parse = spyOn(JSON, "parse");
  try {
    expect(tokensOf(stream.push(bytes))).toBe(1000);
    expect(parse.mock.calls.length).toBeLessThan(10);
  } finally {
    parse.mockRestore();
  }
});

test("an upstream that says with each piece why it ended has its text relayed, and the last reason once", () => {
  const ending = (content: string, reason: string) =>
    upstreamChunk({ content }, { finish_reason: reason });
  const { events, stream } = readEvents(
    call,
    ending("a", "stop"),
    ending("b", "stop"),
    ending("c", "length"),
    usage,
    "[DONE]",
  );
  expect(chunksOf(events)).toMatchObject([
    { choices: [{ delta: { role: "assistant", content: "a" }, finish_reason: null }] },
    { choices: [{ delta: { content: "b" }, finish_reason: null }] },
    { choices: [{ delta: { content: "c" }, finish_reason: null }] },
    { choices: [{ delta: {}, finish_reason: "length" }] },
  ]);
  expect(tokensOf(events)).toBe(3);
  expect(events.filter(({ kind }) => kind === "finish")).toHaveLength(1);
  expect(stream.done).toBe(true);
});
