// A route whose upstream supports the Responses API itself: requests and answers pass byte for byte,
// including unknown members and events, and the call is billed like any other.
import { afterAll, afterEach, expect, test } from "bun:test";
import OpenAI from "openai";
import {
  asObject,
  at,
  billCheap,
  expectCleanBooks,
  type JsonObject,
  openAccount,
  startTestServer,
  testCatalog,
} from "../harness/index.ts";
import { awaitRequest } from "../money/read-requests.ts";
import { parseNamedEvents, postResponse } from "./post-responses.ts";

const model = "test/native";
const usage = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
  output_tokens: 2,
  output_tokens_details: { reasoning_tokens: 1 },
  total_tokens: 11,
};
const shell = {
  id: "resp_theirs",
  object: "response",
  created_at: 1,
  model: "theirs",
  future: "kept",
};
const reasoning = { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "sealed" };
const message = {
  id: "msg_theirs",
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text: "Hello you", annotations: [], future: [1] }],
};
const whole = { ...shell, status: "completed", error: null, output: [reasoning, message], usage };
const started = { ...shell, status: "in_progress", error: null, output: [], usage: null };
const place = { item_id: message.id, output_index: 1, content_index: 0 };
const part = { type: "output_text", text: "", annotations: [] };
const events: readonly JsonObject[] = [
  { type: "response.created", response: started },
  { type: "response.in_progress", response: started },
  { type: "response.output_item.added", output_index: 0, item: reasoning },
  { type: "response.output_item.done", output_index: 0, item: reasoning },
  { type: "response.output_item.added", output_index: 1, item: { ...message, content: [] } },
  { type: "response.content_part.added", ...place, part },
  { type: "response.output_text.delta", ...place, delta: "Hello", logprobs: [], future: true },
  { type: "response.future_event", anything: "goes" },
  { type: "response.output_text.delta", ...place, delta: " you", logprobs: [] },
  { type: "response.output_text.done", ...place, text: "Hello you", logprobs: [] },
  { type: "response.content_part.done", ...place, part: message.content[0] },
  { type: "response.output_item.done", output_index: 1, item: message },
  { type: "response.completed", response: whole },
].map((event, index) => ({ ...event, sequence_number: index }));

const framesOf = (sent: readonly JsonObject[]) =>
  sent.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join("");

/** The request that the upstream received, and how many of its events it sends before it disconnects. */
const asked: { readonly path: string; readonly text: string }[] = [];
let sentEvents = events.length;
const upstream = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const text = await request.text();
    asked.push({ path: new URL(request.url).pathname, text });
    if (JSON.parse(text).stream !== true) return Response.json(whole);
    return new Response(framesOf(events.slice(0, sentEvents)), {
      headers: { "content-type": "text/event-stream" },
    });
  },
});

const server = await startTestServer({
  catalog: (baseUrl) =>
    `${testCatalog(baseUrl).replace(
      "models:",
      `  - { id: native, baseUrl: "http://127.0.0.1:${upstream.port}/v1", apiKey: k, quirks: { responses: native } }
models:`,
    )}
  - id: ${model}
    contextTokens: 128000
    maxOutputTokens: 16384
    capabilities: [tools, reasoning]
    routes: [{ provider: native, model: theirs }]
    prices: { input: "0.10", cachedInput: "0.025", output: "0.40" }`,
});
const account = await openAccount(server);
afterEach(async () => {
  sentEvents = events.length;
  await expectCleanBooks(server);
});
afterAll(async () => {
  await server.close();
  await upstream.stop(true);
});

const bill = billCheap({
  prompt_tokens: 9,
  completion_tokens: 2,
  prompt_tokens_details: { cached_tokens: 4 },
});

const input = [
  { role: "user", content: "hi", odd: { kept: 1 } },
  { type: "reasoning", id: "rs_0", summary: [], encrypted_content: "theirs" },
  { role: "assistant", content: [{ type: "output_text", text: "before", annotations: [] }] },
  { role: "user", content: "again" },
];

test("a whole response passes byte for byte, except id, model and usage", async () => {
  const name = "whole";
  const body = JSON.stringify({ model, input, store: true, text: { verbosity: "low" } });
  const response = await postResponse(server, account.key, { body, name });
  expect(response.status).toBe(200);
  const answer = asObject(await response.json());
  expect(answer).toMatchObject({
    model,
    future: "kept",
    output: whole.output,
    store: false,
    items_kept: true,
  });
  expect(answer.id).toMatch(/^resp_[0-9a-f]{32}$/);
  expect(at(answer, "usage")).toMatchObject(usage);
  expect(at(answer, "usage.cost")).toBe(Number(bill) / 1e9);
  const sent = asked.at(-1);
  expect(sent?.path).toBe("/v1/responses");
  expect(sent?.text).toContain(JSON.stringify(input));
  expect(JSON.parse(sent?.text ?? "")).toMatchObject({ model: "theirs", store: false });
  expect((await awaitRequest(server, name)).chargedNanos).toBe(bill);
});

test("a stream passes event by event, with the cost in the last one", async () => {
  const name = "stream";
  const body = JSON.stringify({ model, input, stream: true });
  const text = await (await postResponse(server, account.key, { body, name })).text();
  for (const event of events.slice(2, -1)) expect(text).toContain(framesOf([event]));
  const received = parseNamedEvents(text);
  expect(received.map(({ sequence_number: number }) => number)).toEqual(events.map((_, i) => i));
  expect(received.at(-1)).toMatchObject({
    type: "response.completed",
    response: { model, future: "kept", usage: { ...usage, cost: Number(bill) / 1e9 } },
  });
  expect(text).not.toContain("resp_theirs");
  const row = await awaitRequest(server, name);
  expect([row.outcome, row.chargedNanos]).toEqual(["completed", bill]);
});

test("the SDK parses these answers", async () => {
  const client = new OpenAI({ apiKey: account.key, baseURL: server.baseUrl });
  const whole = await client.responses.create({ model, input: "hi" });
  expect([whole.output_text, whole.usage?.output_tokens]).toEqual(["Hello you", 2]);
  let text = "";
  for await (const event of await client.responses.create({ model, input: "hi", stream: true })) {
    if (event.type === "response.output_text.delta") text += event.delta;
  }
  expect(text).toBe("Hello you");
});

test("a stream that ends early has failed, with the next number", async () => {
  const name = "early";
  sentEvents = 9;
  const body = JSON.stringify({ model, input, stream: true });
  const text = await (await postResponse(server, account.key, { body, name })).text();
  const received = parseNamedEvents(text);
  expect(received.map(({ sequence_number: number }) => number)).toEqual(received.map((_, i) => i));
  expect(received).toHaveLength(10);
  expect(received.at(-1)?.type).toBe("response.failed");
  const row = await awaitRequest(server, name);
  expect([row.outcome, row.completionTokens]).toEqual(["upstream_failed", 3]);
});

test("what every route refuses is refused here as well", async () => {
  const before = asked.length;
  const body = { model, input: "hi", tools: [{ type: "web_search" }] };
  expect((await postResponse(server, account.key, { body })).status).toBe(400);
  expect(asked).toHaveLength(before);
});
