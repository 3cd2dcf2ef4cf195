// The chunks of a streamed completion: one for each piece of text and for each ending, and none for what a
// text cannot show.
import { expect, test } from "bun:test";
import type { DeltaEvent } from "../protocol/pivot.ts";
import { completionsProtocol } from "./completions-protocol.ts";

const identity = { id: "cmpl-1", model: "a/b", created: 1 };

function choicesOf(...deltas: DeltaEvent[]): unknown[] {
  const request = completionsProtocol.parse('{"model":"a/b","prompt":"p"}', new Headers());
  const text = completionsProtocol.stream?.open(request, identity).writeDeltas(deltas);
  return [...(text ?? "").matchAll(/^data: (.*)$/gm)].flatMap(
    ([, json = ""]) => JSON.parse(json).choices,
  );
}

const shown = { text: "", index: 0, logprobs: null, finish_reason: null };
const textOf = (text: string): DeltaEvent => ({ kind: "text", choice: 0, text });

test("a piece of text, of reasoning and an ending are a chunk each", () => {
  const written = choicesOf(
    { kind: "reasoning", choice: 0, text: "hm", signature: undefined },
    textOf("Once"),
    { kind: "finish", choice: 0, reason: "length" },
  );
  expect(written).toEqual([
    { ...shown, reasoning: "hm" },
    { ...shown, text: "Once" },
    { ...shown, finish_reason: "length" },
  ]);
});

test("an empty piece and what is not text make no chunk", () => {
  const call = { id: "c", name: "f", arguments: "{}" };
  expect(choicesOf(textOf(""), { kind: "tool_call", choice: 0, index: 0, ...call })).toEqual([]);
});
