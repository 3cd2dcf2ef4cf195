// Upstreams that have the API themselves, and whose last event does not name the items that they have streamed.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  expectCleanBooks,
  type JsonObject,
  openAccount,
  readJson,
  startTestServer,
} from "../harness/index.ts";
import { storedEnvironment, useStored } from "./use-stored.fixture.ts";

const model = "test/native";
const shell = { id: "resp_theirs", object: "response", created_at: 1, model: "theirs" };
const started = { ...shell, status: "in_progress", output: [], usage: null };
const usage = { input_tokens: 9, output_tokens: 2, total_tokens: 11 };
const messageOf = (text: string) => ({
  id: `msg_${text}`,
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
});
const messages = [messageOf("one"), messageOf("two")];
const added = (index: number) => ({
  type: "response.output_item.added",
  output_index: index,
  item: { ...messages[index], content: [] },
});
const done = (index: number) => ({
  type: "response.output_item.done",
  output_index: index,
  item: messages[index],
});
/** The second item ends before the first. */
const itemEvents = [added(0), added(1), done(1), done(0)];

let sent: readonly JsonObject[] = [];
function answerWithEvents(items: readonly JsonObject[], ending: JsonObject): void {
  const response = { ...shell, status: "completed", usage, ...ending };
  sent = [
    { type: "response.created", response: started },
    ...items,
    { type: "response.completed", response },
  ];
}

const upstream = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch() {
    const frames = sent.map((event, index) => {
      const data = JSON.stringify({ ...event, sequence_number: index });
      return `event: ${String(event.type)}\ndata: ${data}\n\n`;
    });
    return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
  },
});

const server = await startTestServer({
  environment: storedEnvironment,
  catalog: () => `
providers:
  - { id: native, baseUrl: "http://127.0.0.1:${upstream.port}/v1", apiKey: k, quirks: { responses: native } }
models:
  - id: ${model}
    contextTokens: 128000
    maxOutputTokens: 16384
    routes: [{ provider: native, model: theirs }]
    prices: { input: "0.10", output: "0.40" }`,
});
const account = await openAccount(server);
const { ask, post, create, responseOf } = useStored(server, account);
afterEach(() => expectCleanBooks(server));
afterAll(async () => {
  await server.close();
  await upstream.stop(true);
});

const stream = async () => {
  const { id: conversation } = await readJson(await post("/conversations", {}));
  const fields = { model, input: "hi", store: true, conversation, stream: true };
  return { conversation, response: await responseOf(await create(fields)) };
};

test.each<[string, JsonObject]>([
  ["without a list of items", {}],
  ["with an empty list of items", { output: [] }],
])("an ending %s: what was streamed is stored and told", async (_, ending) => {
  answerWithEvents(itemEvents, ending);
  const { conversation, response } = await stream();
  expect(response).toMatchObject({ store: true, output: messages });
  expect(await readJson(await ask(`/responses/${response.id}`))).toEqual(response);
  const { data } = await readJson(await ask(`/conversations/${conversation}/items?order=asc`));
  expect(data).toMatchObject([{ role: "user" }, ...messages]);
});

test("an ending without items after none were streamed is not stored, and says so", async () => {
  answerWithEvents([], {});
  const { conversation, response } = await stream();
  expect(response).toMatchObject({ status: "completed", store: false, conversation: null });
  expect((await ask(`/responses/${response.id}`)).status).toBe(404);
  const { data } = await readJson(await ask(`/conversations/${conversation}/items`));
  expect(data).toEqual([]);
});
