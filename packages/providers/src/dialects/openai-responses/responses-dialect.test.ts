// An upstream with the Responses API gets its caller's bytes and its own are returned: only what is
// ours differs, wherever the network cuts the stream.
import { describe, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import {
  type ChatRequest,
  chatLanguage,
  responsesLanguage,
  responsesProtocol,
} from "@turnpike/wire";
import fc from "fast-check";
import type { StreamEvent } from "../../provider.ts";
import { dialectOf } from "../dialect-of.ts";
import { sampleProvider } from "../openai/sample-call.fixture.ts";
import { buildResponsesRequest } from "./build-responses-request.ts";
import { OwnEvents } from "./own-events.ts";
import { parseResponse } from "./parse-response.ts";
import { ResponseEventStream } from "./response-event-stream.ts";
import {
  namedSseBytes,
  sampleEvents,
  sampleResponse,
  sampleResponseCall,
} from "./sample-response.fixture.ts";
import { translatedResponsesDialect } from "./translated-dialect.ts";

const call = sampleResponseCall({ body: { stream: true } });
const usage = {
  promptTokens: 9,
  completionTokens: 5,
  cachedTokens: 4,
  cacheWriteTokens: 1,
  reasoningTokens: 2,
};

function openStream(): ResponseEventStream {
  const options = { maxEventBytes: 1024 * 1024, headers: new Headers() };
  return new ResponseEventStream(call, new OwnEvents(call), options);
}

function readAll(...pieces: readonly Uint8Array[]): { events: StreamEvent[]; fault?: Fault } {
  const stream = openStream();
  const events = pieces.flatMap((piece) => stream.push(piece));
  events.push(...stream.end());
  return { events, ...(stream.fault && { fault: stream.fault }) };
}

const tokensOf = (events: readonly StreamEvent[]) =>
  events.reduce((sum, event) => sum + ("tokens" in event ? event.tokens : 0), 0);

test("the caller's bytes are sent, except for the gateway's own fields", () => {
  const raw = `{ "model": "vendor/model", "input": [{"role":"user","content":"hi","odd":1.50}],
    "store": true, "max_output_tokens": 900, "odd_number": 1234567890123456789, "provider": {},
    "include": ["reasoning.encrypted_content"], "stream": true }`;
  const { body, path, accept } = buildResponsesRequest(sampleResponseCall({ raw, maxTokens: 400 }));
  expect([path, accept]).toEqual(["/responses", "text/event-stream"]);
  expect(body).toContain('"input": [{"role":"user","content":"hi","odd":1.50}]');
  expect(body).toContain('"odd_number": 1234567890123456789');
  expect(body).toContain('"max_output_tokens": 400');
  expect(body).toContain('"store": false');
  expect(body).toContain('"model": "model-1"');
  expect(body).not.toContain("provider");
  expect(JSON.parse(body).stream_options).toEqual({ include_obfuscation: false });
});

test("reasoning of another provider and references are omitted, the provider's own is sent", () => {
  const sealed = `turnpike1.${Buffer.from('{"details":[]}').toString("base64url")}`;
  const own = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "theirs" };
  const input = [
    { role: "user", content: "hi" },
    { type: "reasoning", summary: [], encrypted_content: sealed },
    { type: "item_reference", id: "rs_2" },
    // The provider has stored neither.
    { type: "reasoning", id: "rs_3", summary: [] },
    { type: "reasoning", id: "rs_4", summary: [], encrypted_content: null },
    own,
  ];
  const { body } = buildResponsesRequest(sampleResponseCall({ body: { input } }));
  expect(JSON.parse(body).input).toEqual([input[0], own]);
});

test("encrypted reasoning is requested unless the caller knows that nothing is stored", () => {
  const included = (body: object, omittedFields: readonly string[] = []) =>
    JSON.parse(
      buildResponsesRequest({ ...sampleResponseCall({ body: { ...body } }), omittedFields }).body,
    ).include;
  const encrypted = "reasoning.encrypted_content";
  expect(included({})).toEqual([encrypted]);
  expect(included({ store: true, include: ["message.output_text.logprobs"] })).toEqual([
    "message.output_text.logprobs",
    encrypted,
  ]);
  expect(included({ include: [encrypted] })).toEqual([encrypted]);
  expect(included({ store: false })).toBeUndefined();
  expect(included({}, ["reasoning"])).toBeUndefined();
});

test("the web_search tool that Codex offers is omitted", () => {
  const tools = [{ type: "function", name: "f" }, { type: "web_search" }];
  const headers = { originator: "codex_exec" };
  const { body } = buildResponsesRequest(sampleResponseCall({ body: { tools }, headers }));
  expect(JSON.parse(body).tools).toEqual(tools.slice(0, 1));
});

