import { expect, test } from "bun:test";
import { sandboxModels as answeredModels, operationModels } from "@turnpike/testing";
import { readCatalog } from "./read-catalog.ts";
import { sandboxModels, withSandboxModels } from "./sandbox-models.ts";

test("every sandbox model is answered by the scripted upstream, and vice versa", () => {
  const asked = sandboxModels("http://127.0.0.1:1/v1").map(
    (model) => model.routes[0].upstreamModel,
  );
  expect(asked.toSorted()).toEqual([...answeredModels, ...operationModels].toSorted());
});

test("there is a sandbox model behind every dialect", () => {
  const dialects = sandboxModels("http://127.0.0.1:1/v1").map(
    ({ operation, routes: [{ provider }] }) => {
      const responses = provider.kind === "openai-compatible" && provider.quirks.responses;
      return `${operation} ${responses === "only" ? "responses" : provider.kind}`;
    },
  );
  expect([...new Set(dialects)].toSorted()).toEqual([
    "chat anthropic",
    "chat google",
    "chat openai-compatible",
    "chat responses",
    "embeddings openai-compatible",
    "image openai-compatible",
    "moderation openai-compatible",
    "rerank openai-compatible",
    "speech openai-compatible",
    "transcription openai-compatible",
  ]);
});

test("sandbox models cost something, so that bills are visible", () => {
  for (const { operation, rates } of sandboxModels("http://127.0.0.1:1/v1/")) {
    const { inputNanosPerMillion, units = [] } = rates;
    const prices = [inputNanosPerMillion, ...units.map(({ nanosPerMillion }) => nanosPerMillion)];
    // Moderations are free everywhere.
    expect([operation, prices.some((price) => price > 0n)]).toEqual([
      operation,
      operation !== "moderation",
    ]);
  }
});

test("a model of the file wins over a sandbox model of the same id", () => {
  const file = readCatalog(
    `
providers: [{ id: mine, baseUrl: "https://llm.example.com/v1" }]
models:
  - id: sandbox/echo
    contextTokens: 10
    maxOutputTokens: 10
    routes: [{ provider: mine, model: my-echo }]
    prices: { input: "1", output: "1" }
`,
    {},
    { allowPrivate: false },
  );
  const { models } = withSandboxModels(file, "http://127.0.0.1:1/v1");
  const echoes = models.filter((model) => model.id === "sandbox/echo");
  expect(echoes.map((model) => model.routes[0].upstreamModel)).toEqual(["my-echo"]);
  expect(models).toHaveLength(sandboxModels("http://127.0.0.1:1/v1").length);
});
