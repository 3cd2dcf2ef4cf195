// Vectors keep their numbers between the two encodings, and an answer that does not fit its request is
// never passed on.
import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { parseEmbeddingsRequest } from "@turnpike/wire";
import fc from "fast-check";
import { sampleProvider } from "../openai/sample-call.fixture.ts";
import { embeddingsDialect, parseVector } from "./embeddings-dialect.ts";

function callOf(body: Record<string, unknown>, like = "openai") {
  return {
    provider: sampleProvider(like),
    upstreamModel: "model-1",
    request: parseEmbeddingsRequest(JSON.stringify({ model: "vendor/model", ...body })),
    maxTokens: undefined,
    coveredTokens: 0,
    omittedFields: [],
    identity: { id: "gen-1", model: "vendor/model", created: 1 },
  };
}

function refusalOf(data: unknown, fields: Record<string, unknown> = {}): string {
  const text = typeof data === "string" ? data : JSON.stringify({ data });
  try {
    embeddingsDialect.parseWhole(callOf({ input: ["a", "b"], ...fields }), text, new Headers());
    return "none";
  } catch (thrown) {
    return thrown instanceof Fault ? thrown.code : String(thrown);
  }
}

const vectorOf = (embedding: unknown) => ({ embedding });

function floatsOf(...numbers: readonly number[]): string {
  return Buffer.from(new Float32Array(numbers).buffer).toString("base64");
}

test("any 32-bit floats survive base64 and back", () => {
  const floats = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 });
  fc.assert(
    fc.property(floats, (numbers) => {
      const { embedding: text, length } = parseVector(numbers, "base64");
      expect(length).toBe(numbers.length);
      expect(parseVector(text, "base64")).toEqual({ embedding: text, length });
      expect(parseVector(text, "float")).toEqual({ embedding: numbers, length });
      expect(parseVector(numbers, "float")).toEqual({ embedding: numbers, length });
    }),
  );
});

test("vectors are in the order of the inputs, whatever the order of the answer", () => {
  const data = [
    { index: 1, embedding: [0.5] },
    { index: 0, embedding: [0.25] },
  ];
  const text = JSON.stringify({ data, usage: { prompt_tokens: 4, total_tokens: 4 } });
  const { content, usage, deliveredTokens } = embeddingsDialect.parseWhole(
    callOf({ input: ["a", "b"] }),
    text,
    new Headers(),
  );
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
  // Vectors are no output that could be billed.
  expect(deliveredTokens).toBe(0);
});

test("unknown fields stay with the answer and with each of its vectors", () => {
  const data = [
    { index: 0, embedding: [0.5], truncated: true, object: "list" },
    { index: 1, embedding: [0.25] },
  ];
  const text = `{"data":${JSON.stringify(data)},"service_tier":"default","model":"other"}`;
  const call = callOf({ input: ["a", "b"] });
  expect(embeddingsDialect.parseWhole(call, text, new Headers()).content).toMatchObject({
    body: {
      model: "vendor/model",
      service_tier: "default",
      data: [
        { object: "embedding", index: 0, embedding: [0.5], truncated: true },
        { object: "embedding", index: 1, embedding: [0.25] },
      ],
    },
  });
});

test.each([
  ["too few", [{ index: 0, embedding: [1] }]],
  ["the same twice", [0, 0].map((index) => ({ index, embedding: [1] }))],
  ["one beyond the inputs", [0, 2].map((index) => ({ index, embedding: [1] }))],
  ["empty vectors", [0, 1].map((index) => ({ index, embedding: [] }))],
  ["torn base64", [0, 1].map((index) => ({ index, embedding: "AAA=" }))],
  ["no vectors", [{ index: 0 }, { index: 1 }]],
  ["an index that is text", ["0", "1"].map((index) => ({ index, embedding: [1] }))],
  ["an index that another has by position", [{ index: 1, embedding: [1] }, vectorOf([1])]],
  ["numbers as text", [vectorOf(["1"]), vectorOf(["1"])]],
  ["null for a number", [vectorOf([1, null]), vectorOf([1, 2])]],
  ["a number beyond 32 bits", [vectorOf([1e39]), vectorOf([1])]],
  ["an infinite number", '{"data":[{"embedding":[1e999]},{"embedding":[1]}]}'],
  ["vectors of different lengths", [vectorOf([1]), vectorOf([1, 2])]],
  ["text that is not base64", [vectorOf("not base64!!"), vectorOf("not base64!!")]],
  ["base64 of another alphabet", [vectorOf("_-AAAA=="), vectorOf("AAAAAA==")]],
  ["base64 of NaN", [vectorOf(floatsOf(Number.NaN)), vectorOf(floatsOf(1))]],
  ["base64 of an infinity", [vectorOf(floatsOf(1)), vectorOf(floatsOf(-Infinity))]],
])("an answer with %s is a failure of the upstream", (_, data) => {
  expect(refusalOf(data, { encoding_format: "float" })).toBe("bad_gateway");
  expect(refusalOf(data, { encoding_format: "base64" })).toBe("bad_gateway");
});

test("vectors of another length than the caller asked for are a failure of the upstream", () => {
  for (const embedding of [[1, 2], floatsOf(1, 2)]) {
    for (const encoding_format of ["float", "base64"]) {
      const data = [vectorOf(embedding), vectorOf(embedding)];
      expect(refusalOf(data, { encoding_format, dimensions: 2 })).toBe("none");
      expect(refusalOf(data, { encoding_format, dimensions: 3 })).toBe("bad_gateway");
    }
  }
});

test("fields for gateways are not sent, nor an encoding the provider does not support", () => {
  const body = { input: "a", encoding_format: "base64", route: "fallback", user: "u" };
  expect(JSON.parse(embeddingsDialect.buildRequest(callOf(body)).body)).toEqual({
    model: "model-1",
    input: "a",
    encoding_format: "base64",
    user: "u",
  });
  const sent = JSON.parse(embeddingsDialect.buildRequest(callOf(body, "mistral")).body);
  expect(sent).toEqual({ model: "model-1", input: "a", user: "u" });
});
