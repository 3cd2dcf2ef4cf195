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
    repriced: ["x/changed output $2.00 → $3.00 per million"],
    recosted: [],
    rerouted: ["x/changed gets the route b · n"],
    limited: [],
    belowCost: ["x/changed at b"],
  });
});

const priced = (prices: string, routes = "{ provider: a, model: m }", limits = "") =>
  read(`  - { id: x/one, contextTokens: ${limits === "" ? "1000" : limits}, maxOutputTokens: 100, capabilities: [],
      prices: ${prices}, routes: [${routes}] }`);

test("each amount that changes is one sentence in dollars, with its tier and the size of the prompt", () => {
  const old = priced(
    '{ input: "2.5", output: "0", webSearch: "10", tiers: { flex: { input: "1", output: "2" } } }',
  );
  const now = priced(
    '{ input: "3", cachedInput: "0.0375", output: "4", longPrompts: [{ above: 200000, input: "6", output: "8" }], tiers: { flex: { input: "1", output: "2.000000001" } } }',
  );
  expect(compareCatalogs(old, now).repriced).toEqual([
    "x/one input $2.50 → $3.00 per million",
    "x/one cached input $2.50 → $0.0375 per million",
    "x/one output free → $4.00 per million",
    "x/one web search $10.00 → not priced",
    "x/one output, flex $2.00 → $2.000000001 per million",
    "x/one input of prompts above 200,000 tokens not priced → $6.00 per million",
    "x/one cached input of prompts above 200,000 tokens not priced → $6.00 per million",
    "x/one cache write of prompts above 200,000 tokens not priced → $6.00 per million",
    "x/one output of prompts above 200,000 tokens not priced → $8.00 per million",
  ]);
});

test("prices and costs of single routes, their order and limits are told, and nothing is told as text of a program", () => {
  const prices = '{ input: "1", output: "2" }';
  const old = priced(prices, "{ provider: a, model: m }, { provider: b, model: n, tier: 1 }");
  const now = priced(
    prices,
    '{ provider: b, model: n, prices: { input: "1", output: "5" }, cost: { input: "0.5", output: "1" } }, { provider: a, model: m, firstByteTimeoutMs: { stream: 20000 } }',
    "2000",
  );
  const changes = compareCatalogs(old, now);
  expect(changes).toMatchObject({
    repriced: ["x/one at b output $2.00 → $5.00 per million"],
    recosted: [
      "x/one at b costs you input not priced → $0.50 per million",
      "x/one at b costs you cached input not priced → $0.50 per million",
      "x/one at b costs you cache write not priced → $0.50 per million",
      "x/one at b costs you output not priced → $1.00 per million",
    ],
    rerouted: [
      "x/one tries b · n, then a · m",
      "x/one at a first byte of a stream by default → within 20 s",
    ],
    limited: ["x/one context 1,000 tokens → 2,000 tokens"],
  });
  expect(JSON.stringify(changes)).not.toContain("anos");
});
