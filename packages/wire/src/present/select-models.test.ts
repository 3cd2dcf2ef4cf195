// OpenRouter's filters and orders of the list of models, which narrow it to what a client can use.
import { expect, test } from "bun:test";
import type { ListedModel } from "./present-models.ts";
import { selectModels } from "./select-models.ts";

function model(id: string, fields: Partial<ListedModel> & { usd?: bigint } = {}): ListedModel {
  const { usd = 1n, ...rest } = fields;
  return {
    id,
    name: id.toUpperCase(),
    description: "",
    created: new Date(0),
    contextTokens: 1_000,
    operation: "chat",
    capabilities: [],
    price: {
      inputNanosPerMillion: usd,
      cachedInputNanosPerMillion: usd,
      cacheWriteNanosPerMillion: usd,
      outputNanosPerMillion: usd,
    },
    parameters: ["temperature"],
    ...rest,
  };
}

const models = [
  model("a/plain", { usd: 2n }),
  model("b/tools", {
    parameters: ["temperature", "tools", "seed"],
    created: new Date(2),
    contextTokens: 9_000,
  }),
  model("c/vision", { capabilities: ["vision"], created: new Date(1), usd: 3n }),
  model("d/vectors", { operation: "embeddings", contextTokens: 500, parameters: [] }),
];

const select = (query: string) =>
  selectModels(models, new URLSearchParams(query))
    .map(({ id }) => id.slice(0, 1))
    .join("");

test.each([
  ["", "abcd"],
  ["category=programming", "abcd"],
  ["supported_parameters=tools", "b"],
  ["supported_parameters=temperature,seed", "b"],
  ["supported_parameters=tools&supported_parameters=none", ""],
  ["input_modalities=image", "c"],
  ["output_modalities=text", "abc"],
  ["output_modalities=embeddings", "d"],
  ["output_modalities=image,embeddings", "d"],
  ["output_modalities=all", "abcd"],
  ["q=VISION", "c"],
  ["context=1000", "abc"],
  ["sort=newest", "bcad"],
  ["sort=context-high-to-low", "bacd"],
  ["sort=pricing-low-to-high", "bdac"],
  ["sort=pricing-high-to-low", "cabd"],
  ["sort=most-popular", "abcd"],
  ["supported_parameters=temperature&sort=newest", "bca"],
])("%s lists %s", (query, ids) => {
  expect(select(query)).toBe(ids);
});

test("a value that means nothing is refused by its name", () => {
  expect(() => select("sort=best")).toThrow("'pricing-low-to-high'");
  expect(() => select("sort=constructor")).toThrow("Supported values");
  expect(() => select("context=many")).toThrow("Invalid 'context'");
});
