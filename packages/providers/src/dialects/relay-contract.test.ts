// What reaches a caller, over every recorded stream: the same bytes in its own language however the network
// cuts them, and in any other only events that are valid, wherever the upstream breaks off.
import { describe, expect, test } from "bun:test";
import {
  type ChatRequest,
  chatProtocol,
  geminiProtocol,
  messagesProtocol,
  type Protocol,
  responsesProtocol,
  type StreamWriter,
} from "@turnpike/wire";
import type { StreamEvent, StreamReader } from "../provider.ts";
import { dialectOf } from "./dialect-of.ts";
import { bytesOf, type RecordedAnswer } from "./recorded-answer.fixture.ts";
import { recordedStreams } from "./recorded-streams.fixture.ts";

const options = { maxEventBytes: 1024 * 1024, headers: new Headers() };

/** For a caller of the dialect's own language, or of another. */
function open({ call }: RecordedAnswer, isOwn: boolean): StreamReader {
  const dialect = dialectOf(call);
  const language = isOwn ? dialect.language : call.request.language;
  const request = { ...call.request, language };
  const reader = dialect.openStream?.({ ...call, request }, options);
  if (reader === undefined) throw new Error("this dialect does not stream");
  return reader;
}

/** Feeds `parts`, then the end of the connection. */
function readAll(reader: StreamReader, ...parts: readonly Uint8Array[]): StreamEvent[] {
  return [...parts.flatMap((part) => reader.push(part)), ...reader.end()];
}

/** What is sent to the client, in one piece: where it is cut differs from network to network. */
function flatten(events: readonly StreamEvent[]): unknown[] {
  const flat: unknown[] = [];
  const sent = { text: "", tokens: 0 };
  for (const event of events) {
    if (event.kind === "frame") sent.text += new TextDecoder().decode(event.bytes);
    else if (event.kind === "chunk") sent.text += `data: ${event.json}\n\n`;
    else flat.push(event);
    if ("tokens" in event && event.kind !== "deltas") sent.tokens += event.tokens;
  }
  return [sent, ...flat];
}

const gemini = geminiProtocol({ model: "m", stream: true }, "events");

/** Dialects without a protocol of the same language have no caller of their own language. */
const owned = recordedStreams.filter(({ call }) =>
  [chatProtocol, messagesProtocol, responsesProtocol, gemini].some(
    ({ language }) => language === dialectOf(call).language,
  ),
);

test.each(owned.map((recorded) => [recorded.name, recorded] as const))(
  "cut in two at any byte, a caller of its own language is sent the same: %s",
  (_, recorded) => {
    const bytes = bytesOf(recorded);
    const whole = open(recorded, true);
    const expected = flatten(readAll(whole, bytes));
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const reader = open(recorded, true);
      const events = readAll(reader, bytes.subarray(0, cut), bytes.subarray(cut));
      if (!Bun.deepEquals(flatten(events), expected)) expect(flatten(events)).toEqual(expected);
      expect([reader.done, reader.fault?.code]).toEqual([whole.done, whole.fault?.code]);
    }
  },
);

const identity = { id: "id", model: "m", created: 1 };
const said = [{ role: "user", content: "a" }];

/** Opens the stream of one request repeatedly. */
function writersOf<Request extends ChatRequest>(
  protocol: Protocol<Request>,
  body: object,
): () => StreamWriter | undefined {
  const text = JSON.stringify({ model: "m", stream: true, ...body });
  const request = protocol.parse(text, new Headers());
  return () => protocol.stream?.open(request, identity);
}

describe.each([
  ["chat", writersOf(chatProtocol, { messages: said })],
  ["messages", writersOf(messagesProtocol, { messages: said, max_tokens: 9 })],
  ["responses", writersOf(responsesProtocol, { input: said })],
  ["gemini", writersOf(gemini, { contents: [{ parts: [{ text: "a" }] }] })],
])("protocol %s", (_, openWriter) => {
  test.each(recordedStreams.map((recorded) => [recorded.name, recorded] as const))(
    "broken off at any byte, every event it writes is valid: %s",
    (_, recorded) => {
      const bytes = bytesOf(recorded);
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        const writer = openWriter();
        const reader = open(recorded, false);
        const events = readAll(reader, bytes.subarray(0, cut));
        const deltas = events.flatMap((event) => (event.kind === "deltas" ? event.deltas : []));
        const end = reader.done ? writer?.writeEnd(undefined) : "";
        checkFrames(`${writer?.writeDeltas(deltas)}${end}`);
      }
    },
  );
});

function checkFrames(text: string): void {
  for (const frame of text.split("\n\n")) {
    if (frame === "") continue;
    const [, name, data] = /^(?:event: ([\w.]+)\n)?data: (.*)$/.exec(frame) ?? [];
    if (data === undefined) throw new Error(`no event: ${frame}`);
    if (data === "[DONE]") continue;
    const event: { type?: string } = JSON.parse(data);
    if (name !== undefined) expect(event.type).toBe(name);
  }
}
