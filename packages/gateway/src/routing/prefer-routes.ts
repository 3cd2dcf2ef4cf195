// How a caller's routing preferences apply to the routes of a model: which are allowed, and in which order.
// What is not known of a route satisfies no preference that asks for it.
import { Fault } from "@turnpike/base";
import {
  type Model,
  type ModelRequest,
  parametersOfRoute,
  priceOfRoute,
  pricesOfCall,
  type Route,
} from "@turnpike/catalog";
import {
  findUnsupportedParameter,
  type MaxPrice,
  type RouteSort,
  type RoutingPreferences,
} from "@turnpike/wire";
import type { RouteHealthBook } from "./route-health.ts";

/** A route that the caller excludes, and the path of the preference that does. */
type Exclusion = { readonly route: Route; readonly by: string };

/** Throws `no_endpoints`, which says what excluded each route, if none is left. */
export function preferRoutes(
  health: RouteHealthBook,
  modelRequest: ModelRequest,
  ranked: readonly Route[],
  preferences: RoutingPreferences,
): Model["routes"] {
  const { model } = modelRequest;
  const exclusions: Exclusion[] = [];
  const allowed: Route[] = [];
  for (const route of ranked) {
    const by = whyExcluded(modelRequest, route, preferences);
    if (by === undefined) allowed.push(route);
    else exclusions.push({ route, by });
  }
  if (preferences.sort !== undefined) sortRoutes(health, model, allowed, preferences.sort);
  const [first, ...others] = putInOrder(allowed, preferences);
  if (first !== undefined) return [first, ...others];
  for (const route of allowed) exclusions.push({ route, by: "provider.order" });
  throw noneLeft(model, exclusions);
}

function whyExcluded(
  modelRequest: ModelRequest,
  route: Route,
  preferences: RoutingPreferences,
): string | undefined {
  const { model, request } = modelRequest;
  const { id } = route.provider;
  const { only, ignore, denyDataCollection, zdr, maxPrice, requireParameters } = preferences;
  if (only.length > 0 && !only.includes(id)) return "provider.only";
  if (ignore.includes(id)) return "provider.ignore";
  if (denyDataCollection && route.dataCollection !== "deny") return "provider.data_collection";
  if (zdr && route.zdr !== true) return "provider.zdr";
  if (maxPrice !== undefined && isMoreExpensive(modelRequest, route, maxPrice))
    return "provider.max_price";
  if (!requireParameters) return undefined;
  const supported = parametersOfRoute(model, route);
  const lacks = findUnsupportedParameter(request.parsed, supported) !== undefined;
  return lacks ? "provider.require_parameters" : undefined;
}

function isMoreExpensive(modelRequest: ModelRequest, route: Route, maxPrice: MaxPrice): boolean {
  const { promptNanosPerMillion: prompt, completionNanosPerMillion: completion } = maxPrice;
  const { audioNanosPerMillion: audio } = maxPrice;
  return pricesOfCall(modelRequest, route).some(
    ({
      inputNanosPerMillion: input,
      outputNanosPerMillion: output,
      audioInputNanosPerMillion: audioIn = 0n,
    }) =>
      (audio !== undefined && audioIn > audio) ||
      (prompt !== undefined && input > prompt) ||
      (completion !== undefined && output > completion),
  );
}

/** Providers of `order` first; the others follow if fallbacks are allowed. */
function putInOrder(
  allowed: readonly Route[],
  { order, allowFallbacks }: RoutingPreferences,
): readonly Route[] {
  if (order.length === 0) return allowFallbacks ? allowed : allowed.slice(0, 1);
  const named = order.flatMap((id) => allowed.filter(({ provider }) => provider.id === id));
  if (!allowFallbacks) return [...new Set(named)];
  return [...new Set([...named, ...allowed])];
}

/** In place, stable. A route that has not been measured comes last. */
export function sortRoutes(
  health: RouteHealthBook,
  model: Model,
  routes: Route[],
  sort: RouteSort,
): void {
  if (sort === "price") {
    routes.sort((a, b) => comparePrices(priceSum(model, a), priceSum(model, b)));
    return;
  }
  const rank = (route: Route): number => {
    const { firstByteMs, tokensPerSecond } = health.of(route);
    if (sort === "latency") return firstByteMs ?? Number.POSITIVE_INFINITY;
    return tokensPerSecond === undefined ? Number.POSITIVE_INFINITY : 1 / tokensPerSecond;
  };
  routes.sort((a, b) => compareNumbers(rank(a), rank(b)));
}

/** Input and output count equally, as at OpenRouter. */
function priceSum(model: Model, route: Route): bigint {
  const { inputNanosPerMillion, outputNanosPerMillion } = priceOfRoute(model, route);
  return inputNanosPerMillion + outputNanosPerMillion;
}

function comparePrices(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Infinity minus infinity would be NaN. */
function compareNumbers(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function noneLeft(model: Model, exclusions: readonly Exclusion[]): Fault {
  const [param = "provider", ...others] = new Set(exclusions.map(({ by }) => by));
  const reasons = exclusions.map(({ route, by }) => `${route.provider.id} by \`${by}\``);
  return new Fault(
    "no_endpoints",
    `No provider of \`${model.id}\` satisfies this request: excluded: ${[...new Set(reasons)].join(", ")}.`,
    {
      param: others.length === 0 ? param : "provider",
      metadata: {
        excluded: exclusions.map(({ route, by }) => ({ provider: route.provider.id, by })),
      },
    },
  );
}
