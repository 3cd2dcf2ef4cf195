// Which models are shown, in which order: what the address says, so that a link, a reload and Back
// show the same list.
import { compareDecimals } from "@turnpike/terms";
import type { Answers } from "../../lib/api.ts";
import { byNumber, orderBy } from "../../lib/sort-rows.ts";
import {
  type Address,
  type Field,
  oneOf,
  someOf,
  text,
  type ValuesOf,
} from "../../lib/use-address.ts";
import { Braces, Brain, Eye, FileText, History, Waypoints, Wrench } from "../../ui/icons.ts";
import type { Sort } from "../../ui/tables/table.tsx";
import { idsField } from "./compared-ids.ts";

export type Model = Answers["models"]["list"][number];

/** What a model can do. */
export const abilities = [
  { id: "tools", name: "Tools", icon: Wrench },
  { id: "vision", name: "Vision", icon: Eye },
  { id: "json_schema", name: "JSON schema", icon: Braces },
  { id: "reasoning", name: "Reasoning", icon: Brain },
  { id: "files", name: "Files", icon: FileText },
  { id: "caching", name: "Caching", icon: History },
  { id: "embeddings", name: "Embeddings", icon: Waypoints },
] as const;
export type Ability = (typeof abilities)[number];
export type AbilityId = Ability["id"];

type ModelOrder = {
  readonly id: string;
  readonly name: string;
  /** The best is the most: it comes first at the first click. */
  readonly mostIsBest?: true;
  readonly figure?: (model: Model) => number | null;
  readonly compare?: (a: Model, b: Model) => number;
};

export const modelSorts = [
  { id: "catalog", name: "Recommended" },
  { id: "name", name: "Name", compare: (a, b) => a.name.localeCompare(b.name) },
  { id: "input", name: "Input price", compare: byPrice("inputUsd") },
  { id: "output", name: "Output price", compare: byPrice("outputUsd") },
  { id: "context", name: "Context", mostIsBest: true, figure: (model) => model.contextTokens },
  { id: "firstToken", name: "First token", figure: ({ figures }) => figures.firstTokenMs },
  {
    id: "speed",
    name: "Tokens per second",
    mostIsBest: true,
    figure: ({ figures }) => figures.tokensPerSecond,
  },
  {
    id: "availability",
    name: "Availability",
    mostIsBest: true,
    figure: ({ figures }) => figures.monthAvailability,
  },
  {
    id: "newest",
    name: "Newest",
    mostIsBest: true,
    compare: (a, b) => a.createdAt.localeCompare(b.createdAt),
  },
] as const satisfies readonly ModelOrder[];

function byPrice(name: "inputUsd" | "outputUsd") {
  return (a: Model, b: Model) => compareDecimals(a.prices[name], b.prices[name]);
}

function orderOf(id: string): ModelOrder | undefined {
  return modelSorts.find((one) => one.id === id);
}

export const contextSteps = [32_000, 128_000, 200_000, 1_000_000] as const;
/** `0` shows free models. */
export const priceSteps = ["0", "0.5", "1", "3", "10"] as const;

/** `input-desc`; without a direction the best comes first. */
const sortField: Field<Sort> = {
  read(param, name) {
    const [id = "", direction] = param(name).split("-");
    const column = orderOf(id)?.id ?? "catalog";
    const descending = direction === undefined ? startsDescending(column) : direction === "desc";
    return { column, descending };
  },
  write: ({ column, descending }, name) => ({
    [name]: column === "catalog" ? undefined : `${column}-${descending ? "desc" : "asc"}`,
  }),
};

export const modelFields = {
  q: text,
  /** Who made it, and one of those who serve it. */
  lab: text,
  provider: text,
  can: someOf(abilities.map(({ id }) => id)),
  context: oneOf("", contextSteps.map(String)),
  /** The maximum input price, USD per million tokens. */
  price: oneOf("", priceSteps),
  sort: sortField,
  /** Ids to compare, in the order they were chosen. */
  compare: idsField,
};

export const filterNames = ["q", "lab", "provider", "can", "context", "price"] as const;

export type ModelView = Address<ValuesOf<typeof modelFields>>;

/** The direction of the first click, the best first: much context, but low prices and short times. */
export function startsDescending(sort: string): boolean {
  return orderOf(sort)?.mostIsBest === true;
}

export function selectModels(models: readonly Model[], get: ModelView["get"]): readonly Model[] {
  const words = get("q").trim().toLowerCase().split(/\s+/).filter(Boolean);
  const [lab, provider, can, priceUsd] = [get("lab"), get("provider"), get("can"), get("price")];
  const shown = models.filter(
    (model) =>
      words.every((word) => searchedTextOf(model).includes(word)) &&
      ["", model.lab].includes(lab) &&
      ["", ...model.providers].includes(provider) &&
      can.every((ability) => isAble(model, ability)) &&
      model.contextTokens >= Number(get("context")) &&
      (priceUsd === "" || compareDecimals(model.prices.inputUsd, priceUsd) <= 0),
  );
  const { column, descending } = get("sort");
  const { figure, compare } = orderOf(column) ?? {};
  if (figure !== undefined) {
    const order = orderBy(figure, byNumber);
    return shown.sort((a, b) => order(a, b, descending));
  }
  if (compare === undefined) return shown;
  return shown.sort((a, b) => (descending ? compare(b, a) : compare(a, b)));
}

function searchedTextOf({ name, id, providers }: Model): string {
  return `${name} ${id} ${providers.join(" ")}`.toLowerCase();
}

export function isAble(model: Model, ability: AbilityId): boolean {
  if (ability === "embeddings") return model.operation === "embeddings";
  if (ability !== "caching") return model.capabilities.includes(ability);
  return compareDecimals(model.prices.cachedInputUsd, model.prices.inputUsd) < 0;
}

/** Models without output, such as those for embeddings, have no output price: zero would read as free. */
export function hasOutput(model: Pick<Model, "operation">): boolean {
  return model.operation === "chat";
}

export function labsOf(models: readonly Model[]): readonly string[] {
  return [...new Set(models.map((model) => model.lab))].sort();
}

export function providersOf(models: readonly Model[]): readonly string[] {
  return [...new Set(models.flatMap((model) => model.providers))].sort();
}
