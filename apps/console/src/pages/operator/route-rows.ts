// The routes of all models as the desk lists them: searched, narrowed by state and provider, and sorted.
import { compareDecimals } from "@turnpike/terms";
import type { Answers } from "../../lib/api.ts";
import { byNumber, type Order, orderBy, sortRows } from "../../lib/sort-rows.ts";
import { inputPriceOf } from "../../product/prices/shown-prices.ts";
import type { Sort } from "../../ui/tables/table-row.tsx";

type Listed = Answers["operator"]["model"]["list"];
type Model = Listed["models"][number];
export type Figures = Answers["operator"]["money"]["report"]["rows"][number];
export type RouteRow = Model["routes"][number] & {
  readonly model: string;
  readonly operation: Model["operation"];
  readonly figures: Figures | undefined;
};

export const stateNames = {
  offered: "Offered",
  off: "Switched off",
  unserved: "Not served",
  refused: "Key refused",
  failing: "Failing, not called",
  loss: "Below cost",
} as const;
export type RouteState = keyof typeof stateNames;

/** What is narrowed by: a route that sells below cost is also in one of the other states. */
export function statesOf(row: RouteRow): readonly RouteState[] {
  const { isOff, isBroken, credentialsRefused, modelRefused, isBelowCost } = row;
  const states: RouteState[] = [];
  if (isOff) states.push("off");
  else if (modelRefused) states.push("unserved");
  else if (credentialsRefused) states.push("refused");
  else if (isBroken) states.push("failing");
  else states.push("offered");
  if (isBelowCost) states.push("loss");
  return states;
}

export function errorShareOf({ figures }: RouteRow): number | null {
  return figures === undefined || figures.calls === 0 ? null : figures.failedCalls / figures.calls;
}

const byName = (a: string, b: string) => a.localeCompare(b, "en", { numeric: true });

export const routeOrders: Readonly<Record<string, Order<RouteRow>>> = {
  model: orderBy(({ model }) => model, byName),
  route: orderBy(({ provider, upstreamModel }) => `${provider} ${upstreamModel}`, byName),
  errors: orderBy(errorShareOf, byNumber),
  first: orderBy(({ figures }) => figures?.firstByteMs?.p50 ?? null, byNumber),
  speed: orderBy(({ tokensPerSecond }) => tokensPerSecond, byNumber),
  price: orderBy(
    ({ operation, price }) => inputPriceOf({ operation, prices: price }) ?? null,
    compareDecimals,
  ),
  margin: orderBy(({ figures }) => figures?.marginPercent ?? null, byNumber),
};

export type RouteFilter = {
  readonly q: string;
  readonly state: RouteState | "";
  readonly provider: string;
  readonly sort: Sort;
};

export function narrowRoutes(
  rows: readonly RouteRow[],
  { q, state, provider, sort }: RouteFilter,
): readonly RouteRow[] {
  const words = q.trim().toLowerCase().split(/\s+/);
  const found = rows.filter((row) => {
    const text = `${row.model} ${row.provider} ${row.upstreamModel}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (state === "" || statesOf(row).includes(state)) &&
      (provider === "" || row.provider === provider)
    );
  });
  return sortRows(found, routeOrders, sort);
}
