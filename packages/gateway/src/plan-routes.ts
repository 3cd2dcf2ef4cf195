// Where a call goes: the routes of its model that its caller allows and that are in working order, in the
// order they are tried. A model with one route and a caller without preferences cost nothing here.
import type { ModelRequest, Route } from "@turnpike/catalog";
import { whyUntranslatable } from "@turnpike/providers";
import type { ParsedRequest } from "@turnpike/wire";
import { preferRoutes } from "./prefer-routes.ts";
import type { RouteHealthBook } from "./route-health-book.ts";

/** The routes of one call, at least one. */
export type RoutePlan = readonly [Route, ...Route[]];

/**
 * Throws `no_endpoints` where the caller excludes every route, `unsupported_parameter` where no provider of
 * the others can be asked all of the request.
 */
export function planRoutes(health: RouteHealthBook, asked: ModelRequest): RoutePlan {
  const { routes } = asked.model;
  const { request } = asked;
  const { routing } = request;
  const allowed = routing === undefined ? routes : preferRoutes(health, asked, routes, routing);
  return keepAble(allowed, request);
}

/** Those whose provider can be asked all of it: a caller of another language may ask for more. */
function keepAble(routes: RoutePlan, request: ParsedRequest): RoutePlan {
  const refusals = routes.map(({ provider }) => whyUntranslatable(provider, request));
  const refusal = refusals.find((found) => found !== undefined);
  if (refusal === undefined) return routes;
  const [first, ...rest] = routes.filter((_, index) => refusals[index] === undefined);
  if (first === undefined) throw refusal;
  return [first, ...rest];
}