test("settings that the conversation updates are sent, without the items that update them", () => {
  const message = { type: "message", role: "user", content: "hi" };
  const update = { type: "configuration_update", reasoning: { effort: "high" } };
  const body = { input: [message, update], reasoning: { summary: "auto" } };
  const sent = JSON.parse(buildResponsesRequest(sampleResponseCall({ body })).body);
  expect(sent.input).toEqual([message]);
  expect(sent.reasoning).toEqual({ summary: "auto", effort: "high" });
});

test("however the stream is cut, the same events are produced, including its own bytes", () => {
  const bytes = namedSseBytes(sampleEvents);
  const whole = readAll(bytes);
  expect(whole.fault).toBeUndefined();
  expect(whole.events.at(-1)).toEqual({ kind: "done" });
  expect(whole.events).toContainEqual({ kind: "usage", usage });
  expect(whole.events).toContainEqual({ kind: "finish", reason: "stop", native: "completed" });
  const chunks = whole.events.filter((event) => event.kind === "chunk");
  expect(chunks.slice(2, 7).map(({ json }) => json)).toEqual(
    sampleEvents.slice(2, 7).map((event) => JSON.stringify(event)),
  );
  for (const { json, name } of chunks) expect(JSON.parse(json).type).toBe(name);
  for (let cut = 1; cut < bytes.length; cut += 1) {
    expect(readAll(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual(whole);
  }
});

test("responses in events have our id and model, and their usage waits for the bill", () => {
  const { events } = readAll(namedSseBytes(sampleEvents));
  const shown = events.flatMap((event) => (event.kind === "chunk" ? [JSON.parse(event.json)] : []));
  const responses = shown.flatMap(({ response }) => (response === undefined ? [] : [response]));
  expect(responses).toHaveLength(3);
  for (const response of responses) {
    expect(response).toMatchObject({ id: "resp_ours", model: "vendor/model", usage: null });
  }
  expect(responses[2]).toMatchObject({ future: "kept", output: sampleResponse.output });
  expect(JSON.stringify(responses)).not.toContain("resp_theirs");
});

test("cut at any byte before its last event, a stream is a fault, and everything it yielded was counted", () => {
  const bytes = namedSseBytes(sampleEvents);
  const total = tokensOf(readAll(bytes).events);
  // Two of the text, and one of an event that is not known here.
  expect(total).toBe(3);
  const last = namedSseBytes(sampleEvents.slice(0, -1)).length;
  for (let cut = 0; cut < last; cut += 1) {
    const { events, fault } = readAll(bytes.subarray(0, cut));
    expect(fault?.code).toBe("bad_gateway");
    expect(events.some(({ kind }) => kind === "done" || kind === "usage")).toBe(false);
    expect(tokensOf(events)).toBeLessThanOrEqual(total);
  }
});

test("a failed response and an error event are faults; before the first token with their own status", () => {
  const error = { code: "rate_limit_exceeded", message: "Too fast.", type: "requests" };
  const failed = {
    type: "response.failed",
    sequence_number: 2,
    response: { status: "failed", error },
  };
  const flat = { type: "error", code: "server_error", message: "Broken.", param: null };
  for (const [event, code] of [
    [failed, "upstream_rate_limited"],
    [flat, "bad_gateway"],
  ] as const) {
    const before = readAll(namedSseBytes([...sampleEvents.slice(0, 2), event]));
    expect(before.fault?.code).toBe(code);
    expect(String(before.fault?.cause)).toContain(code === "bad_gateway" ? "Broken." : "Too fast.");
    const after = readAll(namedSseBytes([...sampleEvents.slice(0, 5), event]));
    expect(after.fault?.code).toBe("bad_gateway");
    expect(after.events.some(({ kind }) => kind === "done")).toBe(false);
    expect(tokensOf(after.events)).toBe(2);
  }
});

describe("an error about the request is the caller's before the first token, and a broken answer after it", () => {
  const inside = (error: object) => ({
    type: "response.failed",
    response: { status: "failed", error },
  });
  const nested = { type: "invalid_request_error", code: null, message: "Bad.", param: "tools" };
  test.each([
    [{ type: "error", code: "context_length_exceeded", message: "x" }, "context_length_exceeded"],
    [{ type: "error", error: nested }, "upstream_rejected"],
    [inside({ code: "invalid_prompt", message: "Flagged." }), "upstream_rejected"],
    [inside({ code: "image_content_policy_violation", message: "No." }), "content_filter"],
    [{ type: "error", code: "insufficient_quota", message: "Pay." }, "bad_gateway"],
  ] as const)("%j", (event, code) => {
    const before = readAll(namedSseBytes([...sampleEvents.slice(0, 2), event]));
    expect(before.fault?.code).toBe(code);
    const after = readAll(namedSseBytes([...sampleEvents.slice(0, 5), event]));
    expect(after.fault?.code).toBe("bad_gateway");
    const { error } = "response" in event ? event.response : { error: event };
    const failed = JSON.stringify({ ...sampleResponse, status: "failed", error });
    for (const read of [parseResponse, translatedResponsesDialect.parseWhole]) {
      expect(() => read(call, failed, new Headers())).toThrow(expect.objectContaining({ code }));
    }
  });
});

test("a whole response has our id and model, and its usage is removed for the bill", () => {
  const answer = parseResponse(call, JSON.stringify(sampleResponse), new Headers());
  expect(answer).toMatchObject({ upstreamId: "resp_theirs", usage, finish: { reason: "stop" } });
  expect(answer.content).toMatchObject({
    kind: "body",
    body: { id: "resp_ours", model: "vendor/model", future: "kept", usage: null, store: false },
  });
});

test("responses keep the digits of their numbers, whole and in events, up to the bill", () => {
  const future = '{"share":1.0,"id":9007199254740993123}';
  const spell = (value: object) => JSON.stringify(value).replaceAll('"kept"', future);
  const write = responsesProtocol.writeWhole;
  const { content } = parseResponse(call, spell(sampleResponse), new Headers());
  const whole = write(content, call.identity, undefined, call.request);
  expect(whole).toContain(`"future":${future}`);
  expect(JSON.parse(whole)).toMatchObject({ id: "resp_ours", usage: null, items_kept: true });
  const last = { type: "response.completed", sequence_number: 7, response: sampleResponse };
  const frames = sampleEvents.with(-1, last).map((event) => `data: ${spell(event)}\n\n`);
  const { events } = readAll(new TextEncoder().encode(frames.join("")));
  const writer = responsesProtocol.stream?.open(call.request, call.identity);
  for (const event of events) if (event.kind === "chunk") writer?.writeOwn(event.json, event.name);
  const end = writer?.writeEnd(undefined) ?? "";
  expect(end).toContain(`"future":${future}`);
  expect(end).toContain('"id":"resp_ours"');
});

test("a response beyond the bounds of a request is still delivered", () => {
  const future = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`k${at}`, at]));
  const large = { ...sampleResponse, future };
  const { content } = parseResponse(call, JSON.stringify(large), new Headers());
  const whole = responsesProtocol.writeWhole(content, call.identity, undefined, call.request);
  expect(JSON.parse(whole)).toMatchObject({ id: "resp_ours", usage: null, future });
  const last = { type: "response.completed", sequence_number: 9, response: large };
  const { events, fault } = readAll(namedSseBytes(sampleEvents.with(-1, last)));
  expect(fault).toBeUndefined();
  const shown = events.flatMap((event) => (event.kind === "chunk" ? [JSON.parse(event.json)] : []));
  expect(shown.at(-1)).toMatchObject({ sequence_number: 7, response: { id: "resp_ours", future } });
});

