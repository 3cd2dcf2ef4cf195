// The catalog at the root of the repository: complete, with plausible prices.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newId, type PriceId } from "@turnpike/base";
import { operations, rateKinds, rateOf } from "@turnpike/terms";
import { findModel } from "../find-model.ts";
import type { Model, ModelEntry } from "../model.ts";
import { readCatalog } from "./read-catalog.ts";

const yamlText = readFileSync(join(import.meta.dirname, "../../../../catalog.yaml"), "utf8");
const variables = [...yamlText.matchAll(/^[^#\n]*\$\{(\w+)\}/gm)].map((match) => match[1] ?? "");
const everyKey = Object.fromEntries(variables.map((name) => [name, "key"]));
const production = { allowPrivate: false };

test("with no keys at all it has no mistake and offers nothing", () => {
  const file = readCatalog(yamlText, {}, production);
  expect(file.models).toEqual([]);
  expect(file.hidden.length).toBeGreaterThanOrEqual(40);
});

test("with every key it offers at least 40 models over at least 9 providers", () => {
  const file = readCatalog(yamlText, everyKey, production);
  expect(file.hidden).toEqual([]);
  expect(file.models.length).toBeGreaterThanOrEqual(40);
  const providers = new Set(file.models.map((model) => model.routes[0].provider.id));
  expect(providers.size).toBeGreaterThanOrEqual(9);
});

test("one key offers only the models of its provider", () => {
  const file = readCatalog(yamlText, { GROQ_API_KEY: "key" }, production);
  const providers = new Set(file.models.map((model) => model.routes[0].provider.id));
  expect([...providers]).toEqual(["groq"]);
});

test("every model is described, dated and priced", () => {
  for (const model of readCatalog(yamlText, everyKey, production).models) {
    const { inputNanosPerMillion, cachedInputNanosPerMillion, outputNanosPerMillion } = model.rates;
    expect(model.description, model.id).not.toBe("");
    if (!isOfText(model)) {
      const isPriced = isSold(model.rates) || model.operation === "moderation";
      expect(isPriced, model.id).toBe(true);
      continue;
    }
    expect(model.created.getUTCFullYear(), model.id).toBeGreaterThan(2020);
    expect(inputNanosPerMillion > 0n, model.id).toBe(true);
    expect(cachedInputNanosPerMillion <= inputNanosPerMillion, model.id).toBe(true);
    const isMoreExpensive = outputNanosPerMillion >= inputNanosPerMillion;
    expect(isMoreExpensive, model.id).toBe(model.operation === "chat");
  }
});

/** Not every other model has a date that is known, or tokens as its price. */
const isOfText = ({ operation }: ModelEntry) => operation === "chat" || operation === "embeddings";

function isSold(rates: ModelEntry["rates"]): boolean {
  const prices = rateKinds.map((kind) => rateOf(rates, kind) ?? 0n);
  const ofUnits = rates.units?.map(({ nanosPerMillion }) => nanosPerMillion) ?? [];
  return [...prices, ...ofUnits].some((nanos) => nanos > 0n);
}

test("every operation has a model", () => {
  const { models } = readCatalog(yamlText, everyKey, production);
  expect([...new Set(models.map(({ operation }) => operation))].sort()).toEqual(
    [...operations].sort(),
  );
});

test("models of OpenAI name their tokenizer, and no other model uses it", () => {
  const { models } = readCatalog(yamlText, everyKey, production);
  for (const { id, operation, tokenizer } of models.filter(isOfText)) {
    const isOpenAi = id.startsWith("openai/") || id.includes("gpt-oss");
    const own = operation === "embeddings" ? "cl100k_base" : "o200k_base";
    expect(tokenizer, id).toBe(isOpenAi ? own : "bytes");
  }
});

/** As if it were in force since the beginning. */
const priceOf = ({ rates }: ModelEntry) => ({
  ...rates,
  tiers: {},
  longPrompts: [],
  id: newId<PriceId>(),
  since: new Date(0),
});

function offeredCatalog() {
  const { models } = readCatalog(yamlText, everyKey, production);
  const offered = models.map((model): [string, Model] => [
    model.id,
    { ...model, price: priceOf(model) },
  ]);
  return { version: "1", models: new Map(offered) };
}

/** The row of each program that asks for a model of its own. */
const defaultModels = [
  ...(readFileSync(join(import.meta.dirname, "../../../../docs/clients.md"), "utf8")
    .split("## Default models")[1]
    ?.matchAll(/^\| (?<program>[^|]+?) +\| [^|]*\| `(?<model>[^`]+)` +\|/gm) ?? []),
].map(({ groups }): [string, string] => [groups?.program ?? "", groups?.model ?? ""]);

test("the list of default models can be read", () => {
  expect(defaultModels.length).toBeGreaterThan(3);
});

test.each(defaultModels)("%s finds the model %s, which it asks for by default", (program, name) => {
  const found = () => findModel(offeredCatalog(), name).id;
  const advice = `${program} asks for ${name}: add it to catalog.yaml with its price and its provider. If a newer version of the program asks for another model, correct its row in docs/clients.md and its version in apps/server/test/clients/agents.ts.`;
  expect(found, advice).not.toThrow();
});

test.each([
  ["gpt-6.2-sol", "openai/gpt-6.2-sol"],
  ["gpt-6.1-sol", "openai/gpt-6.1-sol"],
  ["gpt-6.1-sol-2026-09-29", "openai/gpt-6.1-sol"],
  ["gpt-5.6-luna", "openai/gpt-5.6-luna"],
  ["gpt-5.5-2026-04-23", "openai/gpt-5.5"],
  ["claude-opus-5-5", "anthropic/claude-opus-5.5"],
  ["claude-sonnet-5-5", "anthropic/claude-sonnet-5.5"],
  ["claude-haiku-5-5", "anthropic/claude-haiku-5.5"],
])("%s, which clients ask for by default, is %s", (name, id) => {
  expect(findModel(offeredCatalog(), name).id).toBe(id);
});
