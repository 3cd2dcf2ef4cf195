// What a catalog says about the routes of a model, and which mistakes are reported.
import { expect, test } from "bun:test";
import { CatalogError } from "./catalog-mistake.ts";
import { readCatalog } from "./read-catalog.ts";

const read = (text: string) => readCatalog(text, {}, { allowPrivate: false });

function mistakesOf(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return error.mistakes.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

const policyFile = (routes: string) => `
providers:
  - { id: one, baseUrl: "https://one.example.com/v1", dataCollection: deny, maxConcurrent: 5 }
  - { id: two, baseUrl: "https://two.example.com/v1" }
models:
  - { id: a/b, contextTokens: 10, maxOutputTokens: 5, prices: { input: "1", output: "1" }, routes: ${routes} }
`;

test("a route has the policy of its provider, unless it says otherwise; tiers decide the order", () => {
  const routes = `[
    { provider: two, model: m, tier: 2 },
    { provider: one, model: n, dataCollection: allow, zdr: true, tier: 1 },
    { provider: one, model: m, maxConcurrent: 9, tier: 1, parameters: [seed] }]`;
  const [model] = read(policyFile(routes)).models;
  expect(model?.routes.map(({ provider, rates: _, ...rest }) => [provider.id, rest])).toEqual([
    ["one", { upstreamModel: "n", dataCollection: "allow", zdr: true, maxConcurrent: 5, tier: 1 }],
    [
      "one",
      {
        upstreamModel: "m",
        dataCollection: "deny",
        maxConcurrent: 9,
        tier: 1,
        parameters: ["seed"],
      },
    ],
    ["two", { upstreamModel: "m", tier: 2 }],
  ]);
});

test("how long a first byte may take is that of the route, then of its model, then of its provider", () => {
  const file = (provider: string, model: string, route: string) =>
    policyFile(`[{ provider: two, model: m ${route} }], ${model}`).replace(
      'two.example.com/v1"',
      `two.example.com/v1" ${provider}`,
    );
  const timeoutsOf = (...stated: [provider: string, model: string, route: string]) =>
    read(file(...stated)).models[0]?.routes[0]?.firstByteTimeouts;
  const inProvider = ", firstByteTimeoutMs: 1000";
  const inModel = "firstByteTimeoutMs: { whole: 2000 }";
  const inRoute = ", firstByteTimeoutMs: { stream: 3000 }";
  expect(timeoutsOf("", "", "")).toBeUndefined();
  expect(timeoutsOf(inProvider, "", "")).toEqual({ stream: 1_000, whole: 1_000 });
  expect(timeoutsOf(inProvider, inModel, "")).toEqual({ stream: 1_000, whole: 2_000 });
  expect(timeoutsOf(inProvider, inModel, inRoute)).toEqual({ stream: 3_000, whole: 2_000 });
  expect(timeoutsOf("", inModel, inRoute)).toEqual({ stream: 3_000, whole: 2_000 });
  for (const wrong of ["0", "99", "900001", "1.5", '"1 s"', "{ stream: 0 }"]) {
    const [mistake, ...others] = mistakesOf(file("", `firstByteTimeoutMs: ${wrong}`, ""));
    expect(mistake).toStartWith("models[0].firstByteTimeoutMs");
    expect(mistake).toContain(": must be whole milliseconds from 100 to 900000");
    expect(others).toEqual([]);
  }
});

test("a route with its own prices has each price that its model has", () => {
  const file = (own: string) =>
    policyFile(`[{ provider: one, model: m, prices: { input: "1", output: "1"${own} } }]`).replace(
      'prices: { input: "1", output: "1" }, routes',
      'prices: { input: "1", cacheWrite1h: "2", output: "1" }, routes',
    );
  expect(mistakesOf(file(""))).toEqual([
    "models[0].routes[0].prices.cacheWrite1h: is missing: the model has this price, so a route with its own prices needs it",
  ]);
  expect(mistakesOf(file(', cacheWrite1h: "3"'))).toEqual([]);
});

test("what is wrong with a route is reported with its path", () => {
  const routes = `[
    { provider: one, model: m, zdr: "yes", dataCollection: maybe, tier: 0, maxConcurrent: 0.5, cost: 1 }]`;
  expect(mistakesOf(policyFile(routes)).map((line) => line.split(":")[0])).toEqual(
    expect.arrayContaining([
      "models[0].routes[0].zdr",
      "models[0].routes[0].dataCollection",
      "models[0].routes[0].tier",
      "models[0].routes[0].maxConcurrent",
      "models[0].routes[0].cost",
    ]),
  );
  const twice = "[{ provider: one, model: m }, { provider: one, model: m, tier: 1 }]";
  expect(mistakesOf(policyFile(twice))).toEqual([
    "models[0].routes[1]: is the same provider and model as an earlier route",
  ]);
});
