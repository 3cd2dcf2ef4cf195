// What a provider needs back of its reasoning survives the way through a client: sent as output items,
// returned as input items, even by a client that keeps only `encrypted_content` of them.
import { expect, test } from "bun:test";
import { Fault, type JsonObject } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import type { DeltaEvent } from "../protocol/pivot.ts";
import { parseResponsesRequest } from "./parse-responses-request.ts";
import { responsesProtocol } from "./responses-protocol.ts";

const model = "test/model";
const choice = 0;
const extra = { extra_content: { google: { thought_signature: "sig" } } };
const said: DeltaEvent[] = [
  { kind: "reasoning", choice, text: "first", signature: "s1" },
  { kind: "reasoning_encrypted", choice, data: "redacted", id: undefined },
  { kind: "text", choice, text: "I call." },
  { kind: "tool_call", choice, index: 0, id: "c0", name: "f", arguments: "{}", extra },
  { kind: "finish", choice, reason: "tool_calls" },
];

function answer(include: readonly string[], deltas = said): JsonObject[] {
  const body = JSON.stringify({ model, input: "hi", include });
  const identity = { id: "resp_1", model, created: 1 };
  const request = parseResponsesRequest(body, new Headers());
  const zero = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };
  const usage = { ...zero, cacheWriteTokens: 0, reasoningTokens: 0 };
  const bill = { usage, costNanos: toNanos(0n) };
  const whole = responsesProtocol.writeWhole({ kind: "deltas", deltas }, identity, bill, request);
  return JSON.parse(whole).output;
}

function messagesFrom(items: readonly JsonObject[]): unknown {
  const output = { type: "function_call_output", call_id: "c0", output: "ok" };
  const input = [{ role: "user", content: "hi" }, ...items, output];
  return parseResponsesRequest(JSON.stringify({ model, input }), new Headers()).parsed.messages;
}

const carried = [
  { role: "user", content: "hi" },
  {
    role: "assistant",
    content: "I call.",
    reasoning_details: [
      { type: "reasoning.text", text: "first", signature: "s1", index: 0 },
      { type: "reasoning.encrypted", data: "redacted", index: 1 },
    ],
    tool_calls: [
      { ...extra, id: "c0", type: "function", function: { name: "f", arguments: "{}" } },
    ],
  },
  { role: "tool", tool_call_id: "c0", content: "ok" },
];

test("signatures, encrypted blocks and members of calls are returned, requested or not", () => {
  expect(messagesFrom(answer([]))).toEqual(carried);
  expect(messagesFrom(answer(["reasoning.encrypted_content"]))).toEqual(carried);
});

test("a client that keeps only encrypted_content loses nothing", () => {
  const bare = answer([]).map((item) =>
    item.type === "reasoning"
      ? { type: "reasoning", summary: [], encrypted_content: item.encrypted_content }
      : item,
  );
  expect(messagesFrom(bare)).toEqual(carried);
});

test("plain reasoning is encoded only for those who ask", () => {
  const plain: DeltaEvent[] = [{ kind: "reasoning", choice, text: "why", signature: undefined }];
  expect(answer([], plain)[0]).not.toHaveProperty("encrypted_content");
  expect(answer(["reasoning.encrypted_content"], plain)[0]).toHaveProperty("encrypted_content");
});

test("encoded reasoning is bounded like a body, and malformed content is ignored", () => {
  const seal = (text: string) => `turnpike1.${Buffer.from(text).toString("base64url")}`;
  const deep = `{"details":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const item = (text: string) => ({ type: "reasoning", summary: [], encrypted_content: text });
  expect(() => messagesFrom([item(seal(deep)), ...answer([])])).toThrow(Fault);
  for (const text of ["", "null", '{"details":7,"callExtras":[[1,2],null]}', "{"]) {
    const broken = [item(seal(text)), { role: "assistant", content: "x" }];
    const input = [{ role: "user", content: "hi" }, ...broken];
    const { parsed } = parseResponsesRequest(JSON.stringify({ model, input }), new Headers());
    expect(parsed.messages).toHaveLength(2);
  }
});
