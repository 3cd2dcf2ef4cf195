// Embeddings over Google's own API: OpenAI's request and answer, both encodings, shorter vectors, and an exact
// bill, by what Google reports or by our own count.
import { afterAll, afterEach, expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import {
  at,
  expectCleanBooks,
  expectFault,
  findSchemaProblems,
  getPath,
  type JsonObject,
  openAccount,
  providerKey,
  readJson,
  startTestServer,
  usdNumber,
} from "../harness/index.ts";
import {
  decodeVector,
  expectedVector,
  postEmbeddings,
  vectorsOf,
} from "./ask-embeddings.fixture.ts";

const [plain, fixed] = ["google/embedding", "google/fixed"];
const server = await startTestServer({
  catalog: (baseUrl) => `
providers:
  - { id: scripted, kind: google, baseUrl: "${baseUrl}beta", apiKey: "${providerKey}" }
models:
${[plain, fixed]
  .map(
    (id) => `  - id: ${id}
    operation: embeddings
    contextTokens: 1000
    dimensions: 256
    capabilities: [${id === plain ? "dimensions" : ""}]
    routes: [{ provider: scripted, model: gemini-embedding-001 }]
    prices: { input: "0.15" }`,
  )
  .join("\n")}
`,
});
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const ask = (input: unknown, fields: JsonObject = {}) =>
  postEmbeddings(server, account.key, { model: plain, input, ...fields });
const scriptedText = (script: Script) => `embed me #script ${JSON.stringify(script)}`;

/** 150 nano-dollars a token. */
const costOf = (tokens: number) => usdNumber(BigInt(tokens) * 150n);

test("one input or many become one batch at Google, and OpenAI's list here", async () => {
  for (const inputs of [["one"], ["one", "two", "one"]]) {
    const body = await readJson(await ask(inputs.length === 1 ? inputs[0] : inputs));
    expect(findSchemaProblems("CreateEmbeddingResponse", body)).toEqual([]);
    expect(body).toMatchObject({ object: "list", model: plain });
    expect(vectorsOf(body)).toEqual(inputs.map((input) => expectedVector(input)));
    // The upstream counts one token per four bytes of each.
    expect(body.usage).toEqual({
      prompt_tokens: inputs.length,
      total_tokens: inputs.length,
      cost: costOf(inputs.length),
    });
    const sent = server.upstream.requests.at(-1);
    expect(sent?.path).toBe("/v1beta/models/gemini-embedding-001:batchEmbedContents");
    expect(sent?.headers["x-goog-api-key"]).toBe(providerKey);
    const requests = inputs.map((text) => ({
      model: "models/gemini-embedding-001",
      content: { parts: [{ text }] },
    }));
    expect(sent?.parsed).toEqual({ requests });
  }
});

test("vectors have the requested encoding and length", async () => {
  const body = await readJson(await ask("short", { encoding_format: "base64", dimensions: 8 }));
  const [vector] = vectorsOf(body);
  expect(decodeVector(vector)).toEqual(expectedVector("short", 8));
  expect(at(server.upstream.requests.at(-1)?.parsed, "requests.0.outputDimensionality")).toBe(8);
  const own = await ask("own", { model: fixed, dimensions: 256 });
  expect(own.status).toBe(200);
  await own.text();
  const sent = server.upstream.requests.at(-1)?.parsed;
  expect(at(sent, "requests.0")).not.toHaveProperty("outputDimensionality");
});

test("a model that reports no usage is billed by our own count, and says so", async () => {
  const response = await ask(scriptedText({ usage: "missing" }));
  const body = await readJson(response);
  const tokens = Number(at(body, "usage.prompt_tokens"));
  expect(tokens).toBeGreaterThan(5);
  expect(at(body, "usage.cost")).toBe(costOf(tokens));
  const id = response.headers.get("x-generation-id");
  const generation = await readJson(await getPath(server, account.key, `/generation?id=${id}`));
  expect(generation).toMatchObject({
    data: { usage_source: "counted", tokens_prompt: tokens, total_cost: costOf(tokens) },
  });
});

test("what Gemini cannot embed is refused by name, before anything is called", async () => {
  const before = server.upstream.requests.length;
  const refused = (param: string) =>
    ({ status: 400, code: "unsupported_parameter", param }) as const;
  await expectFault(await ask([1, 2, 3]), refused("input"));
  await expectFault(await ask(Array.from({ length: 101 }, String)), refused("input"));
  await expectFault(await ask("a", { input_type: "query" }), refused("input_type"));
  expect(server.upstream.requests).toHaveLength(before);
  expect((await ask("a", { user: "me", input_type: null })).status).toBe(200);
});

test("a broken answer and a refusal cost nothing", async () => {
  const used = async () =>
    at(await readJson(await getPath(server, account.key, "/credits")), "data.total_usage");
  const before = await used();
  for (const script of [{ body: '{"embeddings":[]}', status: 200 }, { garbage: "json" } as const]) {
    expect((await ask(scriptedText(script))).status).toBe(502);
  }
  const refusal = await ask(scriptedText({ status: 429, error: "Slow down." }));
  expect(refusal.status).toBe(429);
  await expectCleanBooks(server);
  expect(await used()).toBe(before);
});
