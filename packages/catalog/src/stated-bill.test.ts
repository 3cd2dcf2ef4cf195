// What the console computes from the prices it is told is what the server bills: for every model of the catalog at the
// root of the repository, at every service tier, for a prompt of any size.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newId, type PriceId } from "@turnpike/base";
import {
  type BilledUsage,
  type BySize,
  costOf,
  parsePrices,
  type Rates,
  ratesFor,
  type ServiceTier,
  serviceTiers,
  statePrices,
  unitNames,
} from "@turnpike/terms";
import { parseChatRequest, parseEmbeddingsRequest } from "@turnpike/wire";
import fc from "fast-check";
import { readCatalog } from "./file/read-catalog.ts";
import type { Model, ModelEntry, ModelRequest, Price, PriceVersion } from "./model.ts";
import { priceUsage } from "./price-of-call.ts";

const yamlText = readFileSync(join(import.meta.dirname, "../../../catalog.yaml"), "utf8");
const variables = [...yamlText.matchAll(/^[^#\n]*\$\{(\w+)\}/gm)].map((match) => match[1] ?? "");
const everyKey = Object.fromEntries(variables.map((name) => [name, "key"]));
const entries = readCatalog(yamlText, everyKey, { allowPrivate: false }).models;

const version = { id: newId<PriceId>(), since: new Date(0) };

function inForce({ longPrompts, ...rates }: BySize<Rates>): BySize<PriceVersion> {
  const long = longPrompts?.map((sized) => ({ ...sized, ...version }));
  return { ...rates, ...version, ...(long !== undefined && { longPrompts: long }) };
}

function modelOf({ rates, routes: _, ...facts }: ModelEntry): Model {
  const { tiers = {}, ...list } = rates;
  const own: { [Tier in ServiceTier]?: BySize<PriceVersion> } = {};
  for (const tier of serviceTiers) {
    const prices = tiers[tier];
    if (prices !== undefined) own[tier] = inForce(prices);
  }
  const price: Price = { ...inForce(list), tiers: own };
  const [first] = entries.find(({ id }) => id === facts.id)?.routes ?? [];
  if (first === undefined) throw new Error(`${facts.id} has no route`);
  const { rates: __, ...route } = first;
  return { ...facts, price, routes: [route] };
}

/** A call that may keep what it writes to a cache for an hour. */
function callOf(model: Model, tier: ServiceTier | undefined): ModelRequest {
  if (model.operation === "embeddings") {
    const text = JSON.stringify({ model: model.id, input: "Hi" });
    return { operation: "embeddings", model, request: parseEmbeddingsRequest(text) };
  }
  if (model.operation !== "chat") return otherCallOf(model);
  const cached = { type: "text", text: "Hi", cache_control: { type: "ephemeral", ttl: "1h" } };
  const messages = [{ role: "user", content: [cached] }];
  const text = JSON.stringify({ model: model.id, messages, service_tier: tier });
  return { operation: "chat", model, request: parseChatRequest(text) };
}

/**
 * The price of another call depends on its model alone. The cast is safe because nothing of the request is read for it, which
 * a test of transcriptions could only send as a form.
 */
function otherCallOf(model: Exclude<Model, { operation: "chat" }>): ModelRequest {
  return { operation: model.operation, model, request: {} } as unknown as ModelRequest;
}

const count = fc.nat({ max: 2_000_000 });
const anyUsage = fc.record(
  {
    promptTokens: count,
    completionTokens: count,
    cachedTokens: count,
    cacheWriteTokens: count,
    cacheWrite1hTokens: count,
    audioPromptTokens: count,
    audioCompletionTokens: count,
    webSearches: fc.nat({ max: 50 }),
    imagePromptTokens: count,
    imageCompletionTokens: count,
    units: fc.array(
      fc.record({ unit: fc.constantFrom(...unitNames), variant: fc.constant("1K"), count }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ["promptTokens", "completionTokens", "cachedTokens", "cacheWriteTokens"] },
);

function expectSameCost(model: Model, tier: ServiceTier | undefined, usage: BilledUsage): void {
  const list = tier === undefined ? model.price : (model.price.tiers?.[tier] ?? model.price);
  const stated = parsePrices(JSON.parse(JSON.stringify(statePrices(list))));
  const shown = costOf(ratesFor(stated, usage.promptTokens), usage);
  const billed = priceUsage(callOf(model, tier), model.routes[0], { ...usage, reasoningTokens: 0 });
  expect([model.id, tier, shown]).toEqual([model.id, tier, billed.costNanos]);
}

test.each(entries.map((entry) => [entry.id, entry] as const))(
  "the console shows what a call of %s is billed",
  (_, entry) => {
    const model = modelOf(entry);
    const tiers = [undefined, ...serviceTiers.filter((tier) => model.price.tiers?.[tier])];
    fc.assert(
      fc.property(fc.constantFrom(...tiers), anyUsage, (tier, usage) =>
        expectSameCost(model, tier, usage),
      ),
      { numRuns: 30 },
    );
  },
);
