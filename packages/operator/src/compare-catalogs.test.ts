// What an operator is told before a catalog is applied: everything that changes, and what is sold below its cost.
import { expect, test } from "bun:test";
import { readCatalog } from "@turnpike/catalog";
import { compareCatalogs, noChanges } from "./compare-catalogs.ts";

const model = (id: string, output: string, rest = "") =>
  `  - { id: ${id}, contextTokens: 1000, maxOutputTokens: 100, capabilities: [], prices: { input: "1", output: "${output}" },
      routes: [{ provider: a, model: m }${rest}] }`;

function read(...models: readonly string[]) {
  const providers = ["a", "b"].map(
    (id) => `  - { id: ${id}, baseUrl: "http://127.0.0.1:1/v1", apiKey: k-${id}-0123456789 }`,
  );
  const text = ["providers:", ...providers, "models:", ...models].join("\n");
  return readCatalog(text, {}, { allowPrivate: true });
}

const before = read(model("x/kept", "2"), model("x/gone", "2"), model("x/changed", "2"));

test("the same models change nothing", () => {
  expect(compareCatalogs(before, before)).toEqual({ ...noChanges, version: before.version });
});

test("models that come and go, prices, routes and a loss are told", () => {
  const route = ', { provider: b, model: n, cost: { input: "1", output: "4" } }';
  const after = read(model("x/kept", "2"), model("x/changed", "3", route), model("x/new", "2"));
  const changes = compareCatalogs(before, after);
  expect(changes).toMatchObject({
    added: ["x/new"],
    removed: ["x/gone"],
    rerouted: [{ model: "x/changed", from: "a m", to: "a m, b n" }],
    belowCost: ["x/changed at b"],
  });
  expect(changes.repriced.map((one) => one.model)).toEqual(["x/changed"]);
  expect(changes.repriced[0]?.to).toContain('"outputNanosPerMillion":"3"');
});
