// The endpoints that call models answer what `/openapi.json` says, whole and streamed, and what their schemas of
// requests accept and refuse is what the server accepts and refuses.
import { expect, test } from "bun:test";
import {
  getPath,
  readJson,
  scripted,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";
import { readDescription, readProblems } from "./expect-described.fixture.ts";

const { server, account } = await useServer(
  startTestServer({ environment: { SEALING_KEY: "a-key-that-only-this-test-seals-with" } }),
);
const expectDescribed = await readDescription(server);
const findProblems = await readProblems(server);

const messages = [scripted({ deltas: 3 })];
const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "/chat/completions": { model: testModels.cheap, messages },
  "/responses": { model: testModels.cheap, input: "hello", temperature: 1 },
  "/responses/input_tokens": { model: testModels.cheap, input: [{ role: "user", content: "hi" }] },
  "/responses/compact": { model: testModels.cheap, input: "hello" },
  "/messages": { model: testModels.anthropic, max_tokens: 50, messages, system: "Be brief." },
  "/messages/count_tokens": { model: testModels.anthropic, messages },
  "/completions": { model: testModels.cheap, prompt: "hello", max_tokens: 20 },
  "/embeddings": { model: testModels.embeddings, input: ["one", "two"] },
  "/estimate": { model: testModels.cheap, messages },
  "/images/generations": { model: testModels.image, prompt: "a lighthouse", quality: "low" },
  "/images": { model: testModels.imagePiece, prompt: "a lighthouse", size: "1024x1024" },
  "/rerank": { model: testModels.rerank, query: "rocks", documents: ["one", { text: "two" }] },
  "/moderations": { model: testModels.moderation, input: ["one", "two"] },
};
const streamed = ["/chat/completions", "/responses", "/messages", "/completions"];

const post = (path: string, body: unknown) =>
  fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const inRequest = ["requestBody", "content", "application/json"];

test.each(Object.entries(bodies))(
  "POST %s takes and answers what is described",
  async (path, body) => {
    expect(findProblems(`POST /v1${path}`, inRequest, body)).toEqual([]);
    const answer = await post(path, body);
    expectDescribed(`POST ${path}`, { status: answer.status, body: await readJson(answer) });
  },
);

test.each(streamed)("each event of a streamed POST %s is what is described", async (path) => {
  const body = { ...bodies[path], stream: true };
  expect(findProblems(`POST /v1${path}`, inRequest, body)).toEqual([]);
  const answer = await post(path, body);
  expect(answer.status).toBe(200);
  const events = (await answer.text())
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line): unknown => JSON.parse(line.slice("data: ".length)));
  expect(events.length).toBeGreaterThan(3);
  for (const event of events) {
    expectDescribed(`POST ${path}`, { status: 200, body: event, type: "text/event-stream" });
  }
});

test("inputs to embed that are made of texts and images are described", () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
  const input = [{ content: [{ type: "text", text: "a lighthouse" }, image] }];
  const asked = { model: testModels.embeddings, input };
  expect(findProblems("POST /v1/embeddings", inRequest, asked)).toEqual([]);
  const wrong = { ...asked, input: [{ content: [{ type: "video" }] }] };
  expect(findProblems("POST /v1/embeddings", inRequest, wrong)).not.toEqual([]);
});

const wrong: readonly (readonly [string, object])[] = [
  ["/chat/completions", { model: 1 }],
  ["/chat/completions", { messages: [] }],
  ["/chat/completions", { temperature: 3 }],
  ["/chat/completions", { n: 0 }],
  ["/images/generations", { n: 11 }],
  ["/images/generations", { size: "huge" }],
  ["/images/generations", { frames: 2 }],
  ["/rerank", { documents: [] }],
  ["/moderations", { input: 7 }],
  ["/responses", { input: 5 }],
  ["/responses", { temperature: 3 }],
  ["/responses", { top_logprobs: 30 }],
  ["/messages", { max_tokens: -1 }],
  ["/messages", { messages: [] }],
  ["/messages", { temperature: 2 }],
  ["/messages", { messages: [{ role: "robot", content: "hi" }] }],
  ["/messages/count_tokens", { messages: "hi" }],
  ["/completions", { prompt: 1 }],
  ["/completions", { max_tokens: 0 }],
  ["/embeddings", { input: {} }],
];

test.each(wrong)(
  "POST %s with %j is refused by the schema and by the server",
  async (path, fields) => {
    const body = { ...bodies[path], ...fields };
    expect(findProblems(`POST /v1${path}`, inRequest, body)).not.toEqual([]);
    const refused = await post(path, body);
    expect(refused.status).toBe(400);
    await refused.body?.cancel();
  },
);

