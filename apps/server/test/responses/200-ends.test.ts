// How a response ends if its upstream fails or its client disconnects, and what each ending is charged: the
// same as a chat completion that ends in this way.
import { expect, test } from "bun:test";
import { streamLimits, wholeLimits } from "@turnpike/providers";
import type { Script } from "@turnpike/testing";
import {
  at,
  billCheap,
  type JsonObject,
  readJson,
  readMoney,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { awaitRequest } from "../money/read-requests.ts";
import { parseNamedEvents, postResponse, responseBody } from "./post-responses.ts";

/** Long enough for a busy machine, short enough for a test. */
const silentMs = 1_500;

const { server, account } = await useServer(
  startTestServer({
    times: { commitStreamMs: 200, keepAliveMs: 200 },
    limits: {
      stream: { ...streamLimits, firstByteMs: silentMs, interChunkMs: silentMs },
      whole: { ...wholeLimits, firstByteMs: silentMs },
    },
  }),
);

let calls = 0;

async function call(script: Script, fields: JsonObject = {}) {
  calls += 1;
  const name = `response-${calls}`;
  const body = responseBody({ tag: name, ...script }, fields);
  const response = await postResponse(server, account.key, { body, name });
  const text = await response.text();
  return { response, text, row: await awaitRequest(server, name) };
}

const streamed = (script: Script, fields: JsonObject = {}) =>
  call(script, { stream: true, ...fields });

test("a complete stream is charged what its last event reports, in this API's field names", async () => {
  const before = await readMoney(server, account.id);
  const { response, text, row } = await streamed({ deltas: 4, reasoning: 2, cachedTokens: 3 });
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  expect(text).not.toContain("[DONE]");
  const last = parseNamedEvents(text).at(-1);
  expect(last?.type).toBe("response.completed");
  const usage = at(last, "response.usage");
  expect(usage).toMatchObject({
    output_tokens: 6,
    input_tokens_details: { cached_tokens: 3 },
    output_tokens_details: { reasoning_tokens: 2 },
  });
  const bill = billCheap({
    prompt_tokens: at(usage, "input_tokens"),
    completion_tokens: at(usage, "output_tokens"),
    prompt_tokens_details: at(usage, "input_tokens_details"),
  });
  expect(row.chargedNanos).toBe(bill);
  const after = await readMoney(server, account.id);
  expect(before.balanceNanos - after.balanceNanos).toBe(bill);
});

test("the id of a response finds its generation", async () => {
  const { text, response } = await call({ deltas: 2 });
  const { id } = JSON.parse(text);
  const found = await fetch(`${server.baseUrl}/generation?id=${id}`, {
    headers: { authorization: `Bearer ${account.key}` },
  });
  expect(found.status).toBe(200);
  expect(at(await readJson(found), "data.id")).toBe(response.headers.get("x-generation-id"));
});

test.each<[string, Script]>([
  ["cut", { deltas: 9, paceMs: 20, cutAfterDeltas: 3 }],
  ["reset", { deltas: 9, paceMs: 20, resetAfterDeltas: 3 }],
  ["silent", { deltas: 9, stallAfterDeltas: 3 }],
  ["an error", { deltas: 9, errorAfterDeltas: 3 }],
])(
  "a stream that breaks off (%s) has failed, and what was delivered is charged",
  async (_, script) => {
    const { text, row } = await streamed(script);
    const events = parseNamedEvents(text);
    const types = events.map(({ type }) => type);
    expect(types.at(-1)).toBe("response.failed");
    expect(types).not.toContain("response.completed");
    expect(types).not.toContain("response.output_item.done");
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((__, i) => i));
    // A reset may discard the last bytes: what arrived is shown and charged.
    expect(row.completionTokens).toBeGreaterThan(0);
    expect(at(events.at(-1), "response.output.0.content.0.text")).toBe(
      " tok".repeat(row.completionTokens),
    );
    expect(at(events.at(-1), "response.error.code")).toBe("server_error");
    expect(row.outcome).toBe("upstream_failed");
    expect(row.chargedNanos).toBeGreaterThan(0n);
  },
);

test.each([true, false])(
  "an upstream that refuses before its first token costs nothing (stream: %p)",
  async (stream) => {
    const { response, text, row } = await call({ status: 500 }, { stream });
    expect(response.status).toBe(502);
    expect(JSON.parse(text)).toMatchObject({ error: { type: "upstream_error", param: null } });
    expect(row.chargedNanos).toBe(0n);
  },
);

test("a field that the upstream refuses is named as in this API", async () => {
  const error = {
    message: "No.",
    type: "invalid_request_error",
    param: "messages[0].content",
    code: null,
  };
  const { response, text } = await call({ status: 400, error });
  expect(response.status).toBe(400);
  expect(at(JSON.parse(text), "error.param")).toBe("input");
});

test("comments keep the connection alive until the response begins, even one that then fails", async () => {
  const { text } = await streamed({ firstByteMs: 900, deltas: 1 });
  expect(text).toMatch(/^(?:: keep-alive\n)+event: /);
  expect(parseNamedEvents(text).at(-1)?.type).toBe("response.completed");
  const failed = await streamed({ firstByteMs: 900, status: 500 });
  expect(failed.text).toMatch(/^(?:: keep-alive\n)+event: /);
  expect(parseNamedEvents(failed.text).map(({ type }) => type)).toEqual([
    "response.created",
    "response.in_progress",
    "response.failed",
  ]);
  expect(failed.row.chargedNanos).toBe(0n);
});

test("a client that disconnects from a stream is charged for what it was sent", async () => {
  const name = "leaver";
  const controller = new AbortController();
  const body = responseBody({ tag: name, deltas: 100_000, paceMs: 5 }, { stream: true });
  const { signal } = controller;
  const response = await postResponse(server, account.key, { body, name, signal });
  const reader = response.body?.getReader();
  let text = "";
  while (!text.includes("output_text.delta")) {
    const read = await reader?.read();
    text += new TextDecoder().decode(read?.value);
  }
  controller.abort();
  const upstream = await server.upstream.waitFor(({ tag }) => tag === name);
  expect(await upstream.ended).toBe("gone");
  const row = await awaitRequest(server, name);
  expect(row.outcome).toBe("client_closed");
  expect(row.chargedNanos).toBeGreaterThan(0n);
  expect(row.completionTokens).toBeLessThanOrEqual(upstream.delivered.tokens);
});
