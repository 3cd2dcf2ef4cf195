import { expect, test } from "bun:test";
import { Fault, parseObject } from "@turnpike/base";
import { SseSplitter } from "@turnpike/wire";
import fc from "fast-check";
import type { StreamEvent } from "../../provider.ts";
import type { ChatCall } from "./build-request.ts";
import { EventStream } from "./event-stream.ts";
import { newStreamMemory, normalizeChunk } from "./normalize-chunk.ts";
import { sampleCall, shown, sseBytes, tokensOf, upstreamChunk } from "./sample-call.fixture.ts";
import { ContentSplicer } from "./splice-content.ts";

type Read = {
  readonly events: readonly unknown[];
  readonly tokens: number;
  readonly failed: boolean;
};

/** Of deltas that were spliced together only the sum of their tokens is known. */
function readOf(events: readonly StreamEvent[], failed: boolean): Read {
  const withoutTokens = shown(events).map((event) =>
    "tokens" in event ? { ...event, tokens: 0 } : event,
  );
  return { events: withoutTokens, tokens: tokensOf(events), failed };
}

/** `cuts` says where the network cuts the bytes; without it each event arrives separately. */
function readFast(call: ChatCall, payloads: readonly string[], cuts?: readonly number[]): Read {
  const stream = new EventStream(call, { maxEventBytes: 1024 * 1024, headers: new Headers() });
  if (cuts === undefined) {
    const events = payloads.flatMap((payload) => stream.push(sseBytes(payload)));
    return readOf(events, stream.fault !== undefined);
  }
  const bytes = sseBytes(...payloads);
  const ends = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  let from = 0;
  const events = [...ends, bytes.length].flatMap((end) => {
    const read = stream.push(bytes.subarray(from, end));
    from = end;
    return read;
  });
  return readOf(events, stream.fault !== undefined);
}

/** The same by parsing every event. */
function readSlow(call: ChatCall, payloads: readonly string[]): Read {
  const events: StreamEvent[] = [];
  const memory = newStreamMemory(new Headers());
  const splitter = new SseSplitter({ maxEventBytes: 1024 * 1024 });
  for (const payload of payloads.flatMap((one) => splitter.push(sseBytes(one)))) {
    const source = parseObject(payload);
    if (!source) return readOf(events, true);
    try {
      normalizeChunk(source, call, memory, events, false);
    } catch (thrown) {
      if (thrown instanceof Fault) return readOf(events, true);
      throw thrown;
    }
  }
  return readOf(events, false);
}

/** What json.dumps of Python writes: spaces, and optionally ASCII only. */
function spaced(payload: string): string {
  return JSON.stringify(JSON.parse(payload), null, 1)
    .replace(/\n\s*/g, " ")
    .replace(/([[{]) /g, "$1")
    .replace(/ ([\]}])/g, "$1");
}

function asciiOnly(payload: string): string {
  return payload.replace(/[\u0080-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

const dialects = [
  (payload: string) => payload,
  spaced,
  asciiOnly,
  (payload: string) => payload.replace('{"id":"theirs"', '{"content":"x","id":"theirs"'),
  (payload: string) => payload.replace(/}$/, ',"choices2":[{"delta":{"content":"x"}}]}'),
  (payload: string) => payload.replace(/}$/, ',"usage":{"prompt_tokens":1,"completion_tokens":2}}'),
  (payload: string) => payload.replace(/}$/, ',"obfuscation":null,"system_fingerprint":"fp_1"}'),
];

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom(
    " tok",
    "x",
    "\n",
    '"',
    "\\",
    "\t",
    "\u2028",
    "\u007f",
    "😀",
    "",
    "a".repeat(300),
  ),
);

/** Raw text inserted for the content's text, including broken or adversarial JSON. */
const anyMiddle = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom(
    'a","content":"b',
    'a"},"finish_reason":"stop","x":{"y":"',
    'a","tool_calls":[{"id":"c","function":{"name":"f"}}],"z":"',
    "\\",
    "\\u0041",
    "\t",
    "\u0000",
    '"',
    "",
    'x"}}]}',
    "\\ud800",
  ),
);

const anyEvent = fc.oneof(
  { weight: 8, arbitrary: anyText.map((content) => upstreamChunk({ content })) },
  {
    weight: 4,
    arbitrary: anyMiddle.map((middle) =>
      upstreamChunk({ content: "%" }).replace("%", () => middle),
    ),
  },
  { weight: 1, arbitrary: anyText.map((text) => upstreamChunk({ reasoning_content: text })) },
  { weight: 1, arbitrary: anyText.map((content) => upstreamChunk({ content }, { index: 1 })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      upstreamChunk({ role: "assistant", content: "" }),
      upstreamChunk({ content: null }),
      upstreamChunk({}, { finish_reason: "stop" }),
      upstreamChunk({ tool_calls: [{ index: 0, id: "c", function: { name: "f" } }] }),
    ),
  },
);

