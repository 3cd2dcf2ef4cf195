// A prompt that is too long is the same refusal whatever its service says and wherever it says it: with a status,
// inside a stream or inside a 200, from every dialect, and to callers of every protocol.
import { describe, expect, test } from "bun:test";
import type { Fault } from "@turnpike/base";
import { encodeException } from "@turnpike/testing";
import { anthropicErrors, openaiErrors, openrouterErrors, responsesProtocol } from "@turnpike/wire";
import { chatCall, ownCall } from "../dialects/anthropic/sample-messages-call.fixture.ts";
import { dialectOf } from "../dialects/dialect-of.ts";
import { geminiCall } from "../dialects/gemini/sample-response.fixture.ts";
import { sampleCall, sampleProvider } from "../dialects/openai/sample-call.fixture.ts";
import { sampleResponseCall } from "../dialects/openai-responses/sample-response.fixture.ts";
import type { UpstreamCall } from "../provider.ts";
import { tooLongWordings } from "./is-too-long.ts";

const stream = { stream: true };
const onBedrock = ownCall(stream);
const translated = sampleCall({ like: "openai", body: stream });
const quirks = { ...translated.provider.quirks, responses: "only" as const };

/** Each dialect with the events in which its services say that they have failed. */
const dialects: [string, UpstreamCall, (message: string) => string | Uint8Array][] = [
  [
    "chat completions",
    sampleCall({ body: stream }),
    (message) => `data: ${JSON.stringify({ error: { message, code: 400 } })}\n\n`,
  ],
  [
    "messages",
    ownCall(stream),
    (message) => {
      const error = { type: "invalid_request_error", message };
      return `event: error\ndata: ${JSON.stringify({ type: "error", error })}\n\n`;
    },
  ],
  [
    "messages for callers of chat completions",
    chatCall(stream),
    (message) => `event: error\ndata: ${JSON.stringify({ type: "error", error: { message } })}\n\n`,
  ],
  [
    "Bedrock",
    { ...onBedrock, provider: { ...onBedrock.provider, cloud: "bedrock" } },
    (message) => encodeException("validationException", { message }),
  ],
  [
    "Gemini",
    geminiCall(stream),
    (message) => JSON.stringify({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
  ],
  [
    "responses",
    sampleResponseCall({ body: stream }),
    (message) =>
      `event: error\ndata: ${JSON.stringify({ type: "error", message, code: null, param: null })}\n\n`,
  ],
  [
    "responses for callers of chat completions",
    { ...translated, provider: { ...translated.provider, quirks } },
    (message) => {
      const response = { status: "failed", error: { code: "invalid_prompt", message } };
      return `event: response.failed\ndata: ${JSON.stringify({ type: "response.failed", response })}\n\n`;
    },
  ],
];

const wordings = tooLongWordings.map(({ service, example }) => [service, example] as const);

/** What clients recognize it by. */
function expectOverflow(fault: Fault | undefined): void {
  if (fault === undefined) throw new Error("nothing was refused");
  expect(fault.code).toBe("context_length_exceeded");
  const { status, body } = openaiErrors.answer(fault, "req_1");
  expect([status, body.error]).toMatchObject([400, { code: "context_length_exceeded" }]);
  expect(JSON.stringify(openrouterErrors.answer(fault, "req_1").body)).toContain(
    '"error_type":"context_length_exceeded"',
  );
  const told = anthropicErrors.answer(fault, "req_1");
  expect(told.status).toBe(400);
  const { message } = told.body.error as { message: string };
  expect(message).toStartWith("prompt is too long");
  const call = sampleResponseCall({ body: stream });
  const writer = responsesProtocol.stream?.open(call.request, call.identity);
  expect(writer?.writeFault(fault, "req_1")).toContain('"code":"context_length_exceeded"');
}

describe.each(dialects)("%s", (_, call, failing) => {
  const dialect = dialectOf(call);
  const headers = new Headers();

  test.each(wordings)("%s: %s", (_service, message) => {
    for (const status of [400, 413, 422]) {
      const body = JSON.stringify({ error: { message } });
      expectOverflow(dialect.refuse(call.provider, status, body, headers));
    }
    const reader = dialect.openStream?.(call, { maxEventBytes: 65_536, headers });
    if (reader === undefined) throw new Error("this dialect does not stream");
    const said = failing(message);
    reader.push(typeof said === "string" ? new TextEncoder().encode(said) : said);
    reader.end();
    expectOverflow(reader.fault);
  });
});

const provider = sampleProvider("vllm");
const { refuse } = dialectOf(sampleCall());
const codeOf = (status: number, error: unknown) =>
  refuse(provider, status, JSON.stringify({ error }), new Headers()).code;

test("a code or a type that says it needs no words", () => {
  for (const code of ["context_length_exceeded", "1261", "tokens_limit_reached"]) {
    expect(codeOf(400, { code, message: "No." })).toBe("context_length_exceeded");
  }
  expect(codeOf(400, { type: "exceed_context_size_error" })).toBe("context_length_exceeded");
});

test("a failure that is one of length is the caller's, another is not", () => {
  const message = "The decoder prompt (length 9) is longer than the maximum model length of 8.";
  const tensor = "Prompt length (200) exceeds maximum input length (1)";
  for (const said of [message, tensor]) {
    expect(codeOf(500, { message: said })).toBe("context_length_exceeded");
  }
  expect(codeOf(500, { message: "no context window left in the pool" })).toBe("bad_gateway");
});

test("a 413 that says nothing asks for a shorter prompt", () => {
  for (const body of ["", "<html><h1>413 Request Entity Too Large</h1></html>"]) {
    expectOverflow(refuse(provider, 413, body, new Headers()));
  }
  expect(refuse(provider, 400, "", new Headers()).code).toBe("upstream_rejected");
});

test("limits of rates, of bytes and of the answer are not one of the context", () => {
  const others: [number, object, string][] = [
    [
      413,
      {
        message:
          "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce the length of the messages",
        code: "rate_limit_exceeded",
      },
      "upstream_rate_limited",
    ],
    [
      429,
      { message: "Too many tokens, please wait before trying again." },
      "upstream_rate_limited",
    ],
    [
      400,
      { message: "max_tokens: 100000 > 64000, the maximum for this model" },
      "upstream_rejected",
    ],
    [400, { message: "Range of max_tokens should be [1, 8192]" }, "upstream_rejected"],
    [413, { message: "Request exceeds the maximum allowed number of bytes." }, "upstream_rejected"],
    [401, { message: "context_length_exceeded" }, "bad_gateway"],
    [
      400,
      {
        message: "Invalid 'messages[10].tool_calls[0].id': string too long. Expected a string with",
        code: "string_above_max_length",
      },
      "upstream_rejected",
    ],
    [
      400,
      { message: "Malformed input request: #/tools/0/name: expected maxLength: 64, actual: 80" },
      "upstream_rejected",
    ],
  ];
  for (const [status, error, code] of others) expect(codeOf(status, error)).toBe(code as never);
});

test("every wording is a public one, is its own example, and is said once", () => {
  const examples = new Set(tooLongWordings.map(({ example }) => example));
  expect(examples.size).toBe(tooLongWordings.length);
  for (const { pattern, example, source } of tooLongWordings) {
    expect(example).toMatch(pattern);
    expect(source).toStartWith("https://");
  }
});
