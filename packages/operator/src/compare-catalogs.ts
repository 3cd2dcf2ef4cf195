// What a catalog would change if it replaced another one: models, prices, routes, and what would be sold below cost.
import { formatUsd, toNanos } from "@turnpike/base";
import type { CatalogFile } from "@turnpike/catalog";
import { isBelowCost } from "./is-below-cost.ts";

type Entry = CatalogFile["models"][number];

export type CatalogChanges = {
  readonly version: string | null;
  readonly unknownFields: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly repriced: readonly {
    readonly model: string;
    readonly from: string;
    readonly to: string;
  }[];
  readonly rerouted: readonly {
    readonly model: string;
    readonly from: string;
    readonly to: string;
  }[];
  /** Routes on which some kind of token is sold for less than it costs. */
  readonly belowCost: readonly string[];
  readonly hidden: CatalogFile["hidden"];
};

export const noChanges: CatalogChanges = {
  version: null,
  unknownFields: [],
  added: [],
  removed: [],
  repriced: [],
  rerouted: [],
  belowCost: [],
  hidden: [],
};

export function compareCatalogs(before: CatalogFile, after: CatalogFile): CatalogChanges {
  const old = new Map(before.models.map((model) => [model.id, model]));
  const now = new Map(after.models.map((model) => [model.id, model]));
  const changed = (describe: (model: Entry) => string) =>
    after.models.flatMap((model) => {
      const known = old.get(model.id);
      if (known === undefined || describe(known) === describe(model)) return [];
      return [{ model: model.id, from: describe(known), to: describe(model) }];
    });
  return {
    version: after.version,
    unknownFields: after.unknownFields,
    added: [...now.keys()].filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !now.has(id)),
    repriced: changed(describePrices),
    rerouted: changed(describeRoutes),
    belowCost: after.models.flatMap(findBelowCost),
    hidden: after.hidden,
  };
}

/** Every rate of the model and of its routes: a change of any of them is a change. */
function describePrices({ rates, routes }: Entry): string {
  const lists = [rates, ...routes.map((route) => route.rates)];
  return JSON.stringify(lists, (_, value: unknown) =>
    typeof value === "bigint" ? formatUsd(toNanos(value)) : value,
  );
}

function describeRoutes({ routes }: Entry): string {
  return routes.map(({ provider, upstreamModel }) => `${provider.id} ${upstreamModel}`).join(", ");
}

function findBelowCost({ id, rates, routes }: Entry): string[] {
  return routes.flatMap((route) =>
    route.cost !== undefined && isBelowCost(route.rates ?? rates, route.cost)
      ? [`${id} at ${route.provider.id}`]
      : [],
  );
}
