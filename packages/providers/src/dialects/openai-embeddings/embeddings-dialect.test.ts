// Vectors keep their numbers between the two encodings, and an answer that does not fit its request is
// never handed on.
import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { parseEmbeddingsRequest } from "@turnpike/wire";
import fc from "fast-check";
import { sampleProvider } from "../openai/sample-call.fixture.ts";
import { embeddingsDialect, encodeVector } from "./embeddings-dialect.ts";

function callOf(body: Record<string, unknown>, like = "openai") {
  return {
    provider: sampleProvider(like),
    upstreamModel: "model-1",
    request: parseEmbeddingsRequest(JSON.stringify({ model: "vendor/model", ...body })),
    maxTokens: undefined,
    stamp: { id: "gen-1", model: "vendor/model", created: 1 },
  };
}

function refusalOf(data: unknown, input: unknown = ["a", "b"]): string {
  try {
    embeddingsDialect.readWhole(callOf({ input }), JSON.stringify({ data }));
    return "none";
  } catch (thrown) {
    return thrown instanceof Fault ? thrown.code : String(thrown);
  }
}

test("any 32-bit floats survive the way through base64 and back", () => {
  const floats = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 });
  fc.assert(
    fc.property(floats, (numbers) => {
      const text = encodeVector(numbers, "base64");
      expect(encodeVector(text, "base64")).toBe(text);
      expect(encodeVector(text, "float")).toEqual(numbers);
    }),
  );
});

test("vectors come in the order of the inputs, whatever the order of the answer", () => {
  const data = [
    { index: 1, embedding: [0.5] },
    { index: 0, embedding: [0.25] },
  ];
  const text = JSON.stringify({ data, usage: { prompt_tokens: 4, total_tokens: 4 } });
  const { content, usage } = embeddingsDialect.readWhole(callOf({ input: ["a", "b"] }), text);
  expect(content).toEqual({
    kind: "body",
    body: {
      object: "list",
      model: "vendor/model",
      data: [
        { object: "embedding", index: 0, embedding: [0.25] },
        { object: "embedding", index: 1, embedding: [0.5] },
      ],
    },
  });
  expect(usage).toMatchObject({ promptTokens: 4, completionTokens: 0 });
});

test.each([
  ["too few", [{ index: 0, embedding: [1] }]],
  ["the same twice", [0, 0].map((index) => ({ index, embedding: [1] }))],
  ["one beyond the inputs", [0, 2].map((index) => ({ index, embedding: [1] }))],
  ["empty vectors", [0, 1].map((index) => ({ index, embedding: [] }))],
  ["torn base64", [0, 1].map((index) => ({ index, embedding: "AAA=" }))],
  ["no vectors", [{ index: 0 }, { index: 1 }]],
])("an answer with %s is a failure of the upstream", (_, data) => {
  expect(refusalOf(data)).toBe("bad_gateway");
});

test("fields that steer gateways stay here, and an encoding the provider does not know as well", () => {
  const body = { input: "a", encoding_format: "base64", models: ["other"], user: "u" };
  expect(JSON.parse(embeddingsDialect.ask(callOf(body)).body)).toEqual({
    model: "model-1",
    input: "a",
    encoding_format: "base64",
    user: "u",
  });
  const sent = JSON.parse(embeddingsDialect.ask(callOf(body, "mistral")).body);
  expect(sent).toEqual({ model: "model-1", input: "a", user: "u" });
});
