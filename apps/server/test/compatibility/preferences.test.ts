// OpenRouter's members for gateways in the bodies of every protocol, over every dialect: each is honored or
// refused by name, and none is sent to an upstream.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import {
  asObject,
  at,
  expectCleanBooks,
  type JsonObject,
  openAccount,
  readJson,
  startTestServer,
} from "../harness/index.ts";
import { type ClientProtocol, chat, messages, responses } from "./protocols.fixture.ts";
import { dialects } from "./record-answers.fixture.ts";

const entries = (suffix: string, baseUrl: string, quirks: string) => `
  - { id: openai-${suffix}, baseUrl: "${baseUrl}", apiKey: k, quirks: { ${quirks} } }
  - { id: anthropic-${suffix}, kind: anthropic, baseUrl: "${baseUrl}", apiKey: k }
  - { id: gemini-${suffix}, kind: google, baseUrl: "${baseUrl}beta", apiKey: k }
  - { id: openai-responses-${suffix}, baseUrl: "${baseUrl}", apiKey: k, quirks: { responses: only, ${quirks} } }`;

const server = await startTestServer({
  catalog: (baseUrl) => `
providers:${entries("a", baseUrl, "controlFields: rejects")}${entries("b", baseUrl, "controlFields: rejects")}
models:
${dialects
  .map(
    (dialect) => `
  - id: two/${dialect}
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools]
    routes:
      - { provider: ${dialect}-a, model: model-a }
      - { provider: ${dialect}-b, model: model-b, zdr: true, dataCollection: deny }
    prices: { input: "1", output: "2" }`,
  )
  .join("")}
`,
});
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const gatewayFields = [
  "provider",
  "models",
  "route",
  "max_cost",
  "usage",
  "transforms",
  "plugins",
  "session_id",
];

const pairs = [chat, responses, messages].flatMap((protocol) =>
  dialects.map((dialect) => [`${protocol.name} over ${dialect}`, protocol, dialect] as const),
);

function post(protocol: ClientProtocol, dialect: string, fields: JsonObject): Promise<Response> {
  return fetch(`${server.baseUrl}${protocol.path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...protocol.ask(`two/${dialect}`, { text: "hi" }), ...fields }),
  });
}

/** Which route of the model was called: Gemini's name is in the path, all others' in the body. */
function askedModel(): unknown {
  const request = server.upstream.requests.at(-1);
  return request?.chat.model;
}

describe.each(pairs)("%s", (_, protocol, dialect) => {
  test.each([
    ["provider.only", { provider: { only: [`${dialect}-b`] } }, "model-b"],
    ["provider.ignore", { provider: { ignore: [`${dialect}-a`] } }, "model-b"],
    ["provider.order", { provider: { order: [`${dialect}-b`, `${dialect}-a`] } }, "model-b"],
    ["provider.zdr", { provider: { zdr: true } }, "model-b"],
    ["provider.data_collection", { provider: { data_collection: "deny" } }, "model-b"],
    [
      "a value that is the default",
      {
        models: [`two/${dialect}`],
        route: "fallback",
        max_cost: 1,
        usage: { include: true },
        transforms: [],
        plugins: [],
        session_id: "s",
        provider: { order: [`${dialect}-a`] },
      },
      "model-a",
    ],
  ])("%s is honored and stays here", async (_, fields, model) => {
    const answer = await post(protocol, dialect, fields);
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
    expect(askedModel()).toBe(model);
    const sent = asObject(server.upstream.requests.at(-1)?.parsed);
    expect(gatewayFields.filter((name) => name in sent)).toEqual([]);
  });

  test.each([
    ["provider.quantizations", { provider: { quantizations: ["fp8"] } }, 400],
    ["provider.future", { provider: { future: 1 } }, 400],
    ["provider.only", { provider: { only: ["nobody"] } }, 404],
    ["models", { models: ["two/none"] }, 404],
    ["max_cost", { max_cost: "much" }, 400],
    ["route", { route: "other" }, 400],
    ["plugins", { plugins: [{ id: "web" }] }, 400],
  ])("%s is refused by name", async (name, fields, status) => {
    const before = server.upstream.requests.length;
    const answer = await post(protocol, dialect, fields);
    const body = await readJson(answer);
    expect([answer.status, body]).toEqual([status, expect.anything()]);
    const told = `${String(at(body, "error.param") ?? "")} ${String(at(body, "error.message"))}`;
    expect(told).toContain(name.split(".").at(-1) ?? name);
    expect(server.upstream.requests).toHaveLength(before);
  });

  test("a ceiling below the price is refused before the upstream is called", async () => {
    const before = server.upstream.requests.length;
    const answer = await post(protocol, dialect, { max_cost: 0.000000001 });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(await answer.json())).toContain("max_cost");
    expect(server.upstream.requests).toHaveLength(before);
  });
});

test("fields of other APIs are refused, naming what to use instead", async () => {
  for (const name of ["reasoning", "reasoning_effort", "include_reasoning"]) {
    const answer = await post(messages, "anthropic", { [name]: {} });
    expect(answer.status).toBe(400);
    expect(String(at(await readJson(answer), "error.message"))).toContain(name);
  }
  for (const name of ["max_tokens", "enabled", "exclude"]) {
    const answer = await post(responses, "anthropic", { reasoning: { [name]: true } });
    expect(answer.status).toBe(400);
    expect(at(await readJson(answer), "error.param")).toBe(`reasoning.${name}`);
  }
});
