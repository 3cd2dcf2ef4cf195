import { expect, test } from "bun:test";
import { operations } from "@turnpike/terms";
import { modelOf, noFigures } from "../../../test/model.fixture.ts";
import { namesOf } from "../../lib/names-of.ts";
import { readAddress } from "../../lib/use-address.ts";
import { comparisonPath, idsField } from "./compared-ids.ts";
import {
  features,
  type Model,
  modelFields,
  offeredAbilities,
  selectModels,
} from "./model-query.ts";

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

const readSearch = (search: Record<string, string>) =>
  readAddress(modelFields, (name) => search[name] ?? "");

const idsFor = (search: Record<string, string>) =>
  selectModels(models, readSearch(search)).map((model) => model.id);

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

test("models narrow by operation, and what is billed by other units is neither free nor the cheapest", () => {
  const free = { inputUsd: "0", cachedInputUsd: "0", cacheWriteUsd: "0", outputUsd: "0" };
  const offered = [
    modelOf("acme/draw", {
      operation: "image",
      prices: { ...free, units: [{ unit: "images", usd: "0.04" }] },
    }),
    modelOf("acme/check", { operation: "moderation", prices: free }),
    modelOf("acme/chat", {}),
  ];
  const idsOf = (search: Record<string, string>) =>
    selectModels(offered, readSearch(search)).map(({ id }) => id);
  expect(idsOf({ can: "image" })).toEqual(["acme/draw"]);
  expect(idsOf({ can: "moderation" })).toEqual(["acme/check"]);
  expect(idsOf({ can: "chat" })).toEqual(["acme/chat"]);
  expect(idsOf({ price: "0" })).toEqual(["acme/check"]);
  expect(idsOf({ sort: "input" })).toEqual(["acme/check", "acme/chat", "acme/draw"]);
  expect(idsOf({ sort: "input-desc" })).toEqual(["acme/chat", "acme/check", "acme/draw"]);
});

test("every operation that some model is for can be chosen, unless there is only one", () => {
  const idsOffered = (models: readonly Model[]) => offeredAbilities(models).map(({ id }) => id);
  expect(idsOffered(models)).toEqual(features.map(({ id }) => id));
  const all = operations.map((operation) => modelOf(`acme/${operation}`, { operation }));
  expect(idsOffered(all)).toEqual([...features.map(({ id }) => id), ...operations]);
});

test("lab and provider narrow separately: who made a model, and who serves it", () => {
  const served = [modelOf("acme/large", { providers: ["cloud", "beta"] }), modelOf("beta/small")];
  const idsOf = (search: Record<string, string>) =>
    selectModels(served, readSearch(search)).map(({ id }) => id);
  expect(idsOf({ lab: "beta" })).toEqual(["beta/small"]);
  expect(idsOf({ provider: "beta" })).toEqual(["acme/large", "beta/small"]);
  expect(idsOf({ q: "cloud" })).toEqual(["acme/large"]);
});

test("measured figures sort with the best first, and models without one come last both ways", () => {
  const withFigures = (id: string, figures: Partial<Model["figures"]>) =>
    modelOf(id, { figures: { ...noFigures, ...figures } });
  const measured = [
    modelOf("a/unknown"),
    withFigures("b/slow", { firstTokenMs: 900, tokensPerSecond: 20, monthAvailability: 1 }),
    withFigures("c/fast", { firstTokenMs: 90, tokensPerSecond: 200, monthAvailability: 0.5 }),
  ];
  const idsBy = (sort: string) => selectModels(measured, readSearch({ sort })).map(({ id }) => id);
  const [unknown, slow, fast] = ["a/unknown", "b/slow", "c/fast"];
  expect(idsBy("firstToken")).toEqual([fast, slow, unknown]);
  expect(idsBy("firstToken-desc")).toEqual([slow, fast, unknown]);
  expect(idsBy("speed")).toEqual([fast, slow, unknown]);
  expect(idsBy("speed-asc")).toEqual([slow, fast, unknown]);
  expect(idsBy("availability")).toEqual([slow, fast, unknown]);
  expect(idsBy("availability-asc")).toEqual([fast, slow, unknown]);
});

test("the address of a comparison names at most four models, each once", () => {
  const readIds = (text: string) => idsField.read(() => text, "ids");
  expect(readIds("a/1,b/2,a/1,,c/3,d/4,e/5")).toEqual(["a/1", "b/2", "c/3", "d/4"]);
  expect(readIds("")).toEqual([]);
  const path = comparisonPath(["a/1", "b/2 &x"]);
  expect(path).toBe("/models/compare?ids=a/1,b/2%20%26x");
  const { searchParams } = new URL(path, "http://console.test");
  expect(readIds(searchParams.get("ids") ?? "")).toEqual(["a/1", "b/2 &x"]);
});

test("invalid filters in the address are ignored", () => {
  const invalid = readSearch({ can: "magic", context: "-1", price: "1e9", sort: "__proto__" });
  const nothing = readSearch({});
  for (const name of namesOf(modelFields)) expect(invalid(name)).toEqual(nothing(name));
  expect(selectModels(models, invalid)).toEqual(models);
});
