// Errors in the place of an answer, in every shape that services give them: a 200, an event of a stream, or a refusal
// whose body is an event. In every dialect each is the error that it says it is.
import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { chatCall } from "../dialects/anthropic/sample-messages-call.fixture.ts";
import { dialectOf } from "../dialects/dialect-of.ts";
import { geminiCall } from "../dialects/gemini/sample-response.fixture.ts";
import { sampleCall } from "../dialects/openai/sample-call.fixture.ts";
import { sampleResponseCall } from "../dialects/openai-responses/sample-response.fixture.ts";
import type { UpstreamCall } from "../provider.ts";
import { notices } from "./notices.fixture.ts";
import { isErrorBody, meaningOfTyped } from "./parse-error-body.ts";

const tooLong = "This model's maximum context length is 4096 tokens. You requested 5000.";
const headers = new Headers();

/** By who writes it. */
const shapes: Record<string, object> = {
  OpenAI: { error: { message: tooLong, code: "context_length_exceeded" } },
  "vLLM, Mistral": { object: "error", message: tooLong, type: "BadRequestError", code: 400 },
  "event: error": { message: tooLong },
  Venice: { error_type: "context_length_exceeded", error_message: tooLong },
  "Venice, by its type alone": { error_type: "context_length_exceeded", error_message: "No." },
  FastAPI: { detail: tooLong },
  "FastAPI, a list": { detail: [{ loc: ["body", "messages"], msg: tooLong }] },
  Cloudflare: { success: false, result: null, errors: [{ code: 5006, message: tooLong }] },
  SiliconFlow: { code: 20015, message: tooLong, data: null },
  MiniMax: { id: "a", choices: null, base_resp: { status_code: 2013, status_msg: tooLong } },
  Qianfan: { error_code: 336_007, error_msg: tooLong },
  "Amazon's gateway": { Message: tooLong },
  Deepgram: { err_code: "context_length_exceeded", err_msg: tooLong, request_id: "0a1b" },
};

/** Each with another sign, beside its message. */
const marked: readonly object[] = [
  { message: "Boom", code: 500 },
  { message: "Boom", code: "boom" },
  { message: "Boom", status: 503 },
  { message: "Boom", status_code: "503" },
  { message: "Boom", type: "BoomError" },
  { message: "Boom", event: "error" },
  { message: "Boom", status: "failed" },
  { message: "Boom", object: "error" },
  { message: "Boom", detail: "why" },
  { message: "Boom", errors: ["why"] },
  { error_message: "Boom" },
];

const calls: Record<string, UpstreamCall> = {
  "chat completions": sampleCall({ body: { stream: true } }),
  messages: chatCall({ stream: true }),
  responses: sampleResponseCall({ body: { stream: true } }),
  Gemini: geminiCall({ stream: true }),
};

function thrownBy(read: () => unknown): unknown {
  try {
    return read();
  } catch (thrown) {
    return thrown instanceof Fault ? [thrown.code, thrown.message] : thrown;
  }
}

describe.each(Object.entries(calls))("%s", (_, call) => {
  test.each(Object.entries(shapes))("%s", (__, body) => {
    const json = JSON.stringify(body);
    const dialect = dialectOf(call);
    const refused = ["context_length_exceeded", expect.any(String)];
    expect(thrownBy(() => dialect.parseWhole(call, json, headers))).toEqual(refused);
    const stream = dialect.openStream?.(call, { maxEventBytes: 1_000_000, headers });
    for (const event of [`data: ${json}\n\n`, `event: error\ndata: ${json}\n\n`]) {
      expect(dialect.refuse(call.provider, 400, event, headers).code).toBe(refused[0]);
    }
    stream?.push(new TextEncoder().encode(`event: error\ndata: ${json}\n\n`));
    expect(stream?.fault?.code).toBe("context_length_exceeded");
    expect(stream?.fault?.message).toMatch(/maximum context length|No\./);
  });

  test.each(marked)("an event that is marked as an error ends the answer at once: %j", (error) => {
    const stream = dialectOf(call).openStream?.(call, { maxEventBytes: 1_000_000, headers });
    stream?.push(new TextEncoder().encode(`data: ${JSON.stringify(error)}\n\n`));
    expect(stream?.fault?.message).toContain("Boom");
  });

  test("a notice is an error only if it is all that a stream says", () => {
    for (const notice of notices) {
      const stream = dialectOf(call).openStream?.(call, { maxEventBytes: 1_000_000, headers });
      const event = `data: ${JSON.stringify(notice)}\n\n`;
      stream?.push(new TextEncoder().encode(event + event));
      expect(stream?.fault).toBeUndefined();
      expect(stream?.end()).toEqual([]);
      expect(stream?.fault?.message).toContain(notice.message);
    }
  });
});

test("a code of success hides no error, and is not an error itself", () => {
  expect(isErrorBody({ code: 0, error: { message: "x" } })).toBe(true);
  expect(isErrorBody({ code: 0, base_resp: { status_code: 1008, status_msg: "x" } })).toBe(true);
  for (const code of [null, "", undefined, 500]) {
    expect(isErrorBody({ code, message: "x" })).toBe(true);
  }
});

test("an answer is no error, whatever else it has", () => {
  const answers = [
    { choices: [], message: "x" },
    { choices: [], base_resp: { status_code: 0, status_msg: "" }, msg: "ok" },
    { choices: null, base_resp: { status_code: 0, status_msg: "success" } },
    { code: 0, msg: "success", choices: null },
    { code: 200, message: "OK", data: null },
    { code: "0", msg: "ok" },
    { candidates: [], error: null },
    { usageMetadata: {}, detail: "x" },
    { type: "message", content: [], message: "x" },
    { object: "response", output: [], error: null, message: "x" },
    { id: "a", model: "b" },
    { message: { role: "assistant", content: "Hi" } },
    {},
  ];
  for (const answer of answers) expect(isErrorBody(answer)).toBe(false);
  for (const event of [...answers, { type: "future", message: "x" }, { type: "ping" }]) {
    expect(meaningOfTyped(event, false)).toBe("answer");
  }
});
