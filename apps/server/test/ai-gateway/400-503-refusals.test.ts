// Every refusal of the AI SDK's gateway has the format that its provider reads, and names the member by its own name.
import { describe, expect, test } from "bun:test";
import {
  at,
  countCalls,
  openAccount,
  readJson,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";
import { asking, calling, postAiGateway, streaming } from "./ask-ai-gateway.fixture.ts";

const { server, account } = await useServer(startTestServer());
const post = postAiGateway(server, account);
const model = testModels.cheap;
const withModel = (id: string) => ({ "ai-model-id": id });

type Refusal = readonly [status: number, type: string];

test.each<[string, () => Promise<Response>, Refusal]>([
  [
    "without a key",
    () => post("language-model", asking({}), { ...calling(), authorization: "" }),
    [401, "authentication_error"],
  ],
  [
    "for an unknown model",
    () => post("language-model", asking({}), calling("test/none")),
    [404, "model_not_found"],
  ],
  [
    "that the upstream answers too often",
    () => post("language-model", asking({ status: 429 }), calling()),
    [429, "rate_limit_exceeded"],
  ],
  [
    "that the upstream fails",
    () => post("language-model", asking({ status: 500 }), calling()),
    [502, "internal_server_error"],
  ],
  ["for a video", () => post("video-model", { prompt: "A cat" }), [404, "not_found"]],
  ["for the state of a video", () => post("video-model/status", {}), [404, "not_found"]],
  ["for a batch", () => post("batch/start", {}), [404, "not_found"]],
  [
    "by another method",
    () => fetch(`${server.url}/v4/ai/language-model`),
    [405, "invalid_request_error"],
  ],
])("a call is refused %s", async (_, ask, [status, type]) => {
  const answer = await ask();
  const { error } = await readJson(answer);
  expect([answer.status, at(error, "type")]).toEqual([status, type]);
  expect(typeof at(error, "message")).toBe("string");
});

describe("a malformed call is a 400 that names the member, and nothing is held for it", () => {
  const user = (part: object) => ({ prompt: [{ role: "user", content: [part] }] });
  const { prompt } = asking({});
  test.each<[string, string, object | string, Readonly<Record<string, string>>]>([
    ["ai-language-model-id", "language-model", { prompt }, {}],
    ["prompt", "language-model", {}, calling()],
    ["prompt", "language-model", { prompt: [] }, calling()],
    ["prompt[0].role", "language-model", { prompt: [{ role: "robot" }] }, calling()],
    ["prompt[0].content[0].type", "language-model", user({ type: "smell" }), calling()],
    ["prompt[0].content[0].text", "language-model", user({ type: "text", text: 7 }), calling()],
    [
      "prompt[0].content[0].data",
      "language-model",
      user({ type: "file", mediaType: "image/png", data: { type: "reference", reference: {} } }),
      calling(),
    ],
    [
      "prompt[0].content[0]",
      "language-model",
      user({ type: "file", mediaType: "image/png", data: "http://127.0.0.1/a.png" }),
      calling(testModels.vision),
    ],
    ["maxOutputTokens", "language-model", { prompt, maxOutputTokens: -1 }, calling()],
    ["temperature", "language-model", { prompt, temperature: "hot" }, calling()],
    ["stopSequences", "language-model", { prompt, stopSequences: 7 }, calling()],
    ["tools[0].inputSchema", "language-model", toolOf({ name: "f" }), calling()],
    ["tools[0].id", "language-model", runBy("openai.code_interpreter"), calling()],
    ["toolChoice.type", "language-model", { prompt, toolChoice: { type: "any" } }, calling()],
    ["providerOptions.gateway.byok", "language-model", options({ byok: { a: [] } }), calling()],
    ["providerOptions.gateway.only", "language-model", options({ only: "scripted" }), calling()],
    ["providerOptions.gateway.sort", "language-model", options({ sort: "luck" }), calling()],
    ["values", "embedding-model", {}, withModel(testModels.embeddings)],
    ["values[1]", "embedding-model", { values: ["a", 7] }, withModel(testModels.embeddings)],
    ["ai-model-id", "embedding-model", { values: ["a"] }, {}],
    ["prompt", "image-model", { n: 1 }, withModel(testModels.image)],
    ["files[0].data", "image-model", editOf({ type: "file" }), withModel(testModels.image)],
    ["text", "speech-model", { voice: "alloy" }, withModel(testModels.speech)],
    [
      "outputFormat",
      "speech-model",
      { text: "a", outputFormat: "midi" },
      withModel(testModels.speech),
    ],
    ["audio", "transcription-model", {}, withModel(testModels.transcription)],
    ["audio", "transcription-model", { audio: "?" }, withModel(testModels.transcription)],
    ["documents", "reranking-model", { query: "a" }, withModel(testModels.rerank)],
    ["documents.type", "reranking-model", rank({ type: "x" }), withModel(testModels.rerank)],
    [
      "documents.values",
      "reranking-model",
      rank({ type: "text", values: [] }),
      withModel(testModels.rerank),
    ],
  ])("%s of %s %j", async (param, path, body, headers) => {
    const { calls, charges } = await countCalls(server, account, async () => {
      const answer = await post(path, body, headers);
      const { error } = await readJson(answer);
      expect([answer.status, at(error, "type")]).toEqual([400, "invalid_request_error"]);
      expect(at(error, "param")).toBe(param);
      expect(String(at(error, "message"))).toContain(param);
    });
    expect([calls, charges]).toEqual([0, []]);
  });

  function toolOf(tool: object) {
    return { prompt, tools: [{ type: "function", ...tool }] };
  }
  function runBy(id: string) {
    return { prompt, tools: [{ type: "provider", id, name: "x", args: {} }] };
  }
  function options(gateway: object) {
    return { prompt, providerOptions: { gateway } };
  }
  function editOf(file: object) {
    return { prompt: "A cat", files: [file] };
  }
  function rank(documents: object) {
    return { query: "a", documents };
  }
});

test("an empty wallet is a 402 before any work, of every kind of model", async () => {
  const poor = postAiGateway(server, await openAccount(server, { usd: "0" }));
  const { calls } = await countCalls(server, account, async () => {
    const cases: readonly (readonly [string, object, Readonly<Record<string, string>>])[] = [
      ["language-model", asking({}), calling(model, streaming)],
      ["embedding-model", { values: ["a"] }, withModel(testModels.embeddings)],
      ["image-model", { prompt: "A cat", size: "1024x1024" }, withModel(testModels.image)],
      ["speech-model", { text: "Hello", voice: "alloy" }, withModel(testModels.speech)],
      [
        "reranking-model",
        { query: "a", documents: { type: "text", values: ["b"] } },
        withModel(testModels.rerank),
      ],
    ];
    for (const [path, body, headers] of cases) {
      const answer = await poor(path, body, headers);
      const { error } = await readJson(answer);
      expect([path, answer.status, at(error, "type")]).toEqual([path, 402, "insufficient_funds"]);
    }
  });
  expect(calls).toBe(0);
});

test.each([
  "/language-model",
  "/v1/language-model",
  "/v2/ai/language-model",
  "/api/v1/ai/image-model",
])("a call to %s is told the right base URL", async (path) => {
  const answer = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "ai-gateway-protocol-version": "0.0.1" },
    body: "{}",
  });
  const { error } = await readJson(answer);
  expect([answer.status, at(error, "type")]).toEqual([404, "not_found"]);
  expect(String(at(error, "message"))).toContain(`${server.url}/v4/ai`);
});

test("a stream that breaks off ends with an error part, and has no finish", async () => {
  const headers = calling(model, streaming);
  const answer = await post("language-model", asking({ deltas: 3, cutAfterDeltas: 2 }), headers);
  expect(answer.status).toBe(200);
  const parts = (await answer.text()).trim().split("\n\n");
  const last = JSON.parse(String(parts.at(-1)).slice("data: ".length));
  expect(last).toMatchObject({ type: "error", error: { type: "internal_server_error" } });
  expect(parts.join("")).not.toContain('"type":"finish"');
});
