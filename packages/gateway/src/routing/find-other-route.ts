// Where a call may go after the route it is on: the next one that was not tried and works, of a model that has not
// refused the request.
import type { Model, Route } from "@turnpike/catalog";
import type { ParsedRequest } from "@turnpike/wire";
import type { Completion } from "../completion.ts";
import type { Gateway } from "../gateway.ts";
import type { Candidate, RoutePlan } from "./plan-routes.ts";

/** What a call has behind it. */
export type Tried = {
  readonly routes: ReadonlySet<Route>;
  /** What refused the request itself: their other routes would refuse it, too. */
  readonly refusedBy: ReadonlySet<Model>;
};

/**
 * Without `tried` it is on its first route. While an attempt `isRunning`, only a route that nothing prevents is worth giving
 * it up for; after a failure, one that asked for a pause may be tried, too.
 */
export function findOtherRoute<Request extends ParsedRequest>(
  { routeHealth }: Pick<Gateway, "routeHealth">,
  { call, route: current }: Completion<Request>,
  plan: RoutePlan,
  {
    tried = undefined,
    isRunning,
  }: { readonly tried?: Tried | undefined; readonly isRunning: boolean },
): Candidate | undefined {
  const nowMs = performance.now();
  const { accountId } = call.principal;
  const { routes: triedRoutes, refusedBy } = tried ?? {
    routes: new Set([current]),
    refusedBy: new Set<Model>(),
  };
  for (const { modelRequest, routes } of [plan, ...plan.fallbacks]) {
    if (refusedBy.has(modelRequest.model)) continue;
    for (const route of routes) {
      if (triedRoutes.has(route)) continue;
      const health = routeHealth.of(route);
      if (health.reasonToSkip(accountId, nowMs) !== undefined) continue;
      if (isRunning && health.isPaused(nowMs)) continue;
      return { modelRequest, route };
    }
  }
  return undefined;
}
