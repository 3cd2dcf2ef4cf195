// The health of every route by provider and upstream model, so that a reload of the catalogue forgets nothing
// and two models on the same deployment learn from each other.
import type { Route } from "@turnpike/catalog";
import { RouteHealth, type RouteLimits, routeLimits } from "./route-health.ts";

export class RouteHealthBook {
  /** What a call looks up; a reload makes new routes, which find their health by name. */
  readonly #byRoute = new WeakMap<Route, RouteHealth>();
  readonly #byName = new Map<string, RouteHealth>();
  readonly #limits: RouteLimits;
  #onChange: (health: RouteHealth) => void = () => undefined;

  constructor(limits: Partial<RouteLimits> = {}) {
    this.#limits = { ...routeLimits, ...limits };
  }

  /** `onChange` is called when a route becomes better or worse. */
  watch(onChange: (health: RouteHealth) => void): void {
    this.#onChange = onChange;
  }

  of(route: Route): RouteHealth {
    let health = this.#byRoute.get(route);
    if (health === undefined) {
      health = this.find(route.provider.id, route.upstreamModel);
      health.maxConcurrent = route.maxConcurrent ?? this.#limits.maxConcurrent;
      this.#byRoute.set(route, health);
    }
    return health;
  }

  find(provider: string, upstreamModel: string): RouteHealth {
    const name = `${provider} ${upstreamModel}`;
    let health = this.#byName.get(name);
    if (health === undefined) {
      health = new RouteHealth(
        { provider, upstreamModel },
        (changed) => this.#onChange(changed),
        this.#limits,
      );
      this.#byName.set(name, health);
    }
    return health;
  }

  all(): Iterable<RouteHealth> {
    return this.#byName.values();
  }
}
