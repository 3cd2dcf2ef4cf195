// Shares the calls of a model among the routes of one tier, so that related calls go to the same
// route while it works and find their prompt in the provider's cache. Rendezvous hashing: nothing is
// remembered, every instance chooses the same route, and if a route fails only its own callers move.
import type { ModelRequest, Route } from "@turnpike/catalog";
import { conversationOf } from "@turnpike/wire";

type Routes = readonly [Route, ...Route[]];

/** The routes, each tier in the order of this caller's conversation. */
export function shareTiers(modelRequest: ModelRequest, routes: Routes, callerId: string): Routes {
  if (!hasEquals(routes)) return routes;
  const key = `${callerId} ${conversationOf(modelRequest.request)}`;
  const weights = new Map(routes.map((route) => [route, weigh(key, route)]));
  const weightOf = (route: Route) => weights.get(route) ?? 0;
  const [first, ...others] = routes.toSorted(
    (a, b) => tierOf(a) - tierOf(b) || weightOf(b) - weightOf(a),
  );
  return first === undefined ? routes : [first, ...others];
}

/** Routes are sorted by tier. */
function hasEquals(routes: Routes): boolean {
  return routes.some((route, index) => {
    const next = routes[index + 1];
    return next !== undefined && tierOf(next) === tierOf(route);
  });
}

function tierOf({ tier = 0 }: Route): number {
  return tier;
}

function weigh(key: string, { provider, upstreamModel }: Route): number {
  return Number(BigInt.asUintN(52, BigInt(Bun.hash(`${key} ${provider.id} ${upstreamModel}`))));
}
