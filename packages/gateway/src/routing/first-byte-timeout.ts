// How long an attempt waits for the first byte of its answer before it is given up: what the catalog says of the
// route, else a default that leaves time for another route. The table is the published one of docs/routing.md.
import type { Model, Route } from "@turnpike/catalog";
import type { ParsedRequest } from "@turnpike/wire";
import type { Completion } from "../completion.ts";
import type { Gateway } from "../gateway.ts";

/** Undefined if the catalog does not say. */
export function statedTimeoutMs(
  { firstByteTimeouts }: Route,
  streamed: boolean,
): number | undefined {
  return streamed ? firstByteTimeouts?.stream : firstByteTimeouts?.whole;
}

/** How much longer than the longest known one a whole answer may take. */
const patience = 2;

/** Infinite where only the limits of every call count. */
export function firstByteTimeoutMs(
  { times, routeHealth }: Pick<Gateway, "times" | "routeHealth">,
  { id, capabilities, operation }: Pick<Model, "id" | "capabilities" | "operation">,
  route: Route,
  streamed: boolean,
): number {
  const statedMs = statedTimeoutMs(route, streamed);
  if (statedMs !== undefined) return statedMs;
  // It may think for minutes, and a second route would have to begin again.
  if (capabilities.includes("reasoning")) return Number.POSITIVE_INFINITY;
  // An image takes minutes, too, and is paid for twice if two routes make it.
  if (operation === "image") return Number.POSITIVE_INFINITY;
  if (streamed) return times.giveUpStreamMs;
  return Math.max(times.giveUpWholeMs, patience * routeHealth.wholeWaits.of(id, performance.now()));
}

/**
 * Whether the attempt that began at `startedAtMs` and has not begun to answer in time is given up. Where another route
 * may be tried, as soon as the retry budget has room to spare: until then this one still has a chance. Where there is
 * none, only if the catalog says how long it may take.
 */
export function mayGiveUp<Request extends ParsedRequest>(
  gateway: Gateway,
  completion: Completion<Request>,
  startedAtMs: number,
  hasNext: () => boolean,
): boolean {
  const { call, request, route, upstream } = completion;
  const isStated = statedTimeoutMs(route, request.stream) !== undefined;
  if (!completion.mayGoElsewhere || !hasNext()) return isStated;
  // One that answers others is not silent: a whole answer may be long.
  const health = gateway.routeHealth.of(route);
  if (!isStated && !request.stream && health.hasAnsweredSince(startedAtMs)) return false;
  return upstream.reserveRetry(gateway.retryBudget, call.principal.accountId);
}
