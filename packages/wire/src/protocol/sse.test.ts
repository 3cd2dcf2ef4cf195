import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import fc from "fast-check";
import { chatProtocol } from "../chat/chat-protocol.ts";
import { completionsProtocol } from "../completions/completions-protocol.ts";
import { messagesProtocol } from "../messages/messages-protocol.ts";
import { responsesProtocol } from "../responses/responses-protocol.ts";
import { SseSplitter, sseData, sseDone, sseKeepAlive } from "./sse.ts";

const encoder = new TextEncoder();
const maxEventBytes = 1024 * 1024;

function split(stream: string | Uint8Array, cuts: readonly number[] = []): string[] {
  const bytes = typeof stream === "string" ? encoder.encode(stream) : stream;
  const splitter = new SseSplitter({ maxEventBytes });
  const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  return edges.flatMap((edge, index) => splitter.push(bytes.subarray(edge, edges[index + 1])));
}

const event = fc.oneof(
  fc.json().map((json) => ({ lines: [`data: ${json}`], payload: json })),
  fc.constantFrom("é🐎𝕊", "[DONE]", "a:b").map((text) => ({
    lines: ["event: message", `data:${text}`, "id: 7"],
    payload: text,
  })),
  fc.constant({ lines: ["data: {", "data: }", ": inside"], payload: "{\n}" }),
  fc.constant({ lines: ["data:  two spaces"], payload: " two spaces" }),
  fc.constant({ lines: [": keep-alive"], payload: undefined }),
  fc.constant({ lines: ["retry: 3000"], payload: undefined }),
  fc.constant({ lines: ["data"], payload: undefined }),
  fc.constant({ lines: ["data:", ""], payload: undefined }),
  fc.constant({ lines: ["database: no"], payload: undefined }),
);
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");

test("any cut of a stream, with any line ends, yields the same payloads", () => {
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 6 }),
      lineEnd,
      fc.boolean(),
      fc.array(fc.nat(), { maxLength: 12 }),
      (events, end, bom, seeds) => {
        const body = events.map(({ lines }) => [...lines, "", ""].join(end)).join("");
        const bytes = encoder.encode(`${bom ? "\uFEFF" : ""}${body}`);
        const cuts = seeds.map((seed) => seed % (bytes.length + 1));
        const expected = events.flatMap(({ payload }) => payload ?? []);
        expect(split(bytes, cuts)).toEqual(expected);
      },
    ),
    { numRuns: 500 },
  );
});

test("a stream fed byte by byte yields the same payloads", () => {
  const stream = `: hi\r\n\r\ndata: {"a":"é🐎"}\r\n\r\ndata: 2\n\n${sseKeepAlive}${sseDone}`;
  const everywhere = Array.from(encoder.encode(stream).keys());
  expect(split(stream, everywhere)).toEqual(['{"a":"é🐎"}', "2", "[DONE]"]);
});

test("what is written is read back", () => {
  expect(split(sseData('{"a":1}') + sseKeepAlive + sseDone)).toEqual(['{"a":1}', "[DONE]"]);
});

test("an event without its blank line is not delivered, and the splitter is not between events", () => {
  const push = (stream: string | Uint8Array) => {
    const splitter = new SseSplitter({ maxEventBytes });
    const bytes = typeof stream === "string" ? encoder.encode(stream) : stream;
    return { payloads: splitter.push(bytes), isBetween: splitter.isBetweenEvents };
  };
  expect(push("data: 1\n\n")).toEqual({ payloads: ["1"], isBetween: true });
  expect(push("data: 1\n\ndata: 2\n")).toEqual({ payloads: ["1"], isBetween: false });
  expect(push("data: 1\n\ndat")).toEqual({ payloads: ["1"], isBetween: false });
  expect(push(Uint8Array.of(0xf0, 0x9f))).toEqual({ payloads: [], isBetween: false });
  expect(push("data: 1\r\n\r\n")).toEqual({ payloads: ["1"], isBetween: true });
});

test("the end of the connection ends the last event, unless it was cut off", () => {
  const atEnd = (stream: string | Uint8Array) => {
    const splitter = new SseSplitter({ maxEventBytes });
    const bytes = typeof stream === "string" ? encoder.encode(stream) : stream;
    return { payloads: splitter.push(bytes), last: splitter.end() };
  };
  const first = 'data: {"a":1}\n\n';
  const payloads = ['{"a":1}'];
  for (const lineEnd of ["", "\n", "\r\n", "\r"]) {
    expect(atEnd(`${first}data: {"b":2}${lineEnd}`)).toEqual({ payloads, last: ['{"b":2}'] });
    expect(atEnd(`${first}data: [DONE]${lineEnd}`)).toEqual({ payloads, last: ["[DONE]"] });
    expect(atEnd(`data: {${lineEnd}`)).toEqual({ payloads: [], last: [] });
  }
  for (const rest of [
    "",
    "\r",
    "\n",
    ": ok",
    "dat",
    "data",
    "data:",
    'data: {"b":',
    "data: [DON",
  ]) {
    expect(atEnd(first + rest)).toEqual({ payloads, last: [] });
  }
  const halfCharacter = encoder.encode('data: {"b":"é').subarray(0, -1);
  expect(atEnd(halfCharacter)).toEqual({ payloads: [], last: [] });
});

test("an event that is named an error is known by its position, however it is split", () => {
  const stream =
    "event: x\n\nevent: error\ndata: 1\n\ndata: 2\n\nevent:error\n\ndata: 3\n\nevent: errors\ndata: 4\n\ndata: 5\nevent:error\n\n";
  for (const lineEnd of ["\n", "\r\n", "\r"]) {
    const bytes = encoder.encode(stream.replaceAll("\n", lineEnd));
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const splitter = new SseSplitter({ maxEventBytes });
      const errors = [bytes.subarray(0, cut), bytes.subarray(cut)].flatMap((piece) =>
        splitter.push(piece).filter((_, position) => splitter.isNamedError(position)),
      );
      expect({ lineEnd, cut, errors }).toEqual({ lineEnd, cut, errors: ["1", "5"] });
    }
  }
});

test("an event beyond the limit is refused, however it is split", () => {
  const codeOf = (pieces: readonly string[]) => {
    const splitter = new SseSplitter({ maxEventBytes: 30 });
    try {
      for (const piece of pieces) splitter.push(encoder.encode(piece));
    } catch (thrown) {
      return thrown instanceof Fault ? thrown.code : "bug";
    }
    return "accepted";
  };
  expect(codeOf([`data: ${"x".repeat(24)}\n\n`, `data: ${"x".repeat(30)}\n\n`])).toBe("accepted");
  expect(codeOf([`data: ${"x".repeat(31)}\n\n`])).toBe("bad_gateway");
  expect(codeOf([`data: ${"é".repeat(16)}\n\n`])).toBe("bad_gateway");
  expect(codeOf(["data: ", ..."x".repeat(31)])).toBe("bad_gateway");
  expect(codeOf(Array.from({ length: 17 }, () => "data: x\n"))).toBe("bad_gateway");
});

test("a keep-alive ends no event in any protocol, except that of Anthropic, which has an event for it", () => {
  for (const { stream } of [chatProtocol, completionsProtocol, responsesProtocol]) {
    expect(stream?.keepAlive).toBe(": keep-alive\n");
  }
  expect(messagesProtocol.stream?.keepAlive).toBe('event: ping\ndata: {"type": "ping"}\n\n');
});
