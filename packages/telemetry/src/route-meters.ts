// How routes are doing, read from their own state at each scrape, and the further attempts of calls. The
// names come from the catalog, so the number of series is bounded.
import { Counter, Gauge, type Registry } from "prom-client";

export type RouteFigures = {
  readonly provider: string;
  readonly upstreamModel: string;
  readonly isOpen: boolean;
  readonly refused: "account" | "model" | undefined;
  readonly running: number;
  /** Undefined before the first complete answer. */
  readonly tokensPerSecond: number | undefined;
};

/** Why a call was tried again: elsewhere, with another model, on a new connection, or after a pause. */
export type RetryReason = "route" | "model" | "reset" | "pause";

export type RouteMeters = {
  countRetry(reason: RetryReason): void;
  /** `read` is called at each scrape. */
  watchRoutes(read: () => Iterable<RouteFigures>): void;
};

export function createRouteMeters(registry: Registry): RouteMeters {
  const registers = [registry];
  let readRoutes: () => Iterable<RouteFigures> = () => [];
  const retries = new Counter({
    name: "turnpike_upstream_retries_total",
    help: "Further attempts of calls after one failed, by reason: route, model, reset, pause.",
    labelNames: ["reason"] as const,
    registers,
  });
  const gauge = (name: string, help: string, figure: (route: RouteFigures) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ["provider", "route"] as const,
      registers,
      collect() {
        for (const route of readRoutes()) {
          const value = figure(route);
          if (value === undefined) continue;
          this.set({ provider: route.provider, route: route.upstreamModel }, value);
        }
      },
    });
  gauge(
    "turnpike_route_in_flight",
    "Calls that a route is currently answering.",
    (route) => route.running,
  );
  gauge("turnpike_route_breaker_open", "1 while a failing route is not called.", (route) =>
    Number(route.isOpen),
  );
  gauge(
    "turnpike_route_credentials_refused",
    "1 after a provider refused this gateway's credentials three times in a row.",
    (route) => Number(route.refused === "account"),
  );
  gauge(
    "turnpike_route_model_refused",
    "1 after a provider said three times in a row that it does not serve a route's model.",
    (route) => Number(route.refused === "model"),
  );
  gauge(
    "turnpike_route_tokens_per_second",
    "How fast a route wrote its last complete streams: a moving average.",
    (route) => route.tokensPerSecond,
  );
  return {
    countRetry: (reason) => retries.labels({ reason }).inc(),
    watchRoutes(read) {
      readRoutes = read;
    },
  };
}
