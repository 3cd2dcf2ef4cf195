// Reranking: the documents in order, in a form that Cohere's, Jina's and OpenRouter's clients read, billed by search units or
// by tokens.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  at,
  expectCleanBooks,
  openAccount,
  postJson,
  readJson,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const server = await startTestServer();
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const documents = ["the moon", "dogs and cats", "a dog"];
const rank = (key: string, fields: object, path = "/rerank") =>
  postJson(server, key, path, {
    model: testModels.rerank,
    query: "dogs cats",
    documents,
    ...fields,
  });

test.each(["/rerank", "/v2/rerank"])(
  "%s answers the best documents first, with their search unit",
  async (path) => {
    const account = await openAccount(server);
    const response = await rank(account.key, { top_n: 2 }, path);
    expect(response.status).toBe(200);
    const body = await readJson(response);
    expect(at(body, "results.0.index")).toBe(1);
    expect((body.results as unknown[]).length).toBe(2);
    expect(at(body, "meta.billed_units.search_units")).toBe(1);
    expect(at(body, "usage.cost")).toBe(0.002);
  },
);

test("documents come back where they are asked for", async () => {
  const account = await openAccount(server);
  const body = await readJson(await rank(account.key, { return_documents: true }));
  expect(at(body, "results.0.document.text")).toBe("dogs and cats");
});

test("a model that is priced by the token bills the tokens that are reported", async () => {
  const account = await openAccount(server);
  const body = await readJson(await rank(account.key, { model: testModels.rerankTokens }));
  const tokens = Number(at(body, "usage.total_tokens"));
  expect(tokens).toBeGreaterThan(0);
  expect(at(body, "usage.cost")).toBe((tokens * 50) / 1e9);
});

test.each([
  ["cuts documents", "0.002", { rerankCut: "known" }],
  ["may not cut them", "0.018", {}],
] as const)("a provider that %s is held for %s USD", async (_, needed, quirks) => {
  const catalog = (baseUrl: string) => `
providers:
  - { id: scripted, baseUrl: "${baseUrl}", quirks: ${JSON.stringify(quirks)} }
models:
  - id: test/cut
    operation: rerank
    contextTokens: 4000
    routes: [{ provider: scripted, model: upstream-rerank }]
    prices: { searchUnits: "2" }
`;
  const own = await startTestServer({ catalog });
  const account = await openAccount(own);
  const asked = {
    model: "test/cut",
    query: "cats",
    documents: Array(100).fill("x".repeat(4_000)),
    max_tokens_per_doc: 400,
  };
  const estimate = await readJson(await postJson(own, account.key, "/estimate", asked));
  expect(at(estimate, "max_cost_usd")).toBe(needed);
  await own.close();
});

test.each([
  ["no documents", { documents: [] }, "documents"],
  ["a document that is no text", { documents: [1] }, "documents[0]"],
  ["a document with an image", { documents: [{ text: "x", image: "y" }] }, "documents[0].image"],
  ["no query", { query: null }, "query"],
  ["more documents than a reranker takes", { documents: Array(1_001).fill("x") }, "documents"],
])("%s is refused by name", async (_what, fields, param) => {
  const account = await openAccount(server);
  const response = await rank(account.key, fields);
  expect(response.status).toBe(400);
  expect(at(await readJson(response), "error.param")).toBe(param);
});
