// Where a call goes: the routes of its model that its caller allows and that are in working order, in the order they
// are tried. A model with one route and a caller without preferences cost nothing here. What is nearly always known at
// once is no promise: an async function takes six heap cells (decision 16).
import { type AccountId, Fault } from "@turnpike/base";
import {
  assertPromptFits,
  type CountCaller,
  findUnpriced,
  type Model,
  type ModelRequest,
  priceOfRoute,
  type Route,
  whyUnpricedImage,
  whyUntimed,
} from "@turnpike/catalog";
import type { Guardrails } from "@turnpike/keys";
import { whyUntranslatable } from "@turnpike/providers";
import {
  noPreferences,
  type ParsedRequest,
  type RouteSort,
  type RoutingPreferences,
} from "@turnpike/wire";
import { filterByGuardrails } from "./filter-by-guardrails.ts";
import { preferRoutes } from "./prefer-routes.ts";
import type { RouteHealthBook } from "./route-health.ts";
import { shareTiers } from "./share-tiers.ts";

/** The routes of one model for one call, at least one. */
export type ModelRoutes = {
  readonly modelRequest: ModelRequest;
  readonly routes: readonly [Route, ...Route[]];
};

/** The routes of a model, and of those that follow where it fails: the caller's other models. */
export type RoutePlan = ModelRoutes & { readonly fallbacks: readonly ModelRoutes[] };

/** The plan that begins with the first of these models; undefined without one. */
export function planOf([first, ...fallbacks]: readonly ModelRoutes[]): RoutePlan | undefined {
  return first && { modelRequest: first.modelRequest, routes: first.routes, fallbacks };
}

/** One place a call may go to. */
export type Candidate = { readonly modelRequest: ModelRequest; readonly route: Route };

export type PlanOptions = {
  readonly health: RouteHealthBook;
  readonly accountId: AccountId;
  /** From the caller's key or account: keeps its prompts on one route among equals. */
  readonly callerId: string;
  /** What the suffix of the model's name selects; the caller's own `sort` takes precedence. */
  readonly sort: RouteSort | undefined;
  readonly guardrails?: Guardrails | undefined;
  /** False where nothing will be called: then it does not matter which routes work. */
  readonly willCall: boolean;
  /** `performance.now()`. */
  readonly nowMs: number;
};

/**
 * Throws `guardrail_blocked` if guardrails exclude every route, `no_endpoints` if the caller excludes every route, `unsupported_parameter` if no route has a
 * price for everything in the request or no provider of the others supports all of it, and
 * `upstream_overloaded` if none of these works now.
 */
export function planRoutes(
  modelRequest: ModelRequest,
  options: PlanOptions,
): ModelRoutes["routes"] {
  const { model, request } = modelRequest;
  const { health } = options;
  let routes = filterByOffer(modelRequest);
  const { guardrails } = options;
  if (guardrails?.rulesRoutes === true)
    routes = filterByGuardrails(modelRequest, routes, guardrails);
  if (routes.length > 1) routes = shareTiers(modelRequest, routes, options.callerId);
  const preferences = withSort(request.routing, options.sort);
  if (preferences !== undefined) routes = preferRoutes(health, modelRequest, routes, preferences);
  const able = filterByAbility(routes, request);
  return options.willCall ? filterByHealth(options, model, able) : able;
}

/** Those that have, and have a price for, everything the request asks for. */
function filterByOffer(modelRequest: ModelRequest): ModelRoutes["routes"] {
  const { model } = modelRequest;
  if (modelRequest.operation === "transcription") {
    return filterByFault(model.routes, (route) => whyUntimed(modelRequest, route));
  }
  if (modelRequest.operation === "image") {
    return filterByFault(model.routes, (route) =>
      whyUnpricedImage(modelRequest, priceOfRoute(model, route)),
    );
  }
  if (modelRequest.operation !== "chat" || modelRequest.request.priceChanging.length === 0)
    return model.routes;
  return filterByFault(model.routes, (route) => {
    const param = findUnpriced(modelRequest, route);
    return param === undefined ? undefined : unpricedFault(model.id, param);
  });
}

function unpricedFault(model: string, param: string): Fault {
  return new Fault(
    "unsupported_parameter",
    `Unsupported parameter: '${param}' changes what a call does or costs, and \`${model}\` has no price for it. Remove it from the request.`,
    { param },
  );
}

