// Vectors for every form of input and in both encodings, billed to the nano-dollar and shown wherever
// calls are shown.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { parseGenerationId } from "@turnpike/base";
import { queryLogs, queryUsageTotals } from "@turnpike/reports";
import { toNanos } from "@turnpike/terms";
import {
  asObject,
  at,
  expectCallHeaders,
  expectCleanBooks,
  findSchemaProblems,
  getPath,
  openAccount,
  readJson,
  readMoney,
  startTestServer,
  testModels,
  usdNumber,
} from "../harness/index.ts";
import {
  decodeVector,
  embeddingsBody,
  expectedVector,
  postEmbeddings,
  vectorsOf,
} from "./ask-embeddings.fixture.ts";

const server = await startTestServer();
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));
const account = await openAccount(server);

const ask = (body: Parameters<typeof postEmbeddings>[2]) =>
  postEmbeddings(server, account.key, body);

describe("every form of input", () => {
  const tokens = [15339, 1917, 0];
  test.each<[string, unknown, readonly (string | readonly number[])[], number]>([
    ["a string", "hello world!", ["hello world!"], 3],
    ["several strings", ["one", "two", "one"], ["one", "two", "one"], 3],
    ["an array of tokens", tokens, [tokens], 3],
    ["several arrays of tokens", [tokens, [7]], [tokens, [7]], 4],
  ])("%s", async (_, input, inputs, promptTokens) => {
    const response = await ask(embeddingsBody(input));
    expect(response.status).toBe(200);
    expectCallHeaders(response.headers);
    const body = await readJson(response);
    expect(findSchemaProblems("CreateEmbeddingResponse", body)).toEqual([]);
    expect(body).toMatchObject({ object: "list", model: testModels.embeddings });
    expect(at(body, "data.0")).toMatchObject({ object: "embedding", index: 0 });
    expect(vectorsOf(body)).toEqual(inputs.map((one) => expectedVector(one)));
    expect(body.usage).toEqual({
      prompt_tokens: promptTokens,
      total_tokens: promptTokens,
      cost: usdNumber(BigInt(promptTokens) * 20n),
    });
  });
});

describe("both encodings", () => {
  test.each([
    ["float by default", {}, "float"],
    ["float if requested", { encoding_format: "float" }, "float"],
    ["base64 when asked", { encoding_format: "base64" }, "base64"],
  ] as const)("%s", async (_, fields, encoding) => {
    const [vector] = vectorsOf(await readJson(await ask(embeddingsBody("same text", fields))));
    expect(typeof vector).toBe(encoding === "base64" ? "string" : "object");
    expect(encoding === "base64" ? decodeVector(vector) : vector).toEqual(
      expectedVector("same text"),
    );
  });

  test.each([
    ["floats become base64", "base64", "float"],
    ["base64 becomes floats", "float", "base64"],
  ] as const)("%s if the upstream answers in the other encoding", async (_, format, embedding) => {
    const text = `hello #script ${JSON.stringify({ embedding })}`;
    const answer = await ask(embeddingsBody(text, { encoding_format: format }));
    const [vector] = vectorsOf(await readJson(answer));
    const read = format === "base64" ? decodeVector(vector) : vector;
    expect(read).toEqual(expectedVector(text));
  });

  test("a provider without encodings does not get the field, and base64 is produced here", async () => {
    const fields = { model: testModels.floats, encoding_format: "base64" };
    const [vector] = vectorsOf(await readJson(await ask(embeddingsBody("for floats", fields))));
    expect(decodeVector(vector)).toEqual(expectedVector("for floats"));
    const seen = server.upstream.requests.at(-1);
    expect(asObject(seen?.parsed)).not.toHaveProperty("encoding_format");
  });
});

test("unknown fields are passed on; only the model changes, and fields for the gateway are removed", async () => {
  const raw = `{ "input":"h\\u0069", "model": "${testModels.embeddings}",\t"future": {"a":1.50}, "user":"u", "provider":{"order":[]}}`;
  expect((await ask(raw)).status).toBe(200);
  const seen = server.upstream.requests.at(-1);
  expect(seen?.path).toBe("/v1/embeddings");
  const sent = raw.replace(testModels.embeddings, "upstream-embeddings");
  expect(seen?.body).toBe(sent.replace(', "provider":{"order":[]}', ""));
});

test("shorter vectors are passed on and come back", async () => {
  const body = await readJson(await ask(embeddingsBody("short", { dimensions: 8 })));
  expect(vectorsOf(body)).toEqual([expectedVector("short", 8)]);
});

test("a model that rejects the field does not get dimensions equal to its own", async () => {
  const fields = { model: testModels.floats, dimensions: 256 };
  const body = await readJson(await ask(embeddingsBody("its own length", fields)));
  expect(vectorsOf(body)).toEqual([expectedVector("its own length")]);
  expect(asObject(server.upstream.requests.at(-1)?.parsed)).not.toHaveProperty("dimensions");
});

test("the call is billed exactly and shown in the generation, the logs and the usage", async () => {
  const payer = await openAccount(server);
  const response = await postEmbeddings(server, payer.key, embeddingsBody("x".repeat(400)));
  const id = response.headers.get("x-generation-id") ?? "";
  expect(at(await readJson(response), "usage.prompt_tokens")).toBe(100);
  const { balanceNanos } = await readMoney(server, payer.id);
  expect(balanceNanos).toBe(toNanos(10_000_000_000n - 2_000n));

  const { data } = await readJson(await getPath(server, payer.key, `/generation?id=${id}`));
  expect(data).toMatchObject({
    api_type: "embeddings",
    model: testModels.embeddings,
    tokens_prompt: 100,
    tokens_completion: 0,
    cost_usd: "0.000002",
    usage_source: "upstream",
    outcome: "completed",
    streamed: false,
    finish_reason: null,
  });
  const { db } = server.services.database;
  const { rows } = await queryLogs(db, { accountId: payer.id, limit: 10 });
  const own = { id: parseGenerationId(id), model: testModels.embeddings, operation: "embeddings" };
  expect(rows).toMatchObject([own]);
  const totals = await queryUsageTotals(db, {
    accountId: payer.id,
    from: new Date(Date.now() - 3_600_000),
    to: new Date(Date.now() + 3_600_000),
  });
  expect(totals).toMatchObject({
    requests: 1,
    promptTokens: 100,
    completionTokens: 0,
    costNanos: toNanos(2_000n),
  });
});

test("a call without usage from its upstream is billed by counting the inputs", async () => {
  const text = `hello there #script ${JSON.stringify({ usage: "missing" })}`;
  const response = await ask(embeddingsBody([text, "another input"]));
  const id = response.headers.get("x-generation-id");
  const { usage } = await readJson(response);
  expect(at(usage, "prompt_tokens")).toBeGreaterThan(5);
  const { data } = await readJson(await getPath(server, account.key, `/generation?id=${id}`));
  expect(data).toMatchObject({ usage_source: "counted" });
});
