// Responses and conversations as OpenAI's own client for JavaScript keeps, reads, continues and deletes them.
import { afterEach, expect, test } from "bun:test";
import OpenAI from "openai";
import {
  answerWith,
  catchError,
  expectCleanBooks,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";
import { storedEnvironment } from "./use-stored.fixture.ts";

const { server, account } = await useServer(startTestServer({ environment: storedEnvironment }));
afterEach(() => expectCleanBooks(server));
const client = new OpenAI({ baseURL: server.baseUrl, apiKey: account.key, maxRetries: 0 });
const model = testModels.cheap;

test("responses: create, stream, continue, retrieve, list input items, cancel and delete", async () => {
  answerWith(server, { text: "one" });
  const first = await client.responses.create({ model, input: "1", store: true });
  answerWith(server, { text: "two" });
  const stream = client.responses.stream({
    model,
    input: "2",
    store: true,
    previous_response_id: first.id,
  });
  const second = await stream.finalResponse();
  expect(second.output_text).toBe("two");
  expect((await client.responses.retrieve(second.id)).output_text).toBe("two");
  const items = [];
  for await (const item of client.responses.inputItems.list(second.id, { limit: 1 }))
    items.push(item);
  expect(items).toHaveLength(1);
  expect(await catchError(client.responses.cancel(second.id))).toMatchObject({ status: 400 });
  await client.responses.delete(second.id);
  expect(await catchError(client.responses.retrieve(second.id))).toMatchObject({ status: 404 });
});

test("background: create, poll, stream, resume behind an event, and cancel", async () => {
  const input = `hello #script ${JSON.stringify({ deltas: 8 })}`;
  let made = await client.responses.create({ model, input, background: true });
  expect(made).toMatchObject({ status: "queued", background: true });
  while (made.status === "queued" || made.status === "in_progress") {
    made = await client.responses.retrieve(made.id);
  }
  expect(made).toMatchObject({ status: "completed", output_text: " tok".repeat(8) });
  const all = await Array.fromAsync(await client.responses.retrieve(made.id, { stream: true }));
  expect(all.at(0)?.type).toBe("response.created");
  const rest = await client.responses.retrieve(made.id, { stream: true, starting_after: 4 });
  expect(await Array.fromAsync(rest)).toEqual(all.slice(5));
  // The helper, which continues a response that another one has begun.
  const helper = client.responses.stream({ response_id: made.id });
  expect((await helper.finalResponse()).output_text).toBe(made.output_text);
  const streamed = await client.responses.create({ model, input, background: true, stream: true });
  expect((await Array.fromAsync(streamed)).at(-1)?.type).toBe("response.completed");
  const endless = `hello #script ${JSON.stringify({ endless: true, paceMs: 5 })}`;
  const { id } = await client.responses.create({ model, input: endless, background: true });
  expect((await client.responses.cancel(id)).status).toBe("cancelled");
});

test("conversations: create, continue, change, page through items, and delete", async () => {
  const items = [{ type: "message" as const, role: "user" as const, content: "I am Ada." }];
  const { id } = await client.conversations.create({ items, metadata: { topic: "names" } });
  answerWith(server, { text: "Ada." });
  const answer = await client.responses.create({ model, input: "Who am I?", conversation: id });
  expect(answer.conversation?.id).toBe(id);
  expect((await client.conversations.update(id, { metadata: { topic: "x" } })).metadata).toEqual({
    topic: "x",
  });
  const listed = [];
  for await (const item of client.conversations.items.list(id, { limit: 2, order: "asc" })) {
    listed.push(item.id ?? "");
  }
  expect(listed).toHaveLength(3);
  const [last = ""] = listed.slice(-1);
  expect((await client.conversations.items.retrieve(last, { conversation_id: id })).type).toBe(
    "message",
  );
  await client.conversations.items.delete(last, { conversation_id: id });
  await client.conversations.items.create(id, { items });
  expect((await client.conversations.retrieve(id)).id).toBe(id);
  expect((await client.conversations.delete(id)).deleted).toBe(true);
});

test("a conversation is compacted", async () => {
  answerWith(server, { text: "A summary." });
  const made = await client.responses.compact({ model, input: "A long story." });
  expect(made.output.map(({ type }) => type)).toEqual(["compaction"]);
});
