// OpenRouter's base path, for programs that take its host and nothing else: `/api/v1` has every path of `/v1`.
import { expect, test } from "bun:test";
import { scripted, startTestServer, testModels, useServer } from "../harness/index.ts";

const { server, account } = await useServer(startTestServer());
const origin = new URL(server.baseUrl).origin;

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${origin}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${account.key}`,
      "content-type": "application/json",
      ...init.headers,
    },
  });
const post = (path: string, body: object) =>
  ask(path, { method: "POST", body: JSON.stringify(body) });

test.each([
  "/models",
  "/embeddings/models",
  `/model/${testModels.cheap}`,
  "/models/count",
  "/models/user",
  `/models/${testModels.cheap}`,
  `/models/${testModels.cheap}/endpoints`,
  "/providers",
  "/key",
  "/auth/key",
  "/credits",
])("GET /api/v1%s answers as /v1%s", async (path) => {
  const [own, theirs] = [await ask(`/v1${path}`), await ask(`/api/v1${path}`)];
  expect([own.status, theirs.status]).toEqual([200, 200]);
  expect(await theirs.json()).toEqual(await own.json());
});

const messages = [scripted({ deltas: 2 })];
test.each<[string, object]>([
  ["/chat/completions", { model: testModels.cheap, messages }],
  ["/completions", { model: testModels.cheap, prompt: "hello" }],
  ["/messages", { model: testModels.anthropic, max_tokens: 9, messages }],
  ["/messages/count_tokens", { model: testModels.anthropic, messages }],
  ["/responses", { model: testModels.cheap, input: "hello" }],
  ["/embeddings", { model: testModels.embeddings, input: "hello" }],
  ["/estimate", { model: testModels.cheap, messages }],
])("POST /api/v1%s is answered", async (path, body) => {
  const answer = await post(`/api/v1${path}`, body);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toBeObject();
});

test.each(["/chat/completions", "/completions"])(
  "a stream of /api/v1%s ends with its usage, and one of /v1%s only if it is asked for",
  async (path) => {
    const body = { model: testModels.cheap, messages, prompt: "hello", stream: true };
    const { messages: _, ...completion } = body;
    const { prompt: __, ...chat } = body;
    const asked = path === "/completions" ? completion : chat;
    const theirs = await (await post(`/api/v1${path}`, asked)).text();
    expect(theirs).toContain('"total_tokens"');
    expect(theirs).toEndWith("data: [DONE]\n\n");
    const own = await (await post(`/v1${path}`, asked)).text();
    expect(own).not.toContain('"total_tokens"');
  },
);

test("what /v1 refuses is refused alike, in the format of its language", async () => {
  const unknown = await ask("/api/v1/images/variations", { method: "POST", body: "{}" });
  expect([unknown.status, await unknown.text()]).toEqual([
    404,
    expect.stringContaining("does not offer variations of images"),
  ]);
  const withoutKey = { authorization: "", "x-api-key": "" };
  const message = await ask("/api/v1/messages", {
    method: "POST",
    body: "{}",
    headers: withoutKey,
  });
  expect([message.status, await message.json()]).toEqual([
    401,
    expect.objectContaining({ type: "error" }),
  ]);
  const response = await ask("/api/v1/responses/resp_1");
  expect([response.status, await response.text()]).toEqual([
    404,
    expect.stringContaining("No such response"),
  ]);
  const preflight = await ask("/api/v1/anything", { method: "OPTIONS" });
  expect(preflight.status).toBe(204);
  const page = await ask("/api/v1/chat/completions", { headers: { accept: "text/html" } });
  expect(page.status).toBe(405);
});
