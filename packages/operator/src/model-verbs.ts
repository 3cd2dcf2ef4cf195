// What an operator asks about the models of this installation, and switches off and on.
import {
  type CatalogFile,
  isEverything,
  isRouteOff,
  querySwitches,
  type Switch,
} from "@turnpike/catalog";
import { type Db, routeHealth } from "@turnpike/db";
import { stateRates } from "@turnpike/terms";
import { isBelowCost } from "./is-below-cost.ts";
import { modelSwitchVerbs, presentSwitch } from "./switch-verbs.ts";
import { everyone, query } from "./verb.ts";

type Entry = CatalogFile["models"][number];
type RouteEntry = Entry["routes"][number];

export const modelVerbs = {
  list: query({
    roles: everyone,
    summary: "every model with its routes: offered or not and why, health, price and cost",
    input: {},
    run: ({ db, catalogFiles }) => listModels(db, catalogFiles.current()),
  }),
  ...modelSwitchVerbs,
};

/** Offered or not and why, and how each of its routes is doing. */
async function listModels(db: Db, file: CatalogFile) {
  const switches = await querySwitches(db);
  const health = await queryHealth(db);
  return {
    version: file.version,
    models: file.models.map((model) => presentModel(model, switches, health)),
    hidden: file.hidden,
    hiddenRoutes: file.hiddenRoutes,
    switchedOff: switches.map(presentSwitch),
  };
}

type Health = Awaited<ReturnType<typeof queryHealth>>;

function presentModel(model: Entry, switches: readonly Switch[], health: Health) {
  const routes = model.routes.map((route) => presentRoute(model, route, switches, health));
  return {
    id: model.id,
    name: model.name,
    operation: model.operation,
    isOffered: routes.some(({ isOff }) => !isOff),
    routes,
  };
}

function presentRoute(
  model: Entry,
  route: RouteEntry,
  switches: readonly Switch[],
  health: Health,
) {
  const isOff = switches.some((one) => !isEverything(one) && isRouteOff(one, model.id, route));
  const names = { provider: route.provider.id, upstreamModel: route.upstreamModel };
  const price = route.rates ?? model.rates;
  return {
    ...names,
    tier: route.tier ?? 0,
    isOff,
    ...(health.get(keyOf(names)) ?? unknownHealth),
    price: stateRates(price),
    cost: route.cost === undefined ? null : stateRates(route.cost),
    isBelowCost: route.cost !== undefined && isBelowCost(price, route.cost),
  };
}

const unknownHealth = {
  isBroken: false,
  credentialsRefused: false,
  modelRefused: false,
  firstByteMs: null,
  tokensPerSecond: null,
  knownAt: null,
} as const;

/** As an instance stored it last: at each change for the worse or better, and once a minute. */
async function queryHealth(db: Db) {
  const rows = await db
    .select({
      provider: routeHealth.provider,
      upstreamModel: routeHealth.upstreamModel,
      openUntil: routeHealth.openUntil,
      credentialsRefused: routeHealth.credentialsRefused,
      modelRefused: routeHealth.modelRefused,
      firstByteMs: routeHealth.firstByteMs,
      tokensPerSecond: routeHealth.tokensPerSecond,
      updatedAt: routeHealth.updatedAt,
    })
    .from(routeHealth);
  return new Map(
    rows.map(({ openUntil, updatedAt, provider, upstreamModel, ...figures }) => [
      keyOf({ provider, upstreamModel }),
      { ...figures, isBroken: openUntil !== null, knownAt: updatedAt.toISOString() },
    ]),
  );
}

function keyOf(route: { readonly provider: string; readonly upstreamModel: string }): string {
  return `${route.provider} ${route.upstreamModel}`;
}
