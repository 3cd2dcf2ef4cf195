// Answers in JSON over Anthropic: bound to their schema where the model and the schema allow it, else asked for in
// words, and shown without a code fence.
import { describe, expect, test } from "bun:test";
import type { DeltaEvent } from "@turnpike/wire";
import { buildRequest } from "./build-request.ts";
import { MessageStream } from "./message-stream.ts";
import { parseMessage } from "./parse-message.ts";
import { chatCall } from "./sample-messages-call.fixture.ts";

const open = { type: "object", properties: { a: { type: "string", minLength: 1 } } };
const format = (schema: object) => ({
  response_format: { type: "json_schema", json_schema: { name: "s", schema } },
});
const anyObject = { response_format: { type: "json_object" } };
const written = (fields: object, upstreamModel = "claude-sonnet-4-5") =>
  JSON.parse(buildRequest({ ...chatCall(fields), upstreamModel }).body);

describe("is bound to its schema", () => {
  const isBound = (upstreamModel: string) =>
    written(format(open), upstreamModel).output_config !== undefined;
  test.each([
    "claude-opus-4-1-20250805",
    "claude-sonnet-4-5",
    "claude-opus-4-8",
    "claude-sonnet-5",
    "us.anthropic.claude-haiku-4-5-20251001-v1:0",
    "arn:aws:bedrock:us-east-1:1:application-inference-profile/abc",
  ])("by %s", (model) => expect(isBound(model)).toBe(true));
  test.each([
    "claude-3-5-sonnet-20241022",
    "claude-sonnet-4-20250514",
    "claude-opus-4-0",
    "claude-opus-4@20250514",
  ])("not by %s", (model) => expect(isBound(model)).toBe(false));

  test("which has the form that Anthropic takes", () => {
    const { output_config: config, system } = written(format(open));
    expect(config.format.schema).toMatchObject({ additionalProperties: false });
    expect(system).toBeUndefined();
  });
});

describe("is asked for in words, after the caller's own instructions", () => {
  test.each<[string, object, string | undefined, string]>([
    ["any object", anyObject, undefined, "single valid JSON object"],
    ["a schema that Anthropic refuses", format({ type: "object" }), undefined, '"object"}'],
    ["an older model", format(open), "claude-sonnet-4-0", '"minLength":1'],
  ])("%s", (_, fields, model, said) => {
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
    ];
    const body = written({ ...fields, messages }, model);
    expect(body.system).toHaveLength(2);
    expect(body.system[0].text).toBe("Be brief.");
    expect(body.system[1].text).toContain(said);
    expect(body.output_config).toBeUndefined();
  });
});

test("a tool is strict only where Anthropic can be bound to its input", () => {
  const tool = (name: string, parameters: object) => ({
    type: "function",
    function: { name, parameters, strict: true },
  });
  const tools = [tool("a", open), tool("b", { type: "object" })];
  const [first, second] = written({ tools }).tools;
  expect(first).toMatchObject({ strict: true, input_schema: { additionalProperties: false } });
  expect(second).toEqual({ name: "b", input_schema: { type: "object" } });
  const [older] = written({ tools }, "claude-sonnet-4-0").tools;
  expect(older).toEqual({ name: "a", input_schema: open });
});

describe("is shown without a code fence", () => {
  const fenced = '```json\n{"a":1}\n```';
  const textOf = (deltas: readonly DeltaEvent[]) =>
    deltas.map((delta) => (delta.kind === "text" ? delta.text : "")).join("");

  test("whole", () => {
    const body = { content: [{ type: "text", text: fenced }], stop_reason: "end_turn" };
    const { content } = parseMessage(chatCall(anyObject), JSON.stringify(body), new Headers());
    expect(content.kind === "deltas" && textOf(content.deltas)).toBe('{"a":1}');
    const plain = parseMessage(chatCall(), JSON.stringify(body), new Headers());
    expect(plain.content.kind === "deltas" && textOf(plain.content.deltas)).toBe(fenced);
  });

  test.each([true, false])("streamed, and each text to its end (block ended: %p)", (ends) => {
    const stream = new MessageStream(chatCall({ ...anyObject, stream: true }), {
      maxEventBytes: 1_000,
      headers: new Headers(),
    });
    const block = (text: string) => [
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      ...[...text].map((char) => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: char },
      })),
      ...(ends ? [{ type: "content_block_stop", index: 0 }] : []),
    ];
    const sent = [
      { type: "message_start", message: { id: "m", usage: { input_tokens: 1, output_tokens: 1 } } },
      ...(ends ? block(fenced) : []),
      ...block('```json\n{"b":1} '),
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } },
      { type: "message_stop" },
    ];
    const bytes = sent.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    const events = stream.push(new TextEncoder().encode(bytes));
    const deltas = events.flatMap((event) => (event.kind === "deltas" ? event.deltas : []));
    expect(textOf(deltas)).toBe(`${ends ? '{"a":1}' : ""}{"b":1} `);
    expect(deltas.at(-1)?.kind).toBe("finish");
  });
});
