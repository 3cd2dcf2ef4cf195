// The catalog as Anthropic's own SDK lists it: every model that answers messages, in pages, in Anthropic's
// format, and unchanged for callers that do not send its version.
import { afterAll, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import {
  asObject,
  at,
  catchError,
  expectCallHeaders,
  getPath,
  openAccount,
  readJson,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const server = await startTestServer({
  catalog: (baseUrl) => `
providers:
  - { id: scripted, baseUrl: "${baseUrl}" }
models:
${[
  ["test/oldest", "2024-01-01"],
  ["anthropic/claude-sonnet-4.5", "2025-09-29"],
  ["test/newest", "2026-03-01"],
  ["test/middle", "2025-01-01"],
  ["test/middle-too", "2025-01-01"],
]
  .map(
    ([id, created]) => `
  - id: ${id}
    name: "Name of ${id}"
    created: "${created}"
    contextTokens: 10000
    maxOutputTokens: 1000
    capabilities: []
    routes: [{ provider: scripted, model: upstream }]
    prices: { input: "1", output: "2" }`,
  )
  .join("")}
  - id: ${testModels.embeddings}
    operation: embeddings
    created: "2026-04-01"
    contextTokens: 1000
    dimensions: 256
    capabilities: []
    routes: [{ provider: scripted, model: upstream }]
    prices: { input: "1" }
`,
});
const account = await openAccount(server);
const client = new Anthropic({ apiKey: account.key, baseURL: server.url, maxRetries: 0 });
afterAll(() => server.close());

/** The ids of this catalog's own models, without those of the sandbox. */
const ownOf = (ids: readonly string[]) => ids.filter((id) => !id.startsWith("sandbox/"));
const newestFirst = [
  "test/newest",
  "anthropic/claude-sonnet-4.5",
  "test/middle",
  "test/middle-too",
  "test/oldest",
];

const askList = async (query: string) => {
  const response = await fetch(`${server.baseUrl}/models${query}`, {
    headers: { "x-api-key": account.key, "anthropic-version": "2023-06-01" },
  });
  return { status: response.status, headers: response.headers, body: await readJson(response) };
};
const idsOf = (body: unknown) => {
  const data = at(body, "data");
  return Array.isArray(data) ? data.map((info) => String(asObject(info).id)) : [];
};

test("models.list() has every model that answers messages, newest first", async () => {
  const ids: string[] = [];
  for await (const { id } of client.models.list()) ids.push(id);
  expect(ownOf(ids)).toEqual(newestFirst);
  expect(ids).toContain("sandbox/claude");
  expect(new Set(ids).size).toBe(ids.length);
});

test("models.list() pages forward and backward without gaps or repetitions", async () => {
  const all = idsOf((await askList("?limit=1000")).body);
  const forward: string[][] = [];
  for await (const page of (await client.models.list({ limit: 2 })).iterPages()) {
    forward.push(page.data.map(({ id }) => id));
  }
  expect(forward.flat()).toEqual(all);
  expect(forward.slice(0, -1).every(({ length }) => length === 2)).toBe(true);
  const backward: string[][] = [];
  const last = await client.models.list({ limit: 2, before_id: all.at(-1) ?? "" });
  for await (const page of last.iterPages()) backward.unshift(page.data.map(({ id }) => id));
  expect(backward.flat()).toEqual(all.slice(0, -1));
});

test("a page names its first and last model, and whether there are more", async () => {
  const { headers, body } = await askList("?limit=2");
  expectCallHeaders(headers);
  expect(body).toMatchObject({ has_more: true, first_id: idsOf(body)[0], last_id: idsOf(body)[1] });
  const all = idsOf((await askList("?limit=1000")).body);
  const end = await askList(`?after_id=${encodeURIComponent(all.at(-1) ?? "")}`);
  expect(end.body).toEqual({ data: [], has_more: false, first_id: null, last_id: null });
  expect((await askList("?lifecycle[]=retired")).body.data).toEqual([]);
  expect(idsOf((await askList("?lifecycle[]=active&limit=1000")).body)).toEqual(all);
});

test("models.retrieve() finds a model by its id, and by Anthropic's spelling of it", async () => {
  const sonnet = {
    type: "model",
    id: "anthropic/claude-sonnet-4.5",
    display_name: "Name of anthropic/claude-sonnet-4.5",
    created_at: "2025-09-29T00:00:00.000Z",
    max_input_tokens: 10_000,
    max_tokens: 1_000,
    lifecycle: "active",
  };
  expect(await client.models.retrieve("anthropic/claude-sonnet-4.5")).toMatchObject(sonnet);
  expect(await client.models.retrieve("claude-sonnet-4-5-20250929")).toMatchObject(sonnet);
  const { body } = await askList("?limit=1000");
  const listed = Array.isArray(body.data) ? body.data.map(asObject) : [];
  expect(listed.find(({ id }) => id === sonnet.id)).toMatchObject(sonnet);
});

test("models that do not exist or do not answer messages are the SDK's NotFoundError", async () => {
  for (const id of ["test/none", testModels.embeddings]) {
    const error = await catchError(client.models.retrieve(id));
    if (!(error instanceof Anthropic.NotFoundError)) throw new Error(`found ${id}`);
    expect(error.type).toBe("not_found_error");
    expect(error.message).toContain(id);
  }
});

test.each([
  ["?limit=0", "limit"],
  ["?limit=1001", "limit"],
  ["?limit=many", "limit"],
  ["?after_id=test/none", "after_id"],
  ["?before_id=test/none", "before_id"],
  ["?after_id=test/newest&before_id=test/oldest", "before_id"],
  ["?lifecycle[]=young", "lifecycle"],
])("%s is refused in Anthropic's format, naming what is wrong", async (query, named) => {
  const { status, body } = await askList(query);
  expect([status, body.type, at(body, "error.type")]).toEqual([
    400,
    "error",
    "invalid_request_error",
  ]);
  expect(String(at(body, "error.message"))).toContain(named);
});

test("an invalid key is refused in Anthropic's format", async () => {
  const unknown = new Anthropic({ apiKey: "sk-wrong", baseURL: server.url, maxRetries: 0 });
  const error = await catchError(unknown.models.list());
  expect(error).toBeInstanceOf(Anthropic.AuthenticationError);
});

test("without anthropic-version the list and the model keep OpenAI's format, whatever the query", async () => {
  const list = await readJson(await getPath(server, account.key, "/models?limit=1"));
  expect(list.object).toBe("list");
  expect(ownOf(idsOf(list))).toHaveLength(6);
  const model = await readJson(await getPath(server, account.key, "/models/test/newest"));
  expect(model).toMatchObject({ id: "test/newest", object: "model", context_length: 10_000 });
});
