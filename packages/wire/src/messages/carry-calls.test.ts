// What has to survive when a tool call passes through a client of the messages API and back.
import { expect, spyOn, test } from "bun:test";
import type { DeltaEvent } from "../protocol/pivot.ts";
import { messagesProtocol } from "./messages-protocol.ts";
import { MessagesStreamWriter } from "./messages-stream.ts";
import { parseMessagesRequest } from "./parse-messages-request.ts";

const identity = { id: "msg_1", model: "vendor/model", created: 1 };
const requestOf = (fields: object = {}) => {
  const body = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "a" }], ...fields };
  return parseMessagesRequest(JSON.stringify(body), new Headers());
};
const request = requestOf();
const wholeOf = (deltas: readonly DeltaEvent[], asked = request) =>
  JSON.parse(messagesProtocol.writeWhole({ kind: "deltas", deltas }, identity, undefined, asked));

function streamedKinds(deltas: readonly DeltaEvent[]): string[] {
  const writer = new MessagesStreamWriter(request, identity);
  const text = writer.writeDeltas(deltas) + writer.writeEnd(undefined);
  return [...text.matchAll(/"content_block":\{"type":"(\w+)"/g)].map(([, kind]) => kind ?? "");
}

const call = (index: number, fragment: string, id: string) =>
  ({
    kind: "tool_call",
    choice: 0,
    index,
    id,
    name: `tool_${id}`,
    arguments: fragment,
  }) satisfies DeltaEvent;

test("what a provider needs back with a call precedes it as redacted thinking, and is restored to the call", () => {
  const extra = { extra_content: { google: { thought_signature: "sig-a" } } };
  const calls: DeltaEvent[] = [{ ...call(0, '{"x":1}', "a"), extra }, call(1, "{}", "b")];
  const content = wholeOf(calls).content as Record<string, unknown>[];
  expect(content.map(({ type }) => type)).toEqual(["redacted_thinking", "tool_use", "tool_use"]);
  expect(streamedKinds(calls)).toEqual(["redacted_thinking", "tool_use", "tool_use"]);
  const results = ["a", "b"].map((id) => ({ type: "tool_result", tool_use_id: id, content: "r" }));
  const messages = [
    { role: "user", content: "q" },
    { role: "assistant", content },
    { role: "user", content: results },
  ];
  const next = requestOf({ messages });
  const [, asked] = next.parsed.messages as Record<string, unknown>[];
  expect(asked?.tool_calls).toMatchObject([{ id: "a", ...extra }, { id: "b" }]);
  expect(asked?.reasoning_details).toBeUndefined();
  // Anthropic cannot read such a block.
  expect(JSON.parse(next.raw).messages[1].content).toEqual(content.slice(1));
});

test("a call of a tool with a long name comes back under the caller's own name", () => {
  const long = `mcp__${"server_".repeat(15)}`;
  const tools = [
    { name: long, input_schema: {} },
    { name: "short", input_schema: {} },
  ];
  const messages = [
    { role: "user", content: "q" },
    { role: "assistant", content: [{ type: "tool_use", id: "a", name: long, input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "a" }] },
  ];
  const tool_choice = { type: "tool", name: long };
  const asked = requestOf({ tools, messages, tool_choice });
  const [{ function: offered }, short] = asked.parsed.tools as [
    { function: { name: string } },
    unknown,
  ];
  expect(offered.name).toMatch(/^mcp__[a-z_0-9]{1,59}$/);
  expect(short).toMatchObject({ function: { name: "short" } });
  expect(asked.parsed.tool_choice).toMatchObject({ function: { name: offered.name } });
  expect(asked.parsed.messages).toMatchObject([
    {},
    { tool_calls: [{ function: { name: offered.name } }] },
    {},
  ]);
  const named = { ...call(0, "{}", "b"), name: offered.name };
  expect(wholeOf([named], asked).content).toEqual([
    { type: "tool_use", id: "b", name: long, input: {} },
  ]);
});

const blocksOf = (deltas: readonly DeltaEvent[]) =>
  (wholeOf(deltas).content as Record<string, unknown>[]).map(({ name, input }) => [name, input]);

test("a name that comes after the id of its call is kept, and the arguments between them", () => {
  const unnamed = (index: number, fragment: string, id: string | undefined): DeltaEvent => ({
    ...call(index, fragment, id ?? ""),
    id,
    name: undefined,
  });
  const late = { ...unnamed(0, "1", undefined), name: "late" } as DeltaEvent;
  const begun = [unnamed(0, '{"x":', "a"), late];
  expect(blocksOf([...begun, unnamed(0, "}", undefined)])).toEqual([["late", { x: 1 }]]);
  const other = call(1, "{}", "b");
  const interleaved = [unnamed(0, '{"x":', "a"), other, late, unnamed(0, "}", undefined)];
  expect(blocksOf(interleaved)).toEqual([
    ["late", { x: 1 }],
    ["tool_b", {}],
  ]);
  expect(streamedKinds(interleaved)).toEqual(["tool_use", "tool_use"]);
});

test("what follows the end of a call's block begins no other", () => {
  const trailing = { ...call(0, "", "a"), id: undefined, name: undefined };
  const calls = [call(0, '{"x":1}', "a"), call(1, "{}", "b"), trailing];
  expect(streamedKinds(calls)).toEqual(["tool_use", "tool_use"]);
});

test("arguments in many fragments are read once, also while another call waits", () => {
  const fragments = 2_000;
  const list = Array.from({ length: fragments }, (_, at) => `${at === 0 ? '{"x":[' : ","}{"y":{}}`);
  const deltas = [
    call(0, "", "a"),
    call(1, '{"z":1}', "b"),
    ...[...list, "]}"].map((fragment) => ({ ...call(0, fragment, "a"), name: undefined })),
  ];
  const chars = deltas.reduce((sum, delta) => sum + delta.arguments.length, 0);
  const writer = new MessagesStreamWriter(request, identity);
  const parse = spyOn(JSON, "parse");
  const charCodeAt = spyOn(String.prototype, "charCodeAt");
  let read = 0;
  try {
    for (const delta of deltas) writer.writeDeltas([delta]);
    read = charCodeAt.mock.calls.length;
    for (const [text] of parse.mock.calls) read += text.length;
  } finally {
    parse.mockRestore();
    charCodeAt.mockRestore();
  }
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(4 * chars);
  expect(writer.writeEnd(undefined)).toContain("message_stop");
});
