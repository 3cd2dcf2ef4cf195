// Deltas of an answer become steps and their events, which agree, and steps that come back become what they were.
import { expect, test } from "bun:test";
import { parseObject } from "@turnpike/base";
import type { DeltaEvent } from "../protocol/pivot.ts";
import { interactionsProtocol } from "./interactions-protocol.ts";
import { bill, callingDeltas, identity, parse } from "./sample-interaction.fixture.ts";

const showing = parse({ generation_config: { thinking_summaries: "auto" } });

function whole(deltas: readonly DeltaEvent[], request = showing): string {
  return interactionsProtocol.writeWhole({ kind: "deltas", deltas }, identity, bill, request);
}

function events(deltas: readonly DeltaEvent[], request = showing): unknown[] {
  const writer = interactionsProtocol.stream?.open(request, identity);
  if (writer === undefined) throw new Error("nothing is streamed");
  const text = deltas.map((delta) => writer.writeDeltas([delta])).join("") + writer.writeEnd(bill);
  const blocks = text.trimEnd().split("\n\n");
  expect(blocks.pop()).toBe("data: [DONE]");
  return blocks.map((block) => parseObject(block.slice(block.indexOf("\ndata: ") + 7)));
}

test("a call is signed by the thought before it, and every digit of its arguments is kept", () => {
  const text = whole(callingDeltas);
  expect(text).toContain('"arguments":{"id":12345678901234567890}');
  expect(parseObject(text)).toMatchObject({
    status: "requires_action",
    steps: [
      {
        type: "thought",
        summary: [{ type: "text", text: "I need a tool." }],
        signature: "c2lnbmVk",
      },
      { type: "function_call", id: "c1", name: "find" },
    ],
  });
});

test("a stream announces each step, and sends its pieces as they come", () => {
  const summary = (text: string) => {
    const content = { type: "text", text };
    return {
      event_type: "step.delta",
      index: 0,
      delta: { type: "thought_summary", content },
    };
  };
  expect(events(callingDeltas).slice(1, -1)).toEqual([
    { event_type: "step.start", index: 0, step: { type: "thought" } },
    summary("I need"),
    summary(" a tool."),
    {
      event_type: "step.delta",
      index: 0,
      delta: { type: "thought_signature", signature: "c2lnbmVk" },
    },
    { event_type: "step.stop", index: 0 },
    {
      event_type: "step.start",
      index: 1,
      step: { type: "function_call", id: "c1", name: "find", arguments: {} },
    },
    {
      event_type: "step.delta",
      index: 1,
      delta: { type: "arguments_delta", arguments: '{"id":12345678901234567890}' },
    },
    { event_type: "step.stop", index: 1 },
  ]);
});

test("no answer asks its client to continue it", () => {
  for (const reason of ["length", "content_filter", "stop"] as const) {
    const deltas: DeltaEvent[] = [{ kind: "finish", choice: 0, reason }];
    const status = reason === "stop" ? "completed" : "incomplete";
    const text = whole(deltas) + JSON.stringify(events(deltas));
    expect(parseObject(whole(deltas))?.status).toBe(status);
    expect(text).not.toContain("continuation");
  }
});

test("an image is a content of the model's output, between its texts", () => {
  const deltas: DeltaEvent[] = [
    { kind: "text", choice: 0, text: "Here" },
    { kind: "text", choice: 0, text: ":" },
    { kind: "image", choice: 0, url: "data:image/png;base64,AAAA" },
    { kind: "text", choice: 0, text: "Done." },
  ];
  expect(parseObject(whole(deltas))?.steps).toEqual([
    {
      type: "model_output",
      content: [
        { type: "text", text: "Here:" },
        { type: "image", mime_type: "image/png", data: "AAAA" },
        { type: "text", text: "Done." },
      ],
    },
  ]);
});

test("usage counts thoughts beside the output, and says what is not text", () => {
  expect(parseObject(whole([]))?.usage).toEqual({
    total_input_tokens: 10,
    input_tokens_by_modality: [{ modality: "text", tokens: 10 }],
    total_cached_tokens: 3,
    cached_tokens_by_modality: [{ modality: "text", tokens: 3 }],
    total_output_tokens: 5,
    output_tokens_by_modality: [
      { modality: "text", tokens: 3 },
      { modality: "image", tokens: 2 },
    ],
    total_thought_tokens: 4,
    total_tool_use_tokens: 0,
    total_tokens: 19,
    cost: 0,
  });
});

const anthropics: readonly DeltaEvent[] = [
  { kind: "reasoning", choice: 0, text: "Hm.", signature: "sig", format: "anthropic-claude-v1" },
  { kind: "tool_call", choice: 0, index: 0, id: "c1", name: "find", arguments: "{}" },
  { kind: "finish", choice: 0, reason: "tool_calls" },
];

test.each([
  ["Gemini", callingDeltas, "auto"],
  ["Gemini", callingDeltas, "none"],
  ["another provider", anthropics, "auto"],
  ["another provider", anthropics, "none"],
])("what %s signed comes back to it with its signature", (_, deltas, shown) => {
  const request = parse({ generation_config: { thinking_summaries: shown } });
  const steps = parseObject(whole(deltas, request))?.steps;
  if (!Array.isArray(steps)) throw new Error("there are no steps");
  const result = { type: "function_result", call_id: "c1", result: "Found." };
  const { parsed } = parse({ input: [{ type: "user_input", content: "Hi" }, ...steps, result] });
  const messages = Array.isArray(parsed.messages) ? parsed.messages : [];
  const signed =
    deltas === callingDeltas
      ? { tool_calls: [{ id: "c1", extra_content: { google: { thought_signature: "c2lnbmVk" } } }] }
      : {
          tool_calls: [{ id: "c1" }],
          reasoning_details: [{ type: "reasoning.text", text: "Hm.", signature: "sig" }],
        };
  expect(messages[1]).toMatchObject({ role: "assistant", ...signed });
  expect(messages[2]).toMatchObject({ role: "tool", tool_call_id: "c1", content: "Found." });
});
