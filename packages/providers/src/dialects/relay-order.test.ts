// Streams that are relayed unchanged, from upstreams that do not keep the order of their own language:
// what is missing is added if the stream says what it is, and anything else ends it as broken.
import { describe, expect, test } from "bun:test";
import type { StreamEvent, StreamReader } from "../provider.ts";
import { ownCall } from "./anthropic/sample-messages-call.fixture.ts";
import { dialectOf } from "./dialect-of.ts";
import { sampleEvents, sampleResponseCall } from "./openai-responses/sample-response.fixture.ts";

type Event = Readonly<Record<string, unknown>>;

const options = { maxEventBytes: 1024 * 1024, headers: new Headers() };
const openers: Readonly<Record<string, () => StreamReader | undefined>> = {
  messages: () => {
    const call = ownCall({ stream: true });
    return dialectOf(call).openStream?.(call, options);
  },
  responses: () => {
    const call = sampleResponseCall({ body: { stream: true } });
    return dialectOf(call).openStream?.(call, options);
  },
};

function relay(language: string, events: readonly Event[]) {
  const reader = openers[language]?.();
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const read: StreamEvent[] = reader?.push(new TextEncoder().encode(text)) ?? [];
  const sent = read.flatMap((event): Event[] =>
    event.kind === "chunk" ? [JSON.parse(event.json)] : [],
  );
  return { sent, types: sent.map(({ type }) => type), fault: reader?.fault, done: reader?.done };
}

const begun: Event = { type: "message_start", message: { id: "m" } };
const block = (index: number): Event => ({
  type: "content_block_start",
  index,
  content_block: { type: "text", text: "" },
});
const said = (index: number): Event => ({
  type: "content_block_delta",
  index,
  delta: { type: "text_delta", text: "a" },
});
const ended = (index: number): Event => ({ type: "content_block_stop", index });
const reason: Event = { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} };
const stop: Event = { type: "message_stop" };

describe("messages", () => {
  test("a missing end of a block is added before what follows it", () => {
    const events = [begun, block(0), said(0), block(1), said(1), reason, stop];
    const { types, done } = relay("messages", events);
    expect(types).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
    ]);
    expect(done).toBe(true);
  });

  test.each([
    ["a second beginning", [begun, begun]],
    ["a block before the message", [block(0)]],
    ["a block at another position", [begun, block(1)]],
    ["text of no block", [begun, said(0)]],
    ["text of an ended block", [begun, block(0), ended(0), said(0)]],
    ["a block after the stop reason", [begun, reason, block(0)]],
    ["a name that would break the framing", [begun, { type: "x\n\ndata: {}" }]],
  ])("%s is a broken answer", (_, events) => {
    const { fault, sent } = relay("messages", events);
    expect(fault?.code).toBe("bad_gateway");
    expect(sent.length).toBeLessThan(events.length);
  });
});

const [created = {}, , added = {}, delta = {}] = sampleEvents;
const completed = sampleEvents.at(-1) ?? {};

describe("responses", () => {
  test("numbers have no gaps, whatever the upstream's numbers are", () => {
    const events = sampleEvents.map((event, at) => ({ ...event, sequence_number: at * 2 + 5 }));
    const { sent, done } = relay("responses", events);
    expect(sent.map((event) => event.sequence_number)).toEqual(sent.map((_, index) => index));
    expect(done).toBe(true);
  });

  test("a missing end of an item is added as the last event shows it", () => {
    const { types, sent } = relay("responses", [created, added, delta, completed]);
    expect(types.slice(-2)).toEqual(["response.output_item.done", "response.completed"]);
    expect(sent.at(-2)).toMatchObject({ output_index: 0, item: { status: "completed" } });
  });

  test.each([
    ["a second beginning", [created, created]],
    ["text before the beginning", [delta]],
    ["text of no item", [created, delta]],
    ["an item that begins twice", [created, added, added]],
    ["a name that would break the framing", [created, { type: "x\ny" }]],
    ["an end without its response", [created, { type: "response.completed" }]],
  ])("%s is a broken answer", (_, events) => {
    const { fault, sent } = relay("responses", events);
    expect(fault?.code).toBe("bad_gateway");
    expect(sent.length).toBeLessThan(events.length);
  });
});
