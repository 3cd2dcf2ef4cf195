// Which models are shown, in which order: read from the address, so that a link, a reload and Back
// show the same list.
import type { Answers } from "../../lib/api.ts";
import { compareDecimals } from "../../lib/format.ts";

export type Model = Answers["models"]["list"][number];

/** As in the address; invalid values are ignored. */
export type ModelQuery = {
  readonly q: string;
  readonly provider: string | undefined;
  readonly can: readonly Ability[];
  readonly contextTokens: number | undefined;
  /** The maximum input price, USD per million tokens. */
  readonly priceUsd: string | undefined;
  readonly sort: ModelSort;
  readonly descending: boolean;
};

export const abilities = [
  "tools",
  "vision",
  "json_schema",
  "reasoning",
  "files",
  "caching",
  "embeddings",
] as const;
export type Ability = (typeof abilities)[number];
export const modelSorts = ["catalog", "name", "input", "output", "context", "newest"] as const;
export type ModelSort = (typeof modelSorts)[number];
export const contextSteps = [32_000, 128_000, 200_000, 1_000_000] as const;
/** `0` shows free models. */
export const priceSteps = ["0", "0.5", "1", "3", "10"] as const;

export type Search = Readonly<Record<string, string | string[] | undefined>>;

export function readModelQuery(search: Search): ModelQuery {
  const wanted = new Set(textOf(search.can).split(","));
  const [sort = "", direction] = textOf(search.sort).split("-");
  const known = modelSorts.find((one) => one === sort) ?? "catalog";
  return {
    q: textOf(search.q),
    provider: textOf(search.provider) || undefined,
    can: abilities.filter((ability) => wanted.has(ability)),
    contextTokens: contextSteps.find((tokens) => String(tokens) === search.context),
    priceUsd: priceSteps.find((price) => price === search.price),
    sort: known,
    descending: direction === undefined ? startsDescending(known) : direction === "desc",
  };
}

/** The direction of the first click: large context and new models first, but low prices first. */
export function startsDescending(sort: ModelSort): boolean {
  return sort === "context" || sort === "newest";
}

export function isNarrowed(query: ModelQuery): boolean {
  const { q, provider, can, contextTokens, priceUsd } = query;
  return Boolean(q.trim() || provider || can.length > 0 || contextTokens || priceUsd);
}

export function selectModels(models: readonly Model[], query: ModelQuery): readonly Model[] {
  const words = query.q.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const shown = models.filter(
    (model) =>
      words.every((word) => `${model.name} ${model.id}`.toLowerCase().includes(word)) &&
      (query.provider === undefined || model.provider === query.provider) &&
      query.can.every((ability) => isAble(model, ability)) &&
      model.contextTokens >= (query.contextTokens ?? 0) &&
      (query.priceUsd === undefined || compareDecimals(model.prices.inputUsd, query.priceUsd) <= 0),
  );
  const compare = orders[query.sort];
  if (compare === undefined) return shown;
  return shown.sort((a, b) => (query.descending ? compare(b, a) : compare(a, b)));
}

export function isAble(model: Model, ability: Ability): boolean {
  if (ability === "embeddings") return model.operation === "embeddings";
  if (ability !== "caching") return model.capabilities.includes(ability);
  return compareDecimals(model.prices.cachedInputUsd, model.prices.inputUsd) < 0;
}

/** Models without output, such as those for embeddings, have no output price: zero would read as free. */
export function hasOutput(model: Pick<Model, "operation">): boolean {
  return model.operation === "chat";
}

export function providersOf(models: readonly Model[]): readonly string[] {
  return [...new Set(models.map((model) => model.provider))].sort();
}

const orders: Readonly<Record<ModelSort, ((a: Model, b: Model) => number) | undefined>> = {
  catalog: undefined,
  name: (a, b) => a.name.localeCompare(b.name),
  input: (a, b) => compareDecimals(a.prices.inputUsd, b.prices.inputUsd),
  output: (a, b) => compareDecimals(a.prices.outputUsd, b.prices.outputUsd),
  context: (a, b) => a.contextTokens - b.contextTokens,
  newest: (a, b) => a.createdAt.localeCompare(b.createdAt),
};

function textOf(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? "";
}
