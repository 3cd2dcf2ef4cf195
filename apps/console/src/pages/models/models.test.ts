import { expect, test } from "bun:test";
import { calculateCost, pricesFor } from "../shared/calculate-cost.ts";
import { isNarrowed, type Model, readModelQuery, selectModels } from "./model-query.ts";

function modelOf(id: string, patch: Partial<Model> = {}): Model {
  return {
    id,
    name: id.split("/")[1] ?? id,
    description: "",
    provider: id.split("/")[0] ?? id,
    contextTokens: 128_000,
    operation: "chat",
    maxOutputTokens: 4_096,
    capabilities: [],
    createdAt: "2026-01-01T00:00:00.000Z",
    prices: { inputUsd: "1", cachedInputUsd: "1", cacheWriteUsd: "1", outputUsd: "10" },
    priceSince: "2026-01-01T00:00:00.000Z",
    ...patch,
  };
}

const models = [
  modelOf("acme/large", { capabilities: ["tools", "vision"], contextTokens: 1_000_000 }),
  modelOf("acme/mini", {
    capabilities: ["tools"],
    prices: { inputUsd: "0.15", cachedInputUsd: "0.015", cacheWriteUsd: "0.15", outputUsd: "2" },
  }),
  modelOf("beta/free", {
    createdAt: "2026-06-01T00:00:00.000Z",
    prices: { inputUsd: "0", cachedInputUsd: "0", cacheWriteUsd: "0", outputUsd: "0" },
  }),
];

const idsFor = (search: Record<string, string>) =>
  selectModels(models, readModelQuery(search)).map((model) => model.id);

test("search and filters narrow together", () => {
  expect(idsFor({})).toEqual(["acme/large", "acme/mini", "beta/free"]);
  expect(idsFor({ q: "ACME mini" })).toEqual(["acme/mini"]);
  expect(idsFor({ can: "tools", context: "200000" })).toEqual(["acme/large"]);
  expect(idsFor({ can: "tools,caching" })).toEqual(["acme/mini"]);
  expect(idsFor({ provider: "beta" })).toEqual(["beta/free"]);
  expect(idsFor({ price: "0" })).toEqual(["beta/free"]);
  expect(idsFor({ price: "0.5" })).toEqual(["acme/mini", "beta/free"]);
});

test("sorting by money compares amounts, not texts", () => {
  expect(idsFor({ sort: "output" })).toEqual(["beta/free", "acme/mini", "acme/large"]);
  expect(idsFor({ sort: "output-desc" })).toEqual(["acme/large", "acme/mini", "beta/free"]);
  expect(idsFor({ sort: "newest" })[0]).toBe("beta/free");
  expect(idsFor({ sort: "context" })[0]).toBe("acme/large");
});

test("invalid filters in the address are ignored", () => {
  const query = readModelQuery({ can: "magic", context: "-1", price: "1e9", sort: "__proto__" });
  expect(isNarrowed(query)).toBe(false);
  expect(selectModels(models, query)).toEqual(models);
});

test("the calculator bills as the ledger does: exact, rounded up once to a nano-dollar", () => {
  const prices = {
    inputUsd: "0.15",
    cachedInputUsd: "0.075",
    cacheWriteUsd: "0",
    outputUsd: "0.6",
  };
  const cost = (inputTokens: number, cachedTokens: number, outputTokens: number, requests = 1) =>
    calculateCost(prices, { inputTokens, cachedTokens, outputTokens }, requests);
  expect(cost(1_234, 0, 0)).toBe("0.0001851");
  expect(cost(1_000, 400, 500)).toBe("0.00042");
  expect(cost(0, 0, 0)).toBe("0");
  expect(cost(1, 1, 0)).toBe("0.000000075");
  // One token at 0.0001 USD per million is a tenth of a nano-dollar.
  const tiny = { ...prices, inputUsd: "0.0001" };
  expect(calculateCost(tiny, { inputTokens: 1, cachedTokens: 0, outputTokens: 0 }, 1_000)).toBe(
    "0.000001",
  );
  expect(cost(999_999_999, 0, 999_999_999, 1_000)).toBe("749999.99925");
});

test("the calculator takes the prices of the prompt's size", () => {
  const prices = { inputUsd: "1", cachedInputUsd: "1", cacheWriteUsd: "1", outputUsd: "2" };
  const long = { ...prices, inputUsd: "3" };
  const [first] = models;
  if (first === undefined) throw new Error("there is no model");
  const model: Model = { ...first, prices, longPrompts: [{ aboveTokens: 200, prices: long }] };
  expect(pricesFor(model, 200)).toBe(prices);
  expect(pricesFor(model, 201)).toBe(long);
  expect(pricesFor({ ...first, prices }, 201)).toBe(prices);
});
