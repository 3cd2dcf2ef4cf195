// What a caller of Gemini's own language sends to it: the caller's own bytes, and what has to differ.
import { describe, expect, test } from "bun:test";
import { geminiProtocol } from "@turnpike/wire";
import { buildRequest } from "./build-request.ts";
import type { GeminiCall } from "./generation-config.ts";
import { geminiCall } from "./sample-response.fixture.ts";

const protocol = geminiProtocol({ model: "a/b", stream: false }, "events");
const sealed = `${Buffer.from("turnpike1.").toString("base64").slice(0, 12)}LnNlYWxlZA==`;

function callOf(raw: string, fields: Partial<GeminiCall> = {}, upstreamModel?: string): GeminiCall {
  const call = geminiCall({}, upstreamModel);
  return { ...call, request: protocol.parse(raw, new Headers()), ...fields };
}

const hello = { role: "user", parts: [{ text: "Hello" }] };
const sent = (body: object, fields?: Partial<GeminiCall>, model?: string) =>
  JSON.parse(
    buildRequest(callOf(JSON.stringify({ contents: [hello], ...body }), fields, model)).body,
  );

test("nothing differs where nothing has to", () => {
  const raw = `{ "contents": [{"parts":[{"text":"\\u0041", "thought" : false}]}],
    "system_instruction": {"parts": {"text": "b"}}, "safetySettings": [],
    "tools": [{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT"},"behavior":"BLOCKING"}]}],
    "generation_config": {"top_p": 0.5, "seed": 7.0, "responseJsonSchema": {"maximum": 12345678901234567890}} }`;
  const request = buildRequest(callOf(raw));
  expect(request).toEqual({
    path: "/models/gemini-3-flash-preview:generateContent",
    accept: "application/json",
    body: raw,
    ignored: [],
  });
});

test("the limit that is reserved is set in the caller's own spelling", () => {
  const body = (raw: string) => buildRequest(callOf(raw, { maxTokens: 5 })).body;
  const contents = `"contents":[{"parts":[{"text":"a"}]}]`;
  expect(body(`{${contents}}`)).toBe(`{${contents},"generationConfig":{"maxOutputTokens":5}}`);
  expect(body(`{${contents},"generation_config":{"max_output_tokens":9, "topK":1}}`)).toBe(
    `{${contents},"generation_config":{"max_output_tokens":5, "topK":1}}`,
  );
});

test("what is for the gateway, and what a model does not obey, is not sent", () => {
  const generationConfig = { temperature: 1, thinkingConfig: { thinkingLevel: "LOW" } };
  const gateways = { provider: { order: ["google"] }, model: "models/x", serviceTier: "standard" };
  const body = { ...gateways, user: "u", labels: { a: "b" }, generationConfig };
  const omittedFields = ["reasoning", "reasoning_effort", "temperature"];
  const call = callOf(JSON.stringify({ contents: [hello], ...body }), { omittedFields });
  const request = buildRequest(call);
  expect(JSON.parse(request.body)).toEqual({ contents: [hello], generationConfig: {} });
  expect(request.ignored.toSorted()).toEqual(["reasoning", "temperature", "user"]);
  const vertex = { provider: { ...call.provider, cloud: "vertex" as const } };
  expect(sent({ labels: { a: "b" } }, vertex).labels).toEqual({ a: "b" });
});

test("only the stop sequences that Gemini takes are sent", () => {
  const stopSequences = ["a", "b", "c", "d", "e", "f"];
  expect(sent({ generationConfig: { stopSequences } }).generationConfig.stopSequences).toEqual(
    stopSequences.slice(0, 5),
  );
});

describe("the conversation", () => {
  const call = { id: "x", name: "f", args: { n: 1 } };
  const result = { functionResponse: { id: "x", name: "f", response: {} } };
  const conversation = (...parts: object[]) => ({
    contents: [hello, { role: "model", parts }, { role: "user", parts: [result] }],
  });

  test("loses what another provider has signed, and marks what nobody has", () => {
    const parts = [
      { text: "Hm.", thought: true, thoughtSignature: sealed },
      { text: "Hi", thoughtSignature: sealed },
      { functionCall: call, thoughtSignature: sealed },
    ];
    const marked = { functionCall: call, thoughtSignature: "skip_thought_signature_validator" };
    expect(sent(conversation(...parts)).contents[1].parts).toEqual([{ text: "Hi" }, marked]);
    expect(sent(conversation(...parts), {}, "gemini-2.5-pro").contents[1].parts).toEqual([
      { text: "Hi" },
      { functionCall: call },
    ]);
    expect(sent(conversation({ function_call: call })).contents[1].parts).toEqual([
      { function_call: call, thoughtSignature: "skip_thought_signature_validator" },
    ]);
  });

  test("keeps Gemini's own signatures byte for byte", () => {
    const body = conversation({ functionCall: call, thoughtSignature: "c2ln" });
    expect(sent(body)).toEqual(body);
  });

  test("loses the ids of calls on Vertex AI", () => {
    const vertex = { provider: { ...geminiCall().provider, cloud: "vertex" as const } };
    const { contents } = sent(
      conversation({ functionCall: call, thoughtSignature: "c2ln" }),
      vertex,
    );
    expect(contents[1].parts[0].functionCall).toEqual({ name: "f", args: { n: 1 } });
    expect(contents[2].parts[0].functionResponse).toEqual({ name: "f", response: {} });
  });
});
