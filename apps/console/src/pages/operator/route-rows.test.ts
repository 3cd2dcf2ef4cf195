import { expect, test } from "bun:test";
import { narrowRoutes, type RouteFilter, type RouteRow } from "./route-rows.ts";

function row(model: string, provider: string, more: Partial<RouteRow> = {}): RouteRow {
  const price = { inputUsd: "1", cachedInputUsd: "1", cacheWriteUsd: "1", outputUsd: "2" };
  return {
    model,
    operation: "chat",
    provider,
    upstreamModel: `${provider}-name`,
    tier: 0,
    price,
    cost: null,
    isOff: false,
    isBroken: false,
    credentialsRefused: false,
    modelRefused: false,
    isBelowCost: false,
    firstByteMs: null,
    tokensPerSecond: null,
    knownAt: "",
    figures: undefined,
    ...more,
  };
}

const rows = [
  row("x/two", "azure", { isOff: true, tokensPerSecond: 5 }),
  row("x/ten", "openai", { isBelowCost: true, tokensPerSecond: 50 }),
  row("y/one", "openai", { credentialsRefused: true }),
];
const all: RouteFilter = {
  q: "",
  state: "",
  provider: "",
  sort: { column: "model", descending: false },
};
const namesOf = (filter: Partial<RouteFilter>) =>
  narrowRoutes(rows, { ...all, ...filter }).map(({ model }) => model);

test("routes are found by every word of their model, provider and name there", () => {
  expect(namesOf({ q: "X/ azure" })).toEqual(["x/two"]);
  expect(namesOf({ q: "openai-name" })).toEqual(["x/ten", "y/one"]);
  expect(namesOf({ q: "nothing" })).toEqual([]);
});

test("routes are narrowed by state and provider", () => {
  expect(namesOf({ state: "offered" })).toEqual(["x/ten"]);
  expect(namesOf({ state: "loss" })).toEqual(["x/ten"]);
  expect(namesOf({ state: "off" })).toEqual(["x/two"]);
  expect(namesOf({ state: "refused", provider: "openai" })).toEqual(["y/one"]);
  expect(namesOf({ state: "refused", provider: "azure" })).toEqual([]);
});

test("routes are sorted, those without a figure last in both directions", () => {
  const speed = (descending: boolean) => namesOf({ sort: { column: "speed", descending } });
  expect(speed(true)).toEqual(["x/ten", "x/two", "y/one"]);
  expect(speed(false)).toEqual(["x/two", "x/ten", "y/one"]);
});
