// Turns of an assistant and names of participants as input of a response, in forms that OpenAI accepts.
import { expect, test } from "bun:test";
import { chatProtocol } from "@turnpike/wire";
import { sampleCall } from "../openai/sample-call.fixture.ts";
import { callItem, type Fields, sample } from "./recorded-items.fixture.ts";
import { translatedResponsesDialect } from "./translated-dialect.ts";
import { buildTranslatedRequest } from "./write-request.ts";

const { provider } = sample(false);
const inputOf = (messages: readonly unknown[]): Fields[] =>
  JSON.parse(buildTranslatedRequest({ ...sampleCall({ body: { messages } }), provider }).body)
    .input;
const question = { role: "user", content: "Hi" };
const reasoning = (id: string): Fields => ({
  id,
  type: "reasoning",
  summary: [],
  encrypted_content: `sealed ${id}`,
});

test("reasoning keeps its position between the calls of a turn", () => {
  const output = [
    reasoning("rs_1"),
    callItem("c1", "a", "{}"),
    reasoning("rs_2"),
    callItem("c2", "b", "{}"),
    reasoning("rs_3"),
  ];
  const call = { ...sampleCall(), provider };
  const answer = JSON.stringify({ status: "completed", output });
  const { content } = translatedResponsesDialect.parseWhole(call, answer, new Headers());
  const whole = chatProtocol.writeWhole(content, call.identity, undefined, call.request);
  const { message } = JSON.parse(whole).choices[0];
  const results = ["c1", "c2"].map((id) => ({ role: "tool", tool_call_id: id, content: "ok" }));
  const input = inputOf([question, message, ...results]);
  expect(input.map(({ id, call_id: callId }) => id ?? callId)).toEqual([
    undefined,
    "rs_1",
    "c1",
    "rs_2",
    // Nothing would follow the last one at its own position.
    "rs_3",
    "c2",
    "c1",
    "c2",
  ]);
  expect(input[3]?.encrypted_content).toBe("sealed rs_2");
});

test("reasoning that nothing follows is dropped", () => {
  const format = "openai-responses-v1";
  const entry = { type: "reasoning.encrypted", data: "openai:0:sealed", format, index: 0 };
  const silent = { role: "assistant", content: "", reasoning_details: [entry] };
  const kinds = (message: object) => inputOf([question, message, question]).map(({ type }) => type);
  expect(kinds(silent)).toEqual(["message", "message"]);
  expect(kinds({ ...silent, refusal: "No." })).toEqual([
    "message",
    "reasoning",
    "message",
    "message",
  ]);
});

test("the name of a user whose message has no text precedes it", () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
  const [{ content } = {}] = inputOf([{ role: "user", name: "Ada", content: [image] }]);
  expect(content).toMatchObject([{ type: "input_text", text: "Ada:" }, { type: "input_image" }]);
});

test("a call and its results have one id of at most 64 characters", () => {
  const idsOf = (id: string) => {
    const call = (type: object) => ({ role: "assistant", content: null, tool_calls: [type] });
    const result = { role: "tool", tool_call_id: id, content: "ok" };
    const made = { id, type: "function", function: { name: "f", arguments: "{}" } };
    const custom = { id, type: "custom", custom: { name: "patch", input: "x" } };
    const input = inputOf([question, call(made), result, call(custom), result]);
    return new Set(input.slice(1).map(({ call_id: callId }) => callId));
  };
  const longest = "c".repeat(64);
  expect(idsOf(longest)).toEqual(new Set([longest]));
  const [shortened, ...others] = idsOf(`${longest}1`);
  expect(shortened).toMatch(/^[0-9a-f]{64}$/);
  expect(others).toEqual([]);
});
