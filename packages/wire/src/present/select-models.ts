// The query of `GET /v1/models`: OpenRouter's filters and orders, as far as the catalog knows what they ask for.
// Source: `GetModelsRequest` of OpenRouter's SDK.

import { badValue, notSupported } from "../checks/body-fault.ts";
import { inputModalities, type ListedModel, outputModalities } from "./present-models.ts";

const orders: Readonly<Record<string, (a: ListedModel, b: ListedModel) => number>> = {
  newest: (a, b) => b.created.getTime() - a.created.getTime(),
  "pricing-low-to-high": (a, b) => compare(averagePrice(a), averagePrice(b)),
  "pricing-high-to-low": (a, b) => compare(averagePrice(b), averagePrice(a)),
  "context-high-to-low": (a, b) => b.contextTokens - a.contextTokens,
};

/** By figures that are not collected here: the order stays that of the catalog. */
const unknownOrders = [
  "most-popular",
  "top-weekly",
  "throughput-high-to-low",
  "latency-low-to-high",
  "intelligence-high-to-low",
  "coding-high-to-low",
  "agentic-high-to-low",
  "design-arena-elo-high-to-low",
];

/** Every filter that is given must hold; others are ignored. Throws `invalid_value`. */
export function selectModels(
  models: readonly ListedModel[],
  query: URLSearchParams,
): readonly ListedModel[] {
  if (query.size === 0) return models;
  const parameters = listOf(query, "supported_parameters");
  const inputs = listOf(query, "input_modalities");
  const outputs = listOf(query, "output_modalities").filter((name) => name !== "all");
  const words = query.get("q")?.trim().toLowerCase() ?? "";
  const leastContext = parseCount(query, "context");
  const selected = models.filter(
    (model) =>
      parameters.every((name) => model.parameters.includes(name)) &&
      inputs.every((name) => inputModalities(model).includes(name)) &&
      (outputs.length === 0 || outputs.some((name) => outputModalities(model).includes(name))) &&
      `${model.id} ${model.name}`.toLowerCase().includes(words) &&
      model.contextTokens >= leastContext,
  );
  const order = parseOrder(query);
  return order === undefined ? selected : selected.toSorted(order);
}

function parseOrder(query: URLSearchParams): (typeof orders)[string] | undefined {
  const name = query.get("sort");
  if (name === null || unknownOrders.includes(name)) return undefined;
  if (Object.hasOwn(orders, name)) return orders[name];
  throw notSupported("sort", name, Object.keys(orders));
}

function listOf(query: URLSearchParams, name: string): string[] {
  const values = query.getAll(name).flatMap((value) => value.split(","));
  return values.map((value) => value.trim()).filter((value) => value !== "");
}

function parseCount(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? "0";
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw badValue(name, "expected a whole number of tokens.");
}

/** Of a token that is read and one that is written, doubled. */
function averagePrice({ price }: ListedModel): bigint {
  return price.inputNanosPerMillion + price.outputNanosPerMillion;
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