test("a limit, a filter and a call are the finish of a response", () => {
  const finish = (response: object) =>
    parseResponse(call, JSON.stringify({ ...sampleResponse, ...response }), new Headers()).finish;
  const cut = (reason: string) => ({ status: "incomplete", incomplete_details: { reason } });
  expect(finish(cut("max_output_tokens"))?.reason).toBe("length");
  expect(finish(cut("content_filter"))?.reason).toBe("content_filter");
  for (const type of ["function_call", "custom_tool_call"]) {
    expect(finish({ output: [{ type }] })?.reason).toBe("tool_calls");
  }
  // Tools that the provider runs need nothing from the caller.
  for (const type of ["web_search_call", "file_search_call", "mcp_call"]) {
    expect(finish({ output: [{ type }] })?.reason).toBe("stop");
  }
});

test("an error in a 200 is a fault", () => {
  const failed = {
    ...sampleResponse,
    status: "failed",
    error: { code: "server_error", message: "x" },
  };
  expect(() => parseResponse(call, JSON.stringify(failed), new Headers())).toThrow(Fault);
  expect(() => parseResponse(call, "<html>", new Headers())).toThrow(Fault);
});

test("corrupted bytes give events and at most one fault, never an exception", () => {
  const bytes = namedSseBytes(sampleEvents);
  const corruption = fc.record({
    at: fc.nat({ max: bytes.length - 1 }),
    byte: fc.nat({ max: 255 }),
  });
  fc.assert(
    fc.property(fc.array(corruption, { minLength: 1, maxLength: 8 }), (changes) => {
      const corrupted = bytes.slice();
      for (const { at, byte } of changes) corrupted[at] = byte;
      const { events, fault } = readAll(corrupted);
      expect(events.filter(({ kind }) => kind === "done")).toHaveLength(
        fault === undefined ? 1 : 0,
      );
      for (const event of events) if (event.kind === "chunk") JSON.parse(event.json);
    }),
    { numRuns: 300 },
  );
});

test("/responses is used only of an upstream that has it, and only for callers of /responses", () => {
  const { request } = call;
  const languageFor = (like: string, asked: ChatRequest) =>
    dialectOf({ provider: sampleProvider(like), request: asked }).language;
  expect(languageFor("openai", request)).toBe(responsesLanguage);
  expect(languageFor("groq", request)).toBe(chatLanguage);
  expect(languageFor("openai", { ...request, language: chatLanguage })).toBe(chatLanguage);
});
