// For tests of a route's breaker: a route, attempts at it, and accounts that make them.
import { type AccountId, newId } from "@turnpike/base";
import { RouteHealth } from "./route-health.ts";

export const one = newId<AccountId>();
export const other = newId<AccountId>();
export const third = newId<AccountId>();
export const names = { provider: "p", upstreamModel: "m" };

export function open() {
  const changes: boolean[] = [];
  const health: RouteHealth = new RouteHealth(names, (changed) => changes.push(changed.isOpen));
  return { health, changes };
}

/** One whole attempt at `nowMs`; false if the route takes none. */
export function attempt(
  health: RouteHealth,
  nowMs: number,
  failure?: Parameters<RouteHealth["failed"]>[0],
  account = one,
) {
  if (health.reasonToSkip(account, nowMs) !== undefined) return false;
  const trial = health.enter(account, nowMs);
  if (failure === undefined) health.succeeded(account, nowMs, 10);
  else health.failed(failure, account, nowMs, trial);
  health.leave(trial);
  return true;
}
