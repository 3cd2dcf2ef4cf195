// Where a call goes: the routes of its model that its caller allows and that are in working order, in the
// order they are tried. A model with one route and a caller without preferences cost nothing here.
import type { ModelRequest, Route } from "@turnpike/catalog";
import { preferRoutes } from "./prefer-routes.ts";
import type { RouteHealthBook } from "./route-health-book.ts";

/** The routes of one call, at least one. */
export type RoutePlan = readonly [Route, ...Route[]];

/** Throws `no_endpoints` where the caller excludes every route. */
export function planRoutes(health: RouteHealthBook, asked: ModelRequest): RoutePlan {
  const { routes } = asked.model;
  const { routing } = asked.request;
  return routing === undefined ? routes : preferRoutes(health, asked, routes, routing);
}
