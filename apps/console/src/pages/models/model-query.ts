// Which models are shown, in which order: what the address says, so that a link, a reload and Back
// show the same list.
import { compareDecimals, type Operation, operations, operationTable } from "@turnpike/terms";
import type { Answers } from "../../lib/api.ts";
import { byNumber, type Order, orderBy } from "../../lib/sort-rows.ts";
import {
  type Address,
  type Field,
  oneOf,
  someOf,
  text,
  type ValuesOf,
} from "../../lib/use-address.ts";
import { inputPriceOf, outputPriceOf, type Priced } from "../../product/prices/shown-prices.ts";
import {
  Braces,
  Brain,
  Eye,
  FileText,
  Headset,
  History,
  ListIcon,
  MessageSquare,
  Monitor,
  ScrollText,
  ShieldCheck,
  Waypoints,
  Wrench,
} from "../../ui/icons.ts";
import type { Sort } from "../../ui/tables/table.tsx";
import { idsField } from "./compared-ids.ts";

export type Model = Answers["models"]["list"][number];

/** What a model can do besides its operation. */
export const features = [
  { id: "tools", name: "Tools", icon: Wrench },
  { id: "vision", name: "Vision", icon: Eye },
  { id: "json_schema", name: "JSON schema", icon: Braces },
  { id: "reasoning", name: "Reasoning", icon: Brain },
  { id: "files", name: "Files", icon: FileText },
  { id: "caching", name: "Caching", icon: History },
] as const;

const operationIcons = {
  chat: MessageSquare,
  embeddings: Waypoints,
  image: Monitor,
  speech: Headset,
  transcription: ScrollText,
  rerank: ListIcon,
  moderation: ShieldCheck,
} as const satisfies Record<Operation, unknown>;

/** What a model can do. */
export const abilities = [
  ...features,
  ...operations.map((id) => {
    return { id, name: operationTable[id].label, icon: operationIcons[id] };
  }),
];
export type Ability = (typeof abilities)[number];
export type AbilityId = Ability["id"];

type ModelOrder = {
  readonly id: string;
  readonly name: string;
  /** The best is the most: it comes first at the first click. */
  readonly mostIsBest?: true;
  readonly figure?: (model: Model) => number | null;
  readonly compare?: (a: Model, b: Model) => number;
  readonly order?: Order<Model>;
};

export const modelSorts = [
  { id: "catalog", name: "Recommended" },
  { id: "name", name: "Name", compare: (a, b) => a.name.localeCompare(b.name) },
  { id: "input", name: "Input price", order: byPrice(inputPriceOf) },
  { id: "output", name: "Output price", order: byPrice(outputPriceOf) },
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

function byPrice(priceOf: (of: Priced) => string | undefined) {
  return orderBy((model: Model) => priceOf(model) ?? null, compareDecimals);
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
      (priceUsd === "" || costsAtMost(model, priceUsd)),
  );
  const { column, descending } = get("sort");
  const { figure, compare, order: own } = orderOf(column) ?? {};
  const order = figure === undefined ? own : orderBy(figure, byNumber);
  if (order !== undefined) return shown.sort((a, b) => order(a, b, descending));
  if (compare === undefined) return shown;
  return shown.sort((a, b) => (descending ? compare(b, a) : compare(a, b)));
}

function searchedTextOf({ name, id, providers }: Model): string {
  return `${name} ${id} ${providers.join(" ")}`.toLowerCase();
}

/** Of its input. A model whose input is not billed by the token costs something else. */
function costsAtMost(model: Model, priceUsd: string): boolean {
  const usd = inputPriceOf(model);
  return usd !== undefined && compareDecimals(usd, priceUsd) <= 0;
}

export function isAble(model: Model, ability: AbilityId): boolean {
  if (isOperation(ability)) return model.operation === ability;
  if (ability !== "caching") return model.capabilities.includes(ability);
  return compareDecimals(model.prices.cachedInputUsd, model.prices.inputUsd) < 0;
}

function isOperation(ability: AbilityId): ability is Operation {
  return ability in operationTable;
}

/** Those to choose from: of the operations only what some model is for, and none where all are for the same. */
export function offeredAbilities(models: readonly Model[]): readonly Ability[] {
  const offered = new Set(models.map(({ operation }) => operation));
  return abilities.filter(({ id }) => !isOperation(id) || (offered.has(id) && offered.size > 1));
}

/** What is said of a model; chat goes without saying. */
export function abilitiesOf(model: Model): readonly Ability[] {
  return abilities.filter(({ id }) => id !== "chat" && isAble(model, id));
}

export function labsOf(models: readonly Model[]): readonly string[] {
  return [...new Set(models.map((model) => model.lab))].sort();
}

export function providersOf(models: readonly Model[]): readonly string[] {
  return [...new Set(models.flatMap((model) => model.providers))].sort();
}
