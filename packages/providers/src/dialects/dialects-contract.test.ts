// The contract of every dialect, over its recorded streams: what they say reaches any caller, however the
// network cuts them, and what is cut off is a fault and never a complete answer. A new dialect joins by
// adding its recordings to the list.
import { describe, expect, test } from "bun:test";
import { chatProtocol, type DeltaEvent, messagesProtocol, type TokenUsage } from "@turnpike/wire";
import type { StreamEvent, StreamReader } from "../provider.ts";
import { recordedMessages } from "./anthropic/recorded-messages.fixture.ts";
import { recordedChunks } from "./openai/recorded-chunks.fixture.ts";
import type { Said } from "./recorded-stream.fixture.ts";

const dialects = [recordedChunks, recordedMessages];

const deltasOf = (events: readonly StreamEvent[]): DeltaEvent[] =>
  events.flatMap((event) => (event.kind === "deltas" ? event.deltas : []));
const tokensOf = (events: readonly StreamEvent[]) =>
  events.reduce((sum, event) => sum + ("tokens" in event ? event.tokens : 0), 0);

/** Feeds `parts`, then the end of the connection. */
function readAll(reader: StreamReader, ...parts: readonly Uint8Array[]): StreamEvent[] {
  return [...parts.flatMap((part) => reader.push(part)), ...reader.end()];
}

/** What typed events amount to, in the terms of a recording. */
function sumUp(events: readonly StreamEvent[], reader: StreamReader): Said {
  const said = { text: "", reasoning: "", signatures: [] as string[], encrypted: [] as string[] };
  const calls: [string, string][] = [];
  let finish: Said = {};
  let usage: TokenUsage | undefined;
  for (const event of events) if (event.kind === "usage") usage = event.usage;
  for (const event of deltasOf(events)) {
    if (event.kind === "text") said.text += event.text;
    if (event.kind === "reasoning") {
      said.reasoning += event.text;
      if (event.signature !== undefined) said.signatures.push(event.signature);
    }
    if (event.kind === "reasoning_encrypted") said.encrypted.push(event.data);
    if (event.kind === "tool_call") {
      const call = calls[event.index] ?? ["", ""];
      calls[event.index] = [call[0] + (event.name ?? ""), call[1] + event.arguments];
    }
    if (event.kind === "finish") {
      const { reason, stopSequence } = event;
      finish = { finish: reason, ...(stopSequence !== undefined && { stopSequence }) };
    }
  }
  const { fault } = reader;
  return {
    ...said,
    calls,
    ...finish,
    ...(usage && { usage }),
    ...(fault && { fault: fault.code }),
  };
}

const nothing: Said = { text: "", reasoning: "", signatures: [], encrypted: [], calls: [] };

describe.each(dialects.map((dialect) => [dialect.dialect, dialect] as const))("%s", (_, given) => {
  describe.each(given.streams.map((stream) => [stream.name, stream] as const))(
    "%s",
    (_, stream) => {
      const bytes = new TextEncoder().encode(stream.body);

      test("says what it says, to a caller of another language", () => {
        const reader = given.translated();
        const { usage, ...said } = sumUp(readAll(reader, bytes), reader);
        const { usage: expected, ...saying } = stream.says;
        expect(said).toEqual({ ...nothing, ...saying });
        if (expected === undefined) expect(usage).toBeUndefined();
        else expect(usage).toMatchObject(expected);
        expect(reader.done).toBe(stream.says.fault === undefined);
      });

      test.each([
        ["translated", given.translated],
        ["own", given.own],
      ])("cut in two at any byte, the same events come out (%s)", (_, open) => {
        const whole = open();
        const expected = flatten(readAll(whole, bytes));
        for (let cut = 1; cut < bytes.length; cut += 1) {
          const reader = open();
          const events = readAll(reader, bytes.subarray(0, cut), bytes.subarray(cut));
          expect(flatten(events)).toEqual(expected);
          expect([reader.done, reader.fault?.code]).toEqual([whole.done, whole.fault?.code]);
        }
      });

      test.each([
        ["translated", given.translated],
        ["own", given.own],
      ])(
        "cut off at any byte, it is complete or a fault, and counts no token twice (%s)",
        (_, open) => {
          const all = readAll(open(), bytes);
          let tokensBefore = 0;
          let wasDone = false;
          for (let cut = 0; cut <= bytes.length; cut += 1) {
            const reader = open();
            const events = readAll(reader, bytes.subarray(0, cut));
            const tokens = tokensOf(events);
            expect(tokens).toBeGreaterThanOrEqual(tokensBefore);
            expect(tokens).toBeLessThanOrEqual(tokensOf(all));
            expect(reader.done).toBe(reader.fault === undefined);
            if (wasDone) expect(reader.done).toBe(true);
            // A usage is final: none comes before the reason why the answer ended.
            const kinds = events.map(({ kind }) => kind);
            if (kinds.includes("usage") || reader.done) expect(kinds).toContain("finish");
            expect(kinds.includes("done")).toBe(reader.done);
            expect(reader.push(bytes)).toEqual([]);
            tokensBefore = tokens;
            wasDone = reader.done;
          }
        },
      );

      test.each([
        ["chat", chatProtocol, { model: "m", messages: [{ role: "user", content: "a" }] }],
        [
          "messages",
          messagesProtocol,
          { model: "m", max_tokens: 9, messages: [{ role: "user", content: "a" }] },
        ],
      ])(
        "cut off at any byte, every event that protocol %s writes is valid",
        (_, protocol, body) => {
          const request = protocol.parse(JSON.stringify({ ...body, stream: true }), new Headers());
          const stamp = { id: "id", model: "m", created: 1 };
          for (let cut = 0; cut <= bytes.length; cut += 1) {
            const writer = protocol.stream?.open(request, stamp);
            const reader = given.translated();
            const deltas = deltasOf(readAll(reader, bytes.subarray(0, cut)));
            const text = `${writer?.writeDeltas(deltas)}${reader.done ? writer?.writeEnd(undefined) : ""}`;
            for (const frame of text.split("\n\n").filter((part) => part !== "")) {
              const [, data] = /^(?:event: \w+\n)?data: (.*)$/.exec(frame) ?? [];
              expect(data).toBeDefined();
              if (data !== "[DONE]") expect(() => JSON.parse(data ?? "")).not.toThrow();
            }
          }
        },
      );
    },
  );
});

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
