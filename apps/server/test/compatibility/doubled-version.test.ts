// A base URL that ends in `/v1`, for clients that add it themselves: Claude Code and Anthropic's SDKs request
// `/v1/v1/messages`. Everything of `/v1` is served there, and under OpenRouter's base path.

import { afterEach, describe, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import {
  at,
  expectCleanBooks,
  expectFault,
  openAccount,
  readCharges,
  readJson,
  scripted,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";

const { server, account } = await useServer(startTestServer());
afterEach(() => expectCleanBooks(server));

describe.each(["/v1/v1", "/api/v1/v1"])("under %s", (base) => {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}${base}${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${account.key}`,
        "content-type": "application/json",
        ...init.headers,
      },
    });
  const post = (path: string, body: object) =>
    ask(path, { method: "POST", body: JSON.stringify(body) });
  const messages = [scripted({ deltas: 2 })];

  test.each<[string, object]>([
    ["/chat/completions", { model: testModels.cheap, messages }],
    ["/responses", { model: testModels.cheap, input: "hello" }],
    ["/messages", { model: testModels.anthropic, max_tokens: 9, messages }],
    ["/messages/count_tokens", { model: testModels.anthropic, messages }],
    ["/embeddings", { model: testModels.embeddings, input: "hello" }],
    ["/completions", { model: testModels.cheap, prompt: "hello" }],
  ])("POST %s is answered", async (path, body) => {
    const answer = await post(path, body);
    expect([answer.status, at(await readJson(answer), "error") ?? null]).toEqual([200, null]);
  });

  test.each(["/models", `/models/${testModels.cheap}`, "/key", "/credits"])(
    "GET %s is answered as under /v1",
    async (path) => {
      // What its leases hold changes by itself after the calls of the other.
      const idle = await openAccount(server);
      const headers = { authorization: `Bearer ${idle.key}` };
      const own = await fetch(`${server.baseUrl}${path}`, { headers });
      expect(await readJson(await ask(path, { headers }))).toEqual(await readJson(own));
    },
  );

  test("a refusal has the format of its protocol", async () => {
    const refused = await post("/messages", {});
    expect(await readJson(refused)).toMatchObject({ type: "error" });
    await expectFault(await post("/chat/completions", {}), {
      status: 400,
      code: "missing_required_parameter",
      param: "model",
    });
  });
});

test("Anthropic's SDK works with a base URL that ends in /v1, and pays once per call", async () => {
  const before = (await readCharges(server, account)).length;
  const client = new Anthropic({ apiKey: account.key, baseURL: server.baseUrl, maxRetries: 0 });
  const body = { model: testModels.anthropic, max_tokens: 20, messages: [scripted({ deltas: 2 })] };
  const whole = await client.messages.create({ ...body, messages: asMessages(body.messages) });
  expect(whole.content[0]).toMatchObject({ type: "text", text: " tok tok" });
  const stream = client.messages.stream({ ...body, messages: asMessages(body.messages) });
  expect(await stream.finalText()).toBe(" tok tok");
  expect((await readCharges(server, account)).length - before).toBe(2);
});

function asMessages(messages: readonly ReturnType<typeof scripted>[]): Anthropic.MessageParam[] {
  return messages.map(({ content }) => ({ role: "user", content: String(content) }));
}
