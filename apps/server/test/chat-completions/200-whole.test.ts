// A whole completion: OpenAI's answer, billed to the nano-dollar.

import { afterAll, afterEach, expect, test } from "bun:test";
import { zeroNanos } from "@turnpike/terms";
import {
  at,
  billCheap,
  chatBody,
  expectCallHeaders,
  expectCleanBooks,
  findSchemaProblems,
  openAccount,
  postChat,
  readJson,
  readMoney,
  startTestServer,
  testModels,
  usdNumber,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

test("a whole answer is OpenAI's object and costs its tokens, to the nano-dollar", async () => {
  const before = await readMoney(server, account.id);
  const response = await postChat(server, account.key, chatBody({ deltas: 3, cachedTokens: 5 }));
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  const body = await readJson(response);
  expect(findSchemaProblems("CreateChatCompletionResponse", body)).toEqual([]);
  expect(body).toMatchObject({
    object: "chat.completion",
    model: testModels.cheap,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: " tok tok tok", refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: { completion_tokens: 3, prompt_tokens_details: { cached_tokens: 5 } },
  });
  const costNanos = billCheap(body.usage);
  expect(at(body, "usage.cost")).toBe(usdNumber(costNanos));
  const after = await readMoney(server, account.id);
  expect(after.balanceNanos + costNanos).toBe(before.balanceNanos);
  expect(after.heldNanos).toBe(zeroNanos);
});

test("the ids of a call in body and header agree, and each is unique", async () => {
  const seen = new Set<unknown>();
  for (let call = 0; call < 2; call += 1) {
    const response = await postChat(server, account.key, chatBody({ deltas: 1 }));
    expectCallHeaders(response.headers);
    const { id } = await readJson(response);
    expect(id).toMatch(/^chatcmpl-[0-9a-f]{32}$/);
    expect(response.headers.get("x-generation-id")).toBe(String(id).replace("chatcmpl", "gen"));
    seen.add(id).add(response.headers.get("x-request-id"));
  }
  expect(seen.size).toBe(4);
});

test("Server-Timing shows what took the time", async () => {
  const response = await postChat(server, account.key, chatBody({ deltas: 1, firstByteMs: 30 }));
  const timing = response.headers.get("server-timing") ?? "";
  const parts = timing.split(", ").map((part) => part.split(";dur="));
  expect(parts.map(([name]) => name)).toEqual(["auth", "hold", "upstream", "gateway"]);
  const upstream = Number(parts.find(([name]) => name === "upstream")?.[1]);
  expect(upstream).toBeGreaterThanOrEqual(29);
  for (const [, duration] of parts) expect(Number(duration)).toBeGreaterThanOrEqual(0);
});

test("several choices are all present and all paid", async () => {
  const response = await postChat(server, account.key, chatBody({ deltas: 2 }, { n: 3 }));
  const body = await readJson(response);
  expect(findSchemaProblems("CreateChatCompletionResponse", body)).toEqual([]);
  expect(body.choices).toMatchObject([{ index: 0 }, { index: 1 }, { index: 2 }]);
  expect(at(body, "usage.completion_tokens")).toBe(6);
});

test("a tool call has arguments as text, and null as content", async () => {
  const call = { name: "get_weather", arguments: '{"city": "Oslo"}' };
  const response = await postChat(
    server,
    account.key,
    chatBody(
      { toolCalls: [call] },
      { tools: [{ type: "function", function: { name: call.name } }] },
    ),
  );
  const body = await readJson(response);
  expect(findSchemaProblems("CreateChatCompletionResponse", body)).toEqual([]);
  expect(at(body, "choices.0.finish_reason")).toBe("tool_calls");
  expect(at(body, "choices.0.message")).toMatchObject({
    content: null,
    tool_calls: [{ type: "function", function: call }],
  });
});

test("an answer without tool calls has no tool_calls key, because an empty list is refused later", async () => {
  const response = await postChat(server, account.key, chatBody({ deltas: 1 }));
  expect(Object.keys(Object(at(await readJson(response), "choices.0.message")))).not.toContain(
    "tool_calls",
  );
});

test("reasoning is returned as reasoning_content, whatever the upstream calls it, and never as content", async () => {
  for (const reasoningField of ["reasoning_content", "reasoning"] as const) {
    const script = { reasoning: 2, deltas: 1, reasoningField };
    const body = await readJson(await postChat(server, account.key, chatBody(script)));
    expect(at(body, "choices.0.message")).toMatchObject({
      reasoning_content: " tok tok",
      content: " tok",
    });
    expect(at(body, "usage.completion_tokens_details.reasoning_tokens")).toBe(2);
  }
});

test("max_tokens limits the answer, in either spelling", async () => {
  for (const limit of [{ max_tokens: 2 }, { max_completion_tokens: 2, max_tokens: 5 }]) {
    const response = await postChat(server, account.key, chatBody({ deltas: 9 }, limit));
    const body = await readJson(response);
    expect(at(body, "choices.0.finish_reason")).toBe("length");
    expect(at(body, "usage.completion_tokens")).toBe(2);
    expect(response.headers.get("x-turnpike-max-tokens")).toBeNull();
  }
});

test("null for an optional field means that it is absent", async () => {
  const nothing = { temperature: null, max_tokens: null, stop: null, stream: null, n: null };
  const fields = { ...nothing, stream_options: null, tools: null, metadata: null, seed: null };
  const response = await postChat(server, account.key, chatBody({ deltas: 1 }, fields));
  expect(response.status).toBe(200);
});

test("an upstream that reports no usage is billed by count", async () => {
  const response = await postChat(server, account.key, chatBody({ deltas: 4, usage: "missing" }));
  const body = await readJson(response);
  expect(Number(at(body, "usage.prompt_tokens"))).toBeGreaterThan(0);
  expect(Number(at(body, "usage.completion_tokens"))).toBeGreaterThan(0);
  expect(at(body, "usage.cost")).toBe(usdNumber(billCheap(body.usage)));
});
