// A streamed completion: OpenAI's sequence of chunks, exact to the last byte, and the
// bill beside it.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  asObject,
  at,
  billCheap,
  chatBody,
  contentOf,
  expectCallHeaders,
  expectCleanBooks,
  findSchemaProblems,
  type JsonObject,
  openAccount,
  postChat,
  readEvents,
  readMoney,
  startTestServer,
  testModels,
  usdNumber,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

type Script = Parameters<typeof chatBody>[0];

async function stream(script: Script, fields: JsonObject = {}) {
  const body = chatBody(script, { stream: true, ...fields });
  const response = await postChat(server, account.key, body);
  expect(response.status).toBe(200);
  const read = await readEvents(response);
  for (const event of read.events) {
    expect(findSchemaProblems("CreateChatCompletionStreamResponse", event)).toEqual([]);
    expect(event).not.toHaveProperty("error");
  }
  return { response, ...read };
}

test("the role comes first, then content, one finish, and [DONE] last", async () => {
  const { events, done, comments } = await stream({ deltas: 2 });
  const choices = events.map((event) => at(event, "choices.0"));
  const choice = (delta: JsonObject, finish_reason: string | null = null) => ({
    index: 0,
    delta,
    logprobs: null,
    finish_reason,
  });
  expect(choices).toEqual([
    choice({ role: "assistant", content: "" }),
    choice({ content: " tok" }),
    choice({ content: " tok" }),
    choice({}, "stop"),
  ]);
  expect(done).toBe(true);
  expect(comments).toEqual([]);
});

test("every chunk has the same id, time and model, including the one with the usage", async () => {
  const script = { deltas: 3, paceMs: 450 };
  const { events, response } = await stream(script, { stream_options: { include_usage: true } });
  const heads = events.map(({ id, object, created, model }) => ({ id, object, created, model }));
  expect(new Set(heads.map((head) => JSON.stringify(head))).size).toBe(1);
  expect(heads[0]).toMatchObject({ object: "chat.completion.chunk", model: testModels.cheap });
  const generation = response.headers.get("x-generation-id");
  expect(String(heads[0]?.id).replace("chatcmpl", "gen")).toBe(String(generation));
});

test("a stream has the headers that keep proxies from buffering it", async () => {
  const { response } = await stream({ deltas: 1 });
  expectCallHeaders(response.headers);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-cache, no-transform");
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  expect(response.headers.get("content-length")).toBeNull();
  expect(response.headers.get("server-timing")).toContain("upstream;dur=");
});

test.each([
  ["include_usage", { stream_options: { include_usage: true } }],
  ["OpenRouter's usage.include", { usage: { include: true } }],
])("usage is shown once, last and only if requested, with the exact charge: %s", async (_, ask) => {
  const before = await readMoney(server, account.id);
  const { events } = await stream({ deltas: 4, cachedTokens: 3 }, ask);
  const last = asObject(events.at(-1));
  expect(last.choices).toEqual([]);
  expect(events.slice(0, -1).every((event) => event.usage === null)).toBe(true);
  expect(events.slice(0, -1).every((event) => at(event, "choices.0") !== undefined)).toBe(true);
  const costNanos = billCheap(last.usage);
  expect(at(last, "usage.cost")).toBe(usdNumber(costNanos));
  expect(at(last, "usage.completion_tokens")).toBe(4);
  const after = await readMoney(server, account.id);
  expect(after.balanceNanos + costNanos).toBe(before.balanceNanos);
});

test("without include_usage no chunk has a usage key or empty choices, and the call is billed", async () => {
  const without = [
    {},
    { stream_options: { include_usage: false } },
    { usage: { include: false } },
    { usage: null },
  ];
  for (const fields of without) {
    const before = await readMoney(server, account.id);
    const { events } = await stream({ deltas: 2 }, fields);
    for (const event of events) {
      expect(event).not.toHaveProperty("usage");
      expect(event.choices).toHaveLength(1);
    }
    const after = await readMoney(server, account.id);
    expect(before.balanceNanos - after.balanceNanos).toBeGreaterThan(2n * 400n);
  }
});

test("usage an upstream attaches to its last chunk is not shown to a caller who did not request it", async () => {
  const { events } = await stream({ deltas: 2, usageOnFinish: true });
  for (const event of events) expect(event).not.toHaveProperty("usage");
});

test("tool calls arrive with id and name once, dense indexes, and arguments in fragments", async () => {
  const calls = [
    { name: "get_weather", arguments: '{"city":"Oslo"}' },
    { name: "get_time", arguments: "{}" },
  ];
  const tools = calls.map(({ name }) => ({ type: "function", function: { name } }));
  const { events } = await stream({ toolCalls: calls }, { tools });
  const deltas = events.flatMap((event) => {
    const list = at(event, "choices.0.delta.tool_calls");
    return Array.isArray(list) ? list.map(asObject) : [];
  });
  for (const [index, call] of calls.entries()) {
    const own = deltas.filter((delta) => delta.index === index);
    expect(own.map((delta) => delta.id !== undefined)).toEqual(own.map((_, place) => place === 0));
    expect(own.map((delta) => at(delta, "function.name"))).toEqual(
      own.map((_, place) => (place === 0 ? call.name : undefined)),
    );
    expect(own.map((delta) => at(delta, "function.arguments") ?? "").join("")).toBe(call.arguments);
  }
  expect(at(events.at(-1), "choices.0.finish_reason")).toBe("tool_calls");
});

test("with several choices each chunk has one, and each choice one finish", async () => {
  const { events } = await stream({ deltas: 2 }, { n: 3 });
  const choices = events.map((event) => event.choices);
  expect(choices.every((list) => Array.isArray(list) && list.length === 1)).toBe(true);
  const finished = events.filter((event) => at(event, "choices.0.finish_reason") !== null);
  expect(finished.map((event) => at(event, "choices.0.index"))).toEqual([0, 1, 2]);
});

test("text split inside its characters, CRLF and an upstream's comments do not change the answer", async () => {
  const torn = await stream({ deltas: 5, splitUtf8: true, crlf: true, keepAlive: true });
  expect(contentOf(torn)).toBe(" 😀".repeat(5));
  expect(torn.done).toBe(true);
  const bytes = await stream({ deltas: 3, splitUtf8: true, splitEvery: 1 });
  expect(contentOf(bytes)).toBe(" 😀".repeat(3));
});

test("an upstream that omits [DONE] after a finished answer does not affect the client", async () => {
  const { done, events } = await stream({ deltas: 2, noDone: true, closeDelimited: true });
  expect(done).toBe(true);
  expect(at(events.at(-1), "choices.0.finish_reason")).toBe("stop");
});

test("reasoning streams as reasoning_content and is part of the bill", async () => {
  const script = { reasoning: 3, deltas: 1, reasoningField: "reasoning" } as const;
  const { events } = await stream(script, {
    model: testModels.reasoning,
    stream_options: { include_usage: true },
  });
  const thoughts = events.map((event) => at(event, "choices.0.delta.reasoning_content") ?? "");
  expect(thoughts.join("")).toBe(" tok tok tok");
  const usage = asObject(events.at(-1)?.usage);
  expect(usage.completion_tokens).toBe(4);
  expect(at(usage, "completion_tokens_details.reasoning_tokens")).toBe(3);
});

test("long words are not counted as more tokens than the limit allows", async () => {
  const text = " information".repeat(200);
  const fields = { model: testModels.bursty, max_tokens: 200 };
  const read = await stream({ text }, fields);
  expect(contentOf(read)).toBe(text);
  expect(read.done).toBe(true);
});
