// What has to survive the way of a tool call through a client of the messages API and back.
import { expect, test } from "bun:test";
import type { DeltaEvent } from "../pivot.ts";
import { messagesProtocol } from "./messages-protocol.ts";
import { MessagesStreamWriter } from "./messages-stream.ts";
import { parseMessagesRequest } from "./parse-messages-request.ts";

const stamp = { id: "msg_1", model: "vendor/model", created: 1 };
const requestOf = (fields: object = {}) => {
  const body = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "a" }], ...fields };
  return parseMessagesRequest(JSON.stringify(body), new Headers());
};
const request = requestOf();
const wholeOf = (deltas: readonly DeltaEvent[], asked = request) =>
  JSON.parse(messagesProtocol.writeWhole({ kind: "deltas", deltas }, stamp, undefined, asked));

function streamedKinds(deltas: readonly DeltaEvent[]): string[] {
  const writer = new MessagesStreamWriter(request, stamp);
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

test("what a provider wants back with a call precedes it as redacted thinking, and returns to the call", () => {
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
