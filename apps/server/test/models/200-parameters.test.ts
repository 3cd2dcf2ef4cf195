// A model is listed with the parameters that at least one of its routes supports, and
// `require_parameters` chooses among its routes by the same names.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  asObject,
  at,
  expectCleanBooks,
  expectFault,
  getPath,
  type JsonObject,
  openAccount,
  postChat,
  readJson,
  startTestServer,
} from "../harness/index.ts";

const routes = {
  openai: "{ provider: openai-like, model: up }",
  claude: "{ provider: claude, model: up }",
  newest: "{ provider: claude, model: claude-opus-4-7 }",
  gemini: "{ provider: gemini, model: up }",
  responses: "{ provider: responses, model: up }",
  strict: "{ provider: strict, model: up }",
  plain: "{ provider: claude, model: up }, { provider: openai-like, model: up }",
  named: "{ provider: claude, model: own, parameters: [seed, logit_bias, top_k] }",
  two: "{ provider: claude, model: up }, { provider: openai-like, model: up }",
  tiered:
    '{ provider: openai-like, model: own, prices: { input: "1", output: "2", webSearch: "9" } }',
} as const;

const server = await startTestServer({
  catalog: (baseUrl) => `
providers:
  - { id: openai-like, baseUrl: "${baseUrl}", apiKey: k }
  - { id: claude, kind: anthropic, baseUrl: "${baseUrl}", apiKey: k }
  - { id: gemini, kind: google, baseUrl: "${baseUrl}beta", apiKey: k }
  - { id: responses, baseUrl: "${baseUrl}", apiKey: k, quirks: { responses: only } }
  - { id: strict, baseUrl: "${baseUrl}", apiKey: k, quirks: { controlFields: rejects } }
models:
${Object.entries(routes)
  .map(
    ([name, list]) => `
  - id: listed/${name}
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools, json_schema, prediction${name === "plain" ? "" : ", reasoning"}]
    routes: [${list}]
    prices: { input: "1", output: "2" }`,
  )
  .join("")}
`,
});
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const idOf = (name: keyof typeof routes) => `listed/${name}`;

async function namesOf(name: keyof typeof routes): Promise<unknown> {
  const model = await readJson(await getPath(server, account.key, `/models/${idOf(name)}`));
  return model.supported_parameters;
}

const everywhere = [
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "tools",
  "tool_choice",
  "response_format",
  "structured_outputs",
  "reasoning",
  "include_reasoning",
  "reasoning_effort",
];
const sampled = (name: string) => ["temperature", "top_p", "top_k"].includes(name);
const penalties = ["frequency_penalty", "presence_penalty"];
const others = [...penalties, "seed", "stop"];
const reasons = (name: string) => name.includes("reasoning");

test.each<[keyof typeof routes, readonly string[]]>([
  ["openai", [...everywhere, ...others, "top_k", "parallel_tool_calls", "prediction"]],
  ["strict", [...everywhere, ...others, "parallel_tool_calls", "prediction"]],
  ["claude", [...everywhere, "top_k", "stop", "parallel_tool_calls"]],
  ["newest", [...everywhere, "stop", "parallel_tool_calls"].filter((name) => !sampled(name))],
  ["gemini", [...everywhere, ...others, "top_k"]],
  ["responses", [...everywhere, "stop", "parallel_tool_calls"]],
  ["two", [...everywhere, ...others, "top_k", "parallel_tool_calls", "prediction"]],
  [
    "plain",
    [
      ...everywhere.filter((name) => !reasons(name)),
      ...others,
      "top_k",
      "logprobs",
      "top_logprobs",
      "parallel_tool_calls",
      "prediction",
    ],
  ],
  ["named", ["top_k"]],
])("a model behind %s is listed with what its providers support", async (name, expected) => {
  const names = await namesOf(name);
  expect(Array.isArray(names) && names.toSorted()).toEqual(expected.toSorted());
  const list = await readJson(await getPath(server, account.key, "/models"));
  const models = Array.isArray(list.data) ? list.data.map(asObject) : [];
  expect(models.find(({ id }) => id === idOf(name))?.supported_parameters).toEqual(names);
});

test("a route with its own prices supports what they are for", async () => {
  expect(await namesOf("tiered")).toContain("web_search_options");
});

test("each route is listed with what it supports itself, and is chosen by that", async () => {
  const path = `/models/${idOf("two")}/endpoints`;
  const { data } = await readJson(await getPath(server, account.key, path));
  expect(at(data, "endpoints.0.supported_parameters")).toEqual(await namesOf("claude"));
  expect(at(data, "endpoints.1.supported_parameters")).toEqual(await namesOf("openai"));
  const ask = (name: keyof typeof routes, fields: JsonObject) =>
    postChat(server, account.key, {
      model: idOf(name),
      messages: [{ role: "user", content: "Hello" }],
      provider: { require_parameters: true },
      ...fields,
    });
  await (await ask("two", { temperature: 0.5 })).text();
  expect(server.upstream.requests.at(-1)?.path).toBe("/v1/messages");
  await (await ask("two", { presence_penalty: 0.5 })).text();
  expect(server.upstream.requests.at(-1)?.path).toBe("/v1/chat/completions");
  await (await ask("plain", { logprobs: true, top_logprobs: 2 })).text();
  expect(server.upstream.requests.at(-1)?.path).toBe("/v1/chat/completions");
  await expectFault(await ask("claude", { presence_penalty: 0.5 }), {
    status: 404,
    code: "no_endpoints",
    param: "provider.require_parameters",
  });
});

test.each(["openai", "claude", "gemini", "responses"] as const)(
  "a reasoning model behind %s supports OpenRouter's members and Anthropic's thinking",
  async (name) => {
    const required = {
      model: idOf(name),
      messages: [{ role: "user", content: "Hello" }],
      provider: { require_parameters: true },
      max_tokens: 9_000,
    };
    const post = async (path: string, fields: JsonObject) => {
      const answer = await fetch(`${server.baseUrl}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${account.key}` },
        body: JSON.stringify({ ...required, ...fields }),
      });
      await answer.text();
      return answer.status;
    };
    const words = { reasoning: { effort: "low" }, include_reasoning: true };
    expect(await post("/chat/completions", words)).toBe(200);
    const thinking = { type: "enabled", budget_tokens: 2_000 };
    expect(await post("/messages", { thinking })).toBe(200);
  },
);
