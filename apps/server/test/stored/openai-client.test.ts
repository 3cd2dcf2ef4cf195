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
