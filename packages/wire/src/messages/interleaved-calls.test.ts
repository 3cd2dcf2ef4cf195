// Fragments of several calls, text and reasoning that arrive interleaved: an Anthropic stream has one block at a time.
import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import type { DeltaEvent } from "../protocol/pivot.ts";
import {
  assemble,
  call,
  finish,
  identity,
  request,
  streamOf,
  text,
  think,
  wholeOf,
} from "./messages-deltas.fixture.ts";
import { MessagesStreamWriter } from "./messages-stream.ts";

const thinking = { type: "thinking", thinking: "I see", signature: "sig" };
const redacted = { type: "redacted_thinking", data: "xx" };

test("calls whose fragments interleave are written one after the other, none lost", () => {
  const interleaved = [
    call(0, "", "a"),
    call(1, "", "b"),
    call(0, '{"x":'),
    call(1, '{"y":2'),
    call(0, "1}"),
    call(1, "}"),
    call(2, '{"z":3}', "c"),
    finish("tool_calls"),
  ];
  const expected = [
    { type: "tool_use", id: "a", name: "tool_a", input: { x: 1 } },
    { type: "tool_use", id: "b", name: "tool_b", input: { y: 2 } },
    { type: "tool_use", id: "c", name: "tool_c", input: { z: 3 } },
  ];
  expect(assemble(streamOf(interleaved))).toEqual(expected);
  expect(wholeOf(interleaved).content).toEqual(expected);
});

const encrypted: DeltaEvent = {
  kind: "reasoning_encrypted",
  choice: 0,
  data: "xx",
  id: undefined,
};
const toolUse = (id: string) => ({ type: "tool_use", id, name: `tool_${id}`, input: { x: 1 } });

test.each([
  ["text", [text("\n")], [{ type: "text", text: "\n" }]],
  ["reasoning", [think("I "), think("see", "sig")], [thinking]],
  ["encrypted reasoning", [encrypted], [redacted]],
])("%s between the fragments of a call follows it, and no argument is lost", (_, said, shown) => {
  const splits = [
    ['{"x":', "1}"],
    ["", '{"x":1}'],
  ] as const;
  for (const [first, rest] of splits) {
    const deltas = [call(0, first, "a"), ...said, call(0, rest), ...said, call(1, '{"x":1}', "b")];
    const expected = [toolUse("a"), ...joinText([...shown, ...shown]), toolUse("b")];
    expect(assemble(streamOf(deltas))).toEqual(expected);
    expect(wholeOf(deltas).content).toEqual(expected);
  }
});

/** Adjacent texts are one block. */
function joinText(shown: readonly unknown[]): readonly unknown[] {
  const [first] = shown;
  return first !== null && typeof first === "object" && "text" in first
    ? [{ type: "text", text: shown.map(() => first.text).join("") }]
    : shown;
}

test("text after a call without arguments is written at the end, before the calls that wait", () => {
  const deltas = [call(0, "", "a"), text("so"), call(1, '{"x":1}', "b"), text("on")];
  const expected = [
    { type: "tool_use", id: "a", name: "tool_a", input: {} },
    { type: "text", text: "soon" },
    toolUse("b"),
  ];
  expect(assemble(streamOf(deltas))).toEqual(expected);
  expect(wholeOf(deltas).content).toEqual(expected);
});

test("an answer that goes on after a call without arguments is not held back to its end", () => {
  const writer = new MessagesStreamWriter(request, identity);
  writer.writeDeltas([call(0, "", "a")]);
  const long = "a".repeat(1_000);
  let sent = "";
  for (let time = 0; time < 100; time += 1) sent += writer.writeDeltas([text(long)]);
  expect(sent.length).toBeGreaterThan(100 * long.length);
});

test("text that waits for the end of a call is sent before the error of a stream that breaks off", () => {
  const writer = new MessagesStreamWriter(request, identity);
  const sent = writer.writeDeltas([call(0, '{"x":', "a"), text("Done"), think("Now")]);
  expect(sent).not.toContain("Done");
  const events = namesIn(writer.writeFault(new Fault("bad_gateway", "Broken."), "req_1"));
  const block = ["content_block_stop", "content_block_start", "content_block_delta"];
  expect(events).toEqual([...block, ...block, "error"]);
});

const namesIn = (sent: string) => Array.from(sent.matchAll(/^event: (.+)$/gm), ([, name]) => name);

test("a refusal between the fragments of a call is the reason why the answer ended", () => {
  const refusal: DeltaEvent = { kind: "refusal", choice: 0, text: "I will not." };
  const deltas = [call(0, "", "a"), refusal, finish("stop")];
  expect(streamOf(deltas).at(-2)).toMatchObject({ delta: { stop_reason: "refusal" } });
});
