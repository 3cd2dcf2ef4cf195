// Estimates the cost of a request without running it; a ceiling keeps the cost of a call below it.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import {
  at,
  chatBody,
  expectCleanBooks,
  expectFault,
  type JsonObject,
  openAccount,
  postChat,
  readJson,
  readMoney,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const estimate = (body: JsonObject) =>
  fetch(`${server.baseUrl}/estimate`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const balance = async () => (await readMoney(server, account.id)).balanceNanos;

test("an estimate states tokens and cost by the catalog's prices, runs nothing and is free", async () => {
  const before = { balance: await balance(), asked: server.upstream.requests.length };
  const body = await readJson(await estimate(chatBody({ deltas: 1 }, { max_tokens: 1_000, n: 2 })));
  const promptTokens = Number(body.prompt_tokens);
  expect(promptTokens).toBeGreaterThan(5);
  expect(promptTokens).toBeLessThan(60);
  expect(body).toMatchObject({
    object: "estimate",
    model: testModels.cheap,
    max_completion_tokens: 2_000,
    prompt_cost: (promptTokens * 100) / 1e9,
    max_cost: (promptTokens * 100 + 2_000 * 400) / 1e9,
    max_cost_usd: String((promptTokens * 100 + 2_000 * 400) / 1e9),
  });
  expect(at(body, "endpoints.0.max_cost")).toBe(body.max_cost);
  expect({ balance: await balance(), asked: server.upstream.requests.length }).toEqual(before);
});

test("embeddings are estimated as well, and invalid ones are refused in the same way", async () => {
  const input = ["one", "two"];
  const body = await readJson(await estimate({ model: testModels.embeddings, input }));
  expect(body).toMatchObject({ model: testModels.embeddings, max_completion_tokens: 0 });
  const refusal = { status: 400, code: "missing_required_parameter", param: "messages" };
  await expectFault(await estimate({ model: testModels.cheap }), refusal);
  const unknown = { status: 404, code: "model_not_found" };
  await expectFault(await estimate(chatBody({ deltas: 1 }, { model: "no/model" })), unknown);
});

test("an estimate covers every model that may answer, and names the model of each endpoint", async () => {
  const models = [testModels.expensive, testModels.small];
  const fields = { max_tokens: 1_000, models };
  const body = await readJson(await estimate(chatBody({ deltas: 1 }, fields)));
  expect(body).toMatchObject({ model: testModels.cheap, max_completion_tokens: 1_000 });
  const endpoints = [body.endpoints].flat().map((endpoint) => at(endpoint, "model"));
  expect(endpoints).toEqual([testModels.cheap, ...models]);
  expect(body.max_cost).toBe(at(body, "endpoints.1.max_cost"));
  expect(body.prompt_cost).toBe(at(body, "endpoints.1.prompt_cost"));
  expect(Number(body.max_cost)).toBeGreaterThan(Number(at(body, "endpoints.0.max_cost")));

  // A model whose context is too small is not included.
  const messages = [{ role: "user", content: "one ".repeat(3_000) }];
  const long = await readJson(await estimate({ model: testModels.small, models, messages }));
  expect(long).toMatchObject({
    model: testModels.expensive,
    endpoints: [{ model: testModels.expensive }],
  });
});

const text = "A question of some length. ".repeat(20);
const tool = { name: "look", input_schema: { type: "object", properties: {} } };

test.each<[string, JsonObject]>([
  ["/v1/chat/completions", { messages: [{ role: "user", content: text }] }],
  ["/v1/completions", { prompt: text }],
  ["/v1/responses, by its text", { input: text }],
  ["/v1/responses, by its items", { input: [{ role: "user", content: text }] }],
  [
    "/v1/messages, by its system prompt",
    { system: text, messages: [{ role: "user", content: "?" }] },
  ],
  ["/v1/messages, by its tools", { tools: [tool], messages: [{ role: "user", content: text }] }],
  [
    "/v1/messages, by its blocks",
    {
      messages: [
        { role: "assistant", content: [{ type: "tool_use", id: "t", name: "look", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: text }] },
      ],
    },
  ],
  ["generateContent", { contents: [{ parts: [{ text }] }] }],
  ["interactions", { input: [{ type: "user_input", content: [{ type: "text", text }] }] }],
])("a body of %s is estimated with its whole prompt and its own limit", async (path, prompt) => {
  const limit = path.startsWith("/v1/responses") ? "max_output_tokens" : "max_tokens";
  const configs: Readonly<Record<string, JsonObject>> = {
    generateContent: { generationConfig: { maxOutputTokens: 50 } },
    interactions: { generation_config: { max_output_tokens: 50 } },
  };
  const fields = { model: testModels.cheap, ...prompt, ...(configs[path] ?? { [limit]: 50 }) };
  const body = await readJson(await estimate(fields));
  expect(body).toMatchObject({ model: testModels.cheap, max_completion_tokens: 50 });
  expect(Number(body.prompt_tokens)).toBeGreaterThan(100);
});

test.each<[string, JsonObject, number]>([
  ["nothing", {}, 100],
  ["something for minutes", { cache_control: { type: "ephemeral" } }, 125],
  ["something for an hour", { cache_control: { type: "ephemeral", ttl: "1h" } }, 200],
])(
  "a request that marks %s for the cache is estimated at the highest rate it can have",
  async (_, marks, rate) => {
    const messages = [{ role: "user", content: text }];
    const fields = { model: testModels.anthropic, system: "s", max_tokens: 10, messages, ...marks };
    const body = await readJson(await estimate(fields));
    const promptTokens = Number(body.prompt_tokens);
    expect(body.prompt_cost).toBe((promptTokens * 100) / 1e9);
    expect(body.max_cost).toBe((promptTokens * rate + 10 * 400) / 1e9);
  },
);

test("a body of no endpoint is refused, naming what can be estimated", async () => {
  const refusal = { status: 400, code: "missing_required_parameter", param: "messages" };
  const error = await expectFault(await estimate({ model: testModels.cheap }), refusal);
  for (const member of ["messages", "input", "contents", "prompt"]) {
    expect(error.message).toContain(`\`${member}\``);
  }
});

test("a transcription is estimated by how long its audio lasts, without the audio", async () => {
  const body = { model: testModels.transcription, duration_seconds: 90 };
  expect(at(await readJson(await estimate(body)), "max_cost_usd")).toBe("0.009");
  await expectFault(await estimate({ model: testModels.transcription }), {
    status: 400,
    code: "missing_required_parameter",
    param: "duration_seconds",
  });
  await expectFault(await estimate({ ...body, duration_seconds: 601 }), {
    status: 400,
    code: "unsupported_value",
    param: "file",
  });
});

describe("max_cost", () => {
  const ceilings: [string, JsonObject, Record<string, string>][] = [
    ["in the body", { max_cost: 0.0005 }, {}],
    ["in the header", {}, { "x-max-cost": "0.0005" }],
  ];
  test.each(ceilings)(
    "%s limits the answer to what the ceiling covers",
    async (_, fields, headers) => {
      const body = chatBody({ deltas: 100_000 }, { max_tokens: 16_000, ...fields });
      const before = await balance();
      const answer = await postChat(server, account.key, body, { headers });
      const limit = Number(answer.headers.get("x-turnpike-max-tokens"));
      expect(limit).toBeGreaterThanOrEqual(256);
      expect(limit).toBeLessThan(0.0005 / 400e-9);
      const sent = server.upstream.requests.at(-1);
      expect(at(sent?.parsed, "max_tokens")).toBe(limit);
      expect(sent?.parsed).not.toHaveProperty("max_cost");
      const written = await readJson(answer);
      expect(at(written, "usage.completion_tokens")).toBe(limit);
      expect(before - (await balance())).toBeLessThanOrEqual(500_000n);
    },
  );

  test("a ceiling that covers the request changes nothing", async () => {
    const body = chatBody({ deltas: 2 }, { max_tokens: 300, max_cost: "1" });
    const answer = await postChat(server, account.key, body);
    expect(answer.headers.get("x-turnpike-max-tokens")).toBeNull();
    expect(at(server.upstream.requests.at(-1)?.parsed, "max_tokens")).toBe(300);
  });

  test("a ceiling below the shortest answer refuses the request, and says what it needs", async () => {
    const asked = server.upstream.requests.length;
    const body = chatBody({ deltas: 2 }, { max_cost: 0.00001 });
    const refusal = { status: 400, code: "unsupported_value", param: "max_cost" };
    const error = await expectFault(await postChat(server, account.key, body), refusal);
    expect(Number(at(error, "metadata.needed_usd"))).toBeGreaterThan(256 * 400e-9);
    expect(server.upstream.requests.length).toBe(asked);
  });

  test("a ceiling that is not an amount is refused by name", async () => {
    const body = chatBody({ deltas: 2 }, { max_cost: "cheap" });
    const refusal = { status: 400, code: "invalid_value", param: "max_cost" };
    await expectFault(await postChat(server, account.key, body), refusal);
  });
});
