import { expect, test } from "bun:test";
import { Fault, parseObject } from "@turnpike/base";
import { SseSplitter } from "@turnpike/wire";
import fc from "fast-check";
import type { StreamEvent } from "../../provider.ts";
import type { ChatCall } from "./ask.ts";
import { EventStream } from "./event-stream.ts";
import { newStreamMemory, normaliseChunk } from "./normalise-chunk.ts";
import { sampleCall, sseBytes, upstreamChunk } from "./sample-call.fixture.ts";
import { ContentSplicer } from "./splice-content.ts";

type Read = { readonly events: StreamEvent[]; readonly failed: boolean };

function readFast(call: ChatCall, payloads: readonly string[]): Read {
  const stream = new EventStream(call, { maxEventBytes: 1024 * 1024, headers: new Headers() });
  const events = payloads.flatMap((payload) => stream.push(sseBytes(payload)));
  return { events, failed: stream.fault !== undefined };
}

/** The same by parsing every event. */
function readSlow(call: ChatCall, payloads: readonly string[]): Read {
  const events: StreamEvent[] = [];
  const memory = newStreamMemory(new Headers());
  const splitter = new SseSplitter();
  for (const payload of payloads.flatMap((one) => splitter.push(sseBytes(one)))) {
    const source = parseObject(payload);
    if (!source) return { events, failed: true };
    try {
      normaliseChunk(source, call, memory, events);
    } catch (thrown) {
      if (thrown instanceof Fault) return { events, failed: true };
      throw thrown;
    }
  }
  return { events, failed: false };
}

/** What json.dumps of Python writes: blanks, and optionally ASCII only. */
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

/** Raw text put where the content's text stands, broken or cunning JSON included. */
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

test("the spliced path gives the very events of the parsed path, whatever comes", () => {
  const setting = fc.record({
    payloads: fc.array(anyEvent, { maxLength: 24 }),
    dialect: fc.constantFrom(...dialects),
    like: fc.constantFrom("sandbox", "groq"),
    includeUsage: fc.boolean(),
  });
  fc.assert(
    fc.property(setting, ({ payloads, dialect, like, includeUsage }) => {
      const stream_options = { include_usage: includeUsage };
      const call = sampleCall({ like, body: { stream: true, stream_options } });
      const written = payloads.map((payload) =>
        parseObject(payload) ? dialect(payload) : payload,
      );
      expect(readFast(call, written)).toEqual(readSlow(call, written));
    }),
    { numRuns: 1500 },
  );
});

test("plain deltas are spliced from the second one on, in both spellings", () => {
  for (const dialect of [dialects[0], dialects[1]]) {
    const splicer = new ContentSplicer("one");
    const payload = dialect?.(upstreamChunk({ content: "first" })) ?? "";
    const ours = `{"id":"o","choices":[{"index":0,"delta":{"content":"first"},"logprobs":null}]}`;
    expect(splicer.splice(payload)).toBeUndefined();
    splicer.learn(payload, ours);
    expect(splicer.splice(payload.replace("first", "é😀"))).toEqual({
      kind: "chunk",
      json: ours.replace("first", "é😀"),
      tokens: 1,
    });
    splicer.forget();
    expect(splicer.splice(payload)).toBeUndefined();
  }
});

test("text that could end the string elsewhere is never spliced", () => {
  const splicer = new ContentSplicer("one");
  const payload = upstreamChunk({ content: "first" });
  splicer.learn(payload, `{"choices":[{"delta":{"content":"first"}}]}`);
  for (const middle of ['a"b', "a\\n", "\t", "\u0000", ""]) {
    expect(splicer.splice(payload.replace("first", () => middle))).toBeUndefined();
  }
});

test("an upstream that varies every event stops costing attempts to learn", () => {
  const splicer = new ContentSplicer("one");
  const ours = `{"choices":[{"delta":{"content":"x"}}]}`;
  for (let id = 0; id < 20; id += 1)
    splicer.learn(upstreamChunk({ content: "x" }, {}, { id }), ours);
  const constant = upstreamChunk({ content: "x" });
  splicer.learn(constant, ours);
  expect(splicer.splice(constant)).toBeUndefined();
});