/** Those whose provider supports all of it: a caller of another language may ask for more. */
function filterByAbility(
  routes: ModelRoutes["routes"],
  request: ParsedRequest,
): ModelRoutes["routes"] {
  return filterByFault(routes, (route) => whyUntranslatable(route, request));
}

/** The routes for which `find` returns no Fault; throws the Fault of the first route if no route is left. */
function filterByFault(
  routes: ModelRoutes["routes"],
  find: (route: Route) => Fault | undefined,
): ModelRoutes["routes"] {
  let refused: Fault | undefined;
  let able: Route[] | undefined;
  for (let index = 0; index < routes.length; index += 1) {
    const route = routes[index];
    if (route === undefined) continue;
    const fault = find(route);
    if (fault === undefined) able?.push(route);
    else {
      able ??= routes.slice(0, index);
      refused ??= fault;
    }
  }
  if (able === undefined || refused === undefined) return routes;
  const [first, ...others] = able;
  if (first === undefined) throw refused;
  return [first, ...others];
}

function withSort(
  routing: RoutingPreferences | undefined,
  sort: RouteSort | undefined,
): RoutingPreferences | undefined {
  if (sort === undefined || routing?.sort !== undefined) return routing;
  return { ...(routing ?? noPreferences), sort };
}

/** What decides whether a route may be called now. */
export type RouteCaller = Pick<PlanOptions, "health" | "accountId" | "nowMs">;

/** Omits what is known to fail; a route that asked for a pause comes last. */
function filterByHealth(
  caller: RouteCaller,
  model: Model,
  routes: ModelRoutes["routes"],
): ModelRoutes["routes"] {
  for (const route of routes) {
    if (!caller.health.of(route).isReady(caller.accountId, caller.nowMs)) {
      return findWorking(caller, model, routes);
    }
  }
  return routes;
}

function findWorking(
  caller: RouteCaller,
  model: Model,
  routes: ModelRoutes["routes"],
): ModelRoutes["routes"] {
  const { health, accountId, nowMs } = caller;
  const works = (route: Route) => health.of(route).reasonToSkip(accountId, nowMs) === undefined;
  const paused = (route: Route) => health.of(route).isPaused(nowMs);
  const working = routes.filter(works);
  const [first, ...others] = [
    ...working.filter((route) => !paused(route)),
    ...working.filter(paused),
  ];
  if (first === undefined) throw noneWorks(caller, model, routes);
  return [first, ...others];
}

/** The 503 for a call that no route can take now. */
export function noneWorks(
  { health, accountId, nowMs }: RouteCaller,
  model: Model,
  routes: readonly Route[],
): Fault {
  let waitMs = Number.POSITIVE_INFINITY;
  for (const route of routes) waitMs = Math.min(waitMs, health.of(route).waitMs(accountId, nowMs));
  const retryAfterMs = Math.min(Math.max(Math.ceil(waitMs), 1_000), 60_000);
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return new Fault(
    "upstream_overloaded",
    `No provider of \`${model.id}\` can take this request now: each is failing or at its concurrency limit. Please try again in ${seconds}s.`,
    { retryAfterMs },
  );
}

/**
 * The models of a plan that can read the whole prompt. Waits only for prompts that have to be counted, in
 * proportion to their length. Rejects with
 * `context_length_exceeded` for the first model if the prompt is too long for all of them.
 */
export function filterByContext(
  plan: RoutePlan,
  caller: CountCaller,
): RoutePlan | Promise<RoutePlan> {
  if (plan.fallbacks.length > 0) return filterModelsByContext(plan, caller);
  const counting = assertPromptFits(plan.modelRequest, caller);
  return counting === undefined ? plan : counting.then(() => plan);
}

async function filterModelsByContext(plan: RoutePlan, caller: CountCaller): Promise<RoutePlan> {
  const fitting: ModelRoutes[] = [];
  let refused: Fault | undefined;
  for (const { modelRequest, routes } of [plan, ...plan.fallbacks]) {
    try {
      await assertPromptFits(modelRequest, caller);
      fitting.push({ modelRequest, routes });
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      refused ??= thrown;
    }
  }
  const kept = planOf(fitting);
  if (kept !== undefined) return kept;
  throw refused ?? new Error("a plan without a model");
}