test("stored responses and conversations are answered as described", async () => {
  const { id } = await readJson(await post("/responses", { ...bodies["/responses"], store: true }));
  const items = [{ role: "user", content: "hello" }];
  const making = { items, metadata: { topic: "greeting" } };
  expect(findProblems("POST /v1/conversations", inRequest, making)).toEqual([]);
  const made = await readJson(await post("/conversations", making));
  const conversation = `/conversations/${made.id}`;
  const added = await readJson(await post(`${conversation}/items`, { items }));
  const item = `${conversation}/items/${added.first_id}`;
  expectDescribed("POST /conversations", { status: 200, body: made });
  expectDescribed("POST /conversations/{id}/items", { status: 200, body: added });
  for (const [method, call, path] of [
    ["GET", "/responses/{id}", `/responses/${id}`],
    ["GET", "/responses/{id}/input_items", `/responses/${id}/input_items`],
    ["DELETE", "/responses/{id}", `/responses/${id}`],
    ["GET", "/conversations/{id}", conversation],
    ["GET", "/conversations/{id}/items", `${conversation}/items`],
    ["GET", "/conversations/{id}/items/{item}", item],
    ["DELETE", "/conversations/{id}/items/{item}", item],
    ["DELETE", "/conversations/{id}", conversation],
  ] as const) {
    const headers = { authorization: `Bearer ${account.key}` };
    const answer = await fetch(server.baseUrl + path, { method, headers });
    expect(answer.status).toBe(200);
    expectDescribed(`${method} ${call}`, { status: 200, body: await readJson(answer) });
  }
});

test("stored interactions are answered as described", async () => {
  const body = { model: testModels.cheap, input: "hello", store: true };
  const wantsJson = ["responses", "200", "content", "application/json"];
  const wantsEvent = ["responses", "200", "content", "text/event-stream"];
  const streaming = { ...body, stream: true, previous_interaction_id: "gen-1" };
  expect(findProblems("POST /v1beta/interactions", inRequest, streaming)).toEqual([]);
  const streamed = await (await post("/interactions", { ...body, stream: true })).text();
  for (const block of streamed.split("\n\n").filter((each) => each.startsWith("event: "))) {
    const event: unknown = JSON.parse(block.slice(block.indexOf("\ndata: ") + "\ndata: ".length));
    expect(findProblems("POST /v1beta/interactions", wantsEvent, event)).toEqual([]);
  }
  const { id } = await readJson(await post("/interactions", body));
  for (const [method, query] of [
    ["GET", "?include_input=true"],
    ["DELETE", ""],
  ] as const) {
    const headers = { authorization: `Bearer ${account.key}` };
    const url = `${server.baseUrl}/interactions/${id}${query}`;
    const answer = await fetch(url, { method, headers });
    expect(answer.status).toBe(200);
    const call = `${method} /v1beta/interactions/{id}`;
    expect(findProblems(call, wantsJson, await readJson(answer))).toEqual([]);
  }
});

test("reads answer what is described", async () => {
  const made = await post("/chat/completions", bodies["/chat/completions"]);
  const id = made.headers.get("x-generation-id") ?? "";
  await made.text();
  const [author = "", slug = ""] = testModels.cheap.split("/");
  for (const [call, path] of [
    ["/models", "/models"],
    ["/models/user", "/models/user"],
    ["/models/count", "/models/count"],
    ["/embeddings/models", "/embeddings/models"],
    ["/images/models", "/images/models"],
    [
      "/images/models/{author}/{slug}/endpoints",
      `/images/models/${testModels.imagePiece}/endpoints`,
    ],
    ["/model/{author}/{slug}", `/model/${author}/${slug}`],
    ["/models/{author}/{slug}", `/models/${author}/${slug}`],
    ["/models/{author}/{slug}/endpoints", `/models/${author}/${slug}/endpoints`],
    ["/providers", "/providers"],
    ["/key", "/key"],
    ["/credits", "/credits"],
    ["/generation", `/generation?id=${id}`],
  ] as const) {
    const answer = await getPath(server, account.key, path);
    expectDescribed(`GET ${call}`, { status: answer.status, body: await readJson(answer) });
  }
  const receipt = await getPath(server, account.key, `/generation/${id}/receipt`);
  const type = receipt.headers.get("content-type") ?? "";
  const body = await receipt.text();
  expectDescribed("GET /generation/{id}/receipt", { status: receipt.status, body, type });
  const keys = await fetch(`${server.url}/.well-known/jwks.json`);
  const keyType = keys.headers.get("content-type") ?? "";
  const where = ["responses", "200", "content", keyType];
  expect(findProblems("GET /.well-known/jwks.json", where, await keys.json())).toEqual([]);
});
