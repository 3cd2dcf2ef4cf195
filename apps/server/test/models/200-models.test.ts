// The catalog as SDKs list it: every model a caller can use and no others, each reachable by its
// id with the slash raw or encoded.
import { afterAll, expect, test } from "bun:test";
import { noLimits } from "@turnpike/keys";
import {
  asObject,
  expectCallHeaders,
  expectFault,
  findSchemaProblems,
  getPath,
  openAccount,
  readJson,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterAll(() => server.close());

async function listModels() {
  const response = await getPath(server, account.key, "/models");
  expect(response.status).toBe(200);
  expectCallHeaders(response.headers);
  const body = await readJson(response);
  expect(findSchemaProblems("ListModelsResponse", body)).toEqual([]);
  return Array.isArray(body.data) ? body.data.map(asObject) : [];
}

test("the list has the models of the catalog and of the sandbox, but none without credentials", async () => {
  const ids = (await listModels()).map(({ id }) => id);
  const { hidden, ...visible } = testModels;
  expect(ids).toEqual(expect.arrayContaining([...Object.values(visible), "sandbox/echo"]));
  expect(ids).not.toContain(hidden);
  expect(new Set(ids).size).toBe(ids.length);
});

test("a model has its price per token in exact decimal strings, its context and its modalities", async () => {
  const models = await listModels();
  expect(models.find(({ id }) => id === testModels.cheap)).toMatchObject({
    object: "model",
    owned_by: "test",
    created: Date.UTC(2026, 0, 1) / 1000,
    context_length: 128_000,
    pricing: { prompt: "0.0000001", completion: "0.0000004", input_cache_read: "0.000000025" },
    architecture: { input_modalities: ["text"], output_modalities: ["text"] },
    top_provider: { max_completion_tokens: 16_384 },
  });
  expect(models.find(({ id }) => id === testModels.vision)).toMatchObject({
    architecture: { input_modalities: ["text", "image"] },
  });
});

test("the list can be narrowed and ordered as at OpenRouter", async () => {
  const idsOf = async (query: string) => {
    const body = await readJson(await getPath(server, account.key, `/models?${query}`));
    expect(findSchemaProblems("ListModelsResponse", body)).toEqual([]);
    return Array.isArray(body.data) ? body.data.map(asObject).map(({ id }) => id) : [];
  };
  const seeing = await idsOf("input_modalities=image&supported_parameters=temperature");
  expect(seeing).toContain(testModels.vision);
  expect(seeing).not.toContain(testModels.cheap);
  expect(await idsOf("output_modalities=embeddings")).not.toContain(testModels.cheap);
  const refused = await getPath(server, account.key, "/models?sort=best");
  await expectFault(refused, { status: 400, code: "invalid_value", param: "sort" });
});

test("/models/user lists only what the key may use", async () => {
  const listOf = async (key: string) => {
    const body = await readJson(await getPath(server, key, "/models/user"));
    expect(findSchemaProblems("ListModelsResponse", body)).toEqual([]);
    return Array.isArray(body.data) ? body.data.map(asObject).map(({ id }) => id) : [];
  };
  expect(await listOf(account.key)).toEqual((await listModels()).map(({ id }) => id));
  const limits = { ...noLimits, allowedModels: [testModels.vision, "test/unknown"] };
  expect(await listOf((await openAccount(server, { limits })).key)).toEqual([testModels.vision]);
});

test("an embeddings model is shown as such, with the length of its vectors and no price for output", async () => {
  const models = await listModels();
  const shown = models.find(({ id }) => id === testModels.embeddings);
  expect(findSchemaProblems("Model", shown)).toEqual([]);
  expect(shown).toMatchObject({
    architecture: { modality: "text->embeddings", output_modalities: ["embeddings"] },
    pricing: { prompt: "0.00000002", completion: "0" },
    top_provider: { context_length: 1_000, max_completion_tokens: null },
    supported_parameters: ["encoding_format", "dimensions"],
    dimensions: 256,
  });
  const chat = models.find(({ id }) => id === testModels.cheap);
  expect(chat).not.toHaveProperty("dimensions");
});

test("a slash in the id may be raw or encoded", async () => {
  for (const path of ["/models/test/cheap", "/models/test%2Fcheap", "/models/test%2fcheap"]) {
    const response = await getPath(server, account.key, path);
    expect(response.status).toBe(200);
    const body = await readJson(response);
    expect(findSchemaProblems("Model", body)).toEqual([]);
    expect(body.id).toBe(testModels.cheap);
  }
});

test("a single model equals its entry in the list", async () => {
  const [first] = await listModels();
  const single = await readJson(await getPath(server, account.key, `/models/${String(first?.id)}`));
  expect(single).toEqual(asObject(first));
});

test.each(["test/none", "test%2Fnone", "%E0%A4%A", "test/cheap/", "__proto__", testModels.hidden])(
  "%s is not a model: 404 with param model",
  async (path) => {
    const response = await getPath(server, account.key, `/models/${path}`);
    await expectFault(response, { status: 404, code: "model_not_found", param: "model" });
  },
);
