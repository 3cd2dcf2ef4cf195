// Deltas of an upstream and what a client of `/v1/messages` makes of them, streamed and whole.
import { expect } from "bun:test";
import { zeroNanos } from "@turnpike/terms";
import type { Bill, DeltaEvent } from "../protocol/pivot.ts";
import { messagesProtocol } from "./messages-protocol.ts";
import { MessagesStreamWriter } from "./messages-stream.ts";
import { parseMessagesRequest } from "./parse-messages-request.ts";

export const identity = { id: "msg_1", model: "vendor/model", created: 1 };
export const bill: Bill = {
  usage: {
    promptTokens: 10,
    completionTokens: 5,
    cachedTokens: 3,
    cacheWriteTokens: 2,
    reasoningTokens: 1,
  },
  costNanos: zeroNanos,
};
export const requestOf = (fields: object = {}) =>
  parseMessagesRequest(
    JSON.stringify({
      model: "m",
      max_tokens: 9,
      messages: [{ role: "user", content: "a" }],
      ...fields,
    }),
    new Headers(),
  );
export const request = requestOf();

export type Event = { readonly type: string } & Record<string, unknown>;

/** The events of a stream; fails unless each has its type as its name. */
export function eventsOf(text: string): Event[] {
  return text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const [, name, json] = /^event: (\S+)\ndata: (.*)$/.exec(frame) ?? [];
      const event = JSON.parse(json ?? "");
      expect(event.type).toBe(name);
      return event;
    });
}

export function streamOf(deltas: readonly DeltaEvent[], asked = request): Event[] {
  const writer = new MessagesStreamWriter(asked, identity);
  return eventsOf(
    deltas.map((delta) => writer.writeDeltas([delta])).join("") + writer.writeEnd(bill),
  );
}

export const wholeOf = (deltas: readonly DeltaEvent[], asked = request) =>
  JSON.parse(messagesProtocol.writeWhole({ kind: "deltas", deltas }, identity, bill, asked));

/** What a client assembles from the events; fails if an event is out of order. */
export function assemble(events: readonly Event[]): unknown[] {
  const blocks: Record<string, unknown>[] = [];
  const spelled: string[] = [];
  let open: number | undefined;
  for (const event of events) {
    if (event.type === "content_block_start") {
      expect([open, event.index]).toEqual([undefined, blocks.length]);
      open = blocks.length;
      blocks.push({ ...(event.content_block as object) });
      spelled.push("");
    } else if (event.type === "content_block_delta") {
      expect(event.index).toBe(open);
      const { type: _, partial_json: json, ...texts } = event.delta as Record<string, string>;
      const block = blocks[open ?? 0] ?? {};
      for (const [key, text] of Object.entries(texts)) block[key] = String(block[key]) + text;
      spelled[open ?? 0] += json ?? "";
    } else if (event.type === "content_block_stop") {
      expect(event.index).toBe(open);
      const block = blocks[open ?? 0];
      if (block?.type === "tool_use") block.input = JSON.parse(spelled[open ?? 0] || "{}");
      open = undefined;
    }
  }
  expect(open).toBeUndefined();
  return blocks;
}

export const text = (said: string): DeltaEvent => ({ kind: "text", choice: 0, text: said });
export const think = (said: string, signature?: string): DeltaEvent => ({
  kind: "reasoning",
  choice: 0,
  text: said,
  signature,
});
export const call = (index: number, fragment: string, id?: string): DeltaEvent => ({
  kind: "tool_call",
  choice: 0,
  index,
  id,
  name: id && `tool_${id}`,
  arguments: fragment,
});
export const finish = (
  reason: "stop" | "length" | "tool_calls" | "content_filter",
): DeltaEvent => ({
  kind: "finish",
  choice: 0,
  reason,
});
