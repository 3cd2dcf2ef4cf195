// Refusals of /v1/messages over upstreams of either language: Anthropic's status and type, a request id in header and
// body, and no charge.
import { describe, expect, test } from "bun:test";
import {
  at,
  countCalls,
  type JsonObject,
  openAccount,
  readJson,
  scripted,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";

const { server, account } = await useServer(startTestServer());
const poor = await openAccount(server, { usd: "0" });

const post = (body: JsonObject, headers: Readonly<Record<string, string>>) =>
  fetch(`${server.url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

describe.each([
  ["openai-compatible", testModels.cheap],
  ["anthropic", testModels.anthropic],
])("over an upstream of kind %s", (_, model) => {
  test.each<[string, number, string, { key?: string; script?: object; fields?: JsonObject }]>([
    ["an unknown key", 401, "authentication_error", { key: "sk-wrong" }],
    ["no money", 402, "billing_error", { key: poor.key }],
    ["an unknown model", 404, "not_found_error", { fields: { model: "nope" } }],
    ["an invalid limit", 400, "invalid_request_error", { fields: { max_tokens: -1 } }],
    ["an upstream's 400", 400, "invalid_request_error", { script: { status: 400 } }],
    ["an upstream's 401", 502, "api_error", { script: { status: 401 } }],
    ["an upstream's 429", 429, "rate_limit_error", { script: { status: 429 } }],
    ["an upstream's 503", 529, "overloaded_error", { script: { status: 503 } }],
  ])("%s is %i %s", async (__, status, type, { key = account.key, script = {}, fields }) => {
    const body = { model, max_tokens: 100, messages: [scripted(script)], ...fields };
    const { charges } = await countCalls(server, account, async () => {
      const answer = await post(body, { "x-api-key": key });
      const refusal = await readJson(answer);
      expect([answer.status, at(refusal, "error.type")]).toEqual([status, type]);
      expect(answer.headers.get("request-id")).toMatch(/^req_[0-9a-f]{32}$/);
      expect(at(refusal, "request_id")).toBe(answer.headers.get("request-id"));
    });
    expect(charges).toEqual([]);
  });

  test("a limit of 0 fills the prompt cache over its own API, and is refused elsewhere", async () => {
    const messages = [scripted({ deltas: 0, cacheWriteTokens: 3 })];
    for (const stream of [false, true]) {
      const answer = await post(
        { model, max_tokens: 0, messages, stream },
        { "x-api-key": account.key },
      );
      const text = await answer.text();
      const isOwn = model === testModels.anthropic;
      expect(answer.status).toBe(isOwn ? 200 : 400);
      expect(text).toContain(isOwn ? '"cache_creation_input_tokens":3' : "'max_tokens'");
    }
  });
});

test("a key may be sent as x-api-key or as a bearer token, with any version and beta", async () => {
  const body = { model: testModels.cheap, max_tokens: 5, messages: [scripted({ deltas: 1 })] };
  for (const credential of [
    { "x-api-key": account.key },
    { authorization: `Bearer ${account.key}` },
  ]) {
    const answer = await post(body, {
      "anthropic-version": "2199-01-01",
      "anthropic-beta": "made-up-2199-01-01",
      ...credential,
    });
    expect([answer.status, answer.headers.get("request-id")?.slice(0, 4)]).toEqual([200, "req_"]);
  }
});

test.each([
  ["brand_new_field", testModels.cheap, undefined],
  // The SDK's tool runner asks for it first, and goes on without where the refusal has this code.
  ["thread", testModels.cheap, { error_code: "thread_unsupported_request" }],
  ["thread", testModels.anthropic, { error_code: "thread_unsupported_request" }],
])("%s is refused by name before %s is called", async (field, model, details) => {
  const { calls } = await countCalls(server, account, async () => {
    const messages = [scripted({})];
    const body = { model, max_tokens: 5, messages, [field]: true };
    const answer = await post(body, { "x-api-key": account.key });
    expect(answer.status).toBe(400);
    const refusal = await readJson(answer);
    expect(at(refusal, "error.message")).toContain(`'${field}'`);
    expect(at(refusal, "error.details")).toEqual(details);
  });
  expect(calls).toBe(0);
});
