// What the recipes of CONTRIBUTING.md add, asked of a running server. `scripts/recipes` runs it in a copy of the repository
// in which all of them are applied; anywhere else it fails.
import { afterAll, expect, test } from "bun:test";
import { at, getPath, openAccount, postChat, readJson, startTestServer } from "../harness/index.ts";

/** The API of the recipe's dialect: an answer of one word, or its letters one by one. */
const harbor = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const asked: unknown = await request.json();
    const counts = { read: 7, written: 3 };
    const path = new URL(request.url).pathname;
    const text = String(at(asked, "chat.messages.0.content"));
    if (path !== "/v1/answers") return new Response("no such path", { status: 404 });
    if (at(asked, "chat.stream") !== true) return Response.json({ answer: text, counts });
    const events = [...text].map((answer) => ({ answer }));
    const lines = [...events, { counts }].map((event) => `data: ${JSON.stringify(event)}\n\n`);
    return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
  },
});

const model = (id: string, provider: string) => `
  - id: ${id}
    contextTokens: 100000
    maxOutputTokens: 10000
    routes: [{ provider: ${provider}, model: up }]
    prices: { input: "1", output: "2" }`;

const server = await startTestServer({
  environment: { LIVEZ_TEXT: "the process runs" },
  catalog: (baseUrl) => `
providers:
  - { id: northwind, baseUrl: "${baseUrl}", apiKey: k }
  - { id: quay, kind: harbor, baseUrl: "http://127.0.0.1:${harbor.port}/v1", apiKey: k }
models:${model("northwind/gale", "northwind")}${model("harbor/pilot", "quay")}
`,
});
const account = await openAccount(server);
afterAll(async () => {
  await server.close();
  await harbor.stop(true);
});

const ask = (name: string, fields: object = {}, headers: Record<string, string> = {}) =>
  postChat(
    server,
    account.key,
    { model: name, messages: [{ role: "user", content: "ahoy" }], max_tokens: 50, ...fields },
    { headers },
  );

const lastAsked = () => JSON.parse(server.upstream.requests.at(-1)?.body ?? "{}");

test("a provider answers a call, and is asked in its own way", async () => {
  expect((await ask("northwind/gale")).status).toBe(200);
  expect(lastAsked()).toMatchObject({ max_completion_tokens: 50 });
  expect(lastAsked()).not.toHaveProperty("max_tokens");
});

test("a dialect answers whole and streamed, and is billed by its own counts", async () => {
  const whole = await readJson(await ask("harbor/pilot"));
  expect(at(whole, "choices.0.message.content")).toBe("ahoy");
  expect(at(whole, "usage.completion_tokens")).toBe(3);
  const streamed = await ask("harbor/pilot", { stream: true });
  const text = await streamed.text();
  expect(text.match(/"content":"[ahoy]"/g)).toHaveLength(4);
  expect(text).toEndWith("data: [DONE]\n\n");
});

test("a field is checked, and sent to the provider", async () => {
  expect((await ask("northwind/gale", { weather: "wet" })).status).toBe(400);
  expect((await ask("northwind/gale", { weather: "auto" })).status).toBe(200);
  expect(lastAsked()).toMatchObject({ weather: "auto" });
});

test("a column of the request row is written and shown", async () => {
  const answer = await ask("northwind/gale", {}, { "x-client-version": "7.1" });
  const id = answer.headers.get("x-generation-id");
  await answer.text();
  const shown = await readJson(await getPath(server, account.key, `/generation?id=${id}`));
  expect(at(shown, "data.client_version")).toBe("7.1");
});

test("a metric counts, and is exposed", async () => {
  const key = { "idempotency-key": "once" };
  for (const _ of [1, 2]) await (await ask("northwind/gale", {}, key)).text();
  const { body } = await server.services.metrics.expose();
  expect(body).toMatch(/^turnpike_answers_repeated_total 1$/m);
});

test("a setting is read", async () => {
  expect(await (await fetch(`${server.url}/livez`)).text()).toStartWith(
    "the process runs\nversion ",
  );
});