test("the spliced path yields exactly the events of the parsed path, for any input", () => {
  const setting = fc.record({
    payloads: fc.array(anyEvent, { maxLength: 24 }),
    dialect: fc.constantFrom(...dialects),
    like: fc.constantFrom("sandbox", "groq"),
    includeUsage: fc.boolean(),
    cuts: fc.option(fc.array(fc.nat(), { maxLength: 6 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(setting, ({ payloads, dialect, like, includeUsage, cuts }) => {
      const stream_options = { include_usage: includeUsage };
      const call = sampleCall({ like, body: { stream: true, stream_options } });
      const written = payloads.map((payload) =>
        parseObject(payload) ? dialect(payload) : payload,
      );
      expect(readFast(call, written, cuts)).toEqual(readSlow(call, written));
    }),
    { numRuns: 1500 },
  );
});

/** A splicer that has learned from `payload`, which became `ours`. */
function learned(payload: string, ours: string, frame = sseFrame): ContentSplicer {
  const splicer = new ContentSplicer("one", 4096);
  splicer.learn(frame(payload), payload, ours);
  return splicer;
}

function sseFrame(payload: string): Uint8Array {
  return sseBytes(payload);
}

function splice(splicer: ContentSplicer, bytes: Uint8Array, from = 0) {
  const events: StreamEvent[] = [];
  const end = splicer.splice(bytes, from, events);
  return { end, events: shown(events) };
}

const ours = (text: string) =>
  `{"id":"o","choices":[{"index":0,"delta":{"content":"${text}"},"logprobs":null}]}`;

test("plain deltas are spliced from the second one on, in both spellings, several at once", () => {
  for (const dialect of [dialects[0], dialects[1]]) {
    const payload = dialect?.(upstreamChunk({ content: "first" })) ?? "";
    expect(splice(new ContentSplicer("one", 4096), sseBytes(payload))).toEqual({
      end: 0,
      events: [],
    });
    const splicer = learned(payload, ours("first"));
    const bytes = sseBytes(
      ...["é😀", " tok", "two words"].map((text) => payload.replace("first", text)),
    );
    expect(splice(splicer, bytes)).toEqual({
      end: bytes.length,
      events: [
        { kind: "chunk", json: ours("é😀"), tokens: 5 },
        { kind: "chunk", json: ours(" tok"), tokens: 0 },
        { kind: "chunk", json: ours("two words"), tokens: 0 },
      ],
    });
    splicer.forget();
    expect(splice(splicer, bytes).end).toBe(0);
  }
});

test("events with names and Windows line ends are spliced too, and a cut-off event is not consumed", () => {
  const windows = (payload: string) =>
    new TextEncoder().encode(`event: message\r\ndata:${payload}\r\n\r\n`);
  const payload = upstreamChunk({ content: "first" });
  const splicer = learned(payload, ours("first"), windows);
  const next = windows(payload.replace("first", "x"));
  const bytes = Buffer.concat([next, next.subarray(0, -1)]);
  const { end, events } = splice(splicer, bytes);
  expect(end).toBe(next.length);
  expect(events).toEqual([{ kind: "chunk", json: ours("x"), tokens: 1 }]);
});

test("text that could end the string elsewhere, or is not UTF-8, is never spliced", () => {
  const payload = upstreamChunk({ content: "first" });
  const splicer = learned(payload, ours("first"));
  for (const middle of ['a"b', "a\\n", "\t", "\u0000", ""]) {
    expect(splice(splicer, sseBytes(payload.replace("first", () => middle))).end).toBe(0);
  }
  const broken = sseBytes(payload);
  broken[broken.indexOf(0x66)] = 0xff;
  expect(splice(splicer, broken).end).toBe(0);
});

test("learning stops for an upstream that varies every event", () => {
  const splicer = new ContentSplicer("one", 4096);
  for (let id = 0; id < 20; id += 1) {
    const payload = upstreamChunk({ content: "x" }, {}, { id });
    splicer.learn(sseBytes(payload), payload, ours("x"));
  }
  expect(splicer.learns).toBe(false);
  const constant = upstreamChunk({ content: "x" });
  splicer.learn(sseBytes(constant), constant, ours("x"));
  expect(splice(splicer, sseBytes(constant)).end).toBe(0);
});

test("a comment line glued to an event changes nothing, and what was learned stays", () => {
  const call = sampleCall();
  const payloads = Array.from({ length: 20 }, (_, index) =>
    upstreamChunk({ content: `w${index}` }),
  );
  const stream = new EventStream(call, { maxEventBytes: 1024 * 1024, headers: new Headers() });
  const events = payloads.flatMap((payload, index) => {
    const comment = index % 2 === 0 ? ": keep-alive\n" : "";
    return stream.push(Buffer.concat([Buffer.from(comment), sseBytes(payload)]));
  });
  expect(readSlow(call, payloads)).toEqual(readOf(events, false));
  expect(stream.fault).toBeUndefined();
  expect(events.filter(({ kind }) => kind === "frame").length).toBe(9);
});
