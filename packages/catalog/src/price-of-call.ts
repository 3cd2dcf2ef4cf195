// Which prices a call can have. A call that asks for a service tier is billed at the tier its answer
// names, but never at more than the tier it asked for; what it writes to a cache is billed as what it may
// write, whatever is reported. So a bill is never at a price that was not held for.
import type { Nanos } from "@turnpike/base";
import { cacheWritesOf } from "@turnpike/providers";
import { findServiceTier, type RequestedTier, type TokenUsage } from "@turnpike/wire";
import { costOf } from "./cost-of.ts";
import { priceOfRoute } from "./find-model.ts";
import type { ModelRequest, PriceVersion, Route } from "./model.ts";

/**
 * Every version the answer can be billed at. The first is that of an answer that names no tier.
 */
export function pricesOfCall(
  matched: ModelRequest,
  route: Route,
): readonly [PriceVersion, ...PriceVersion[]] {
  const listed = priceOfRoute(matched.model, route);
  const tier = tierOf(matched);
  const fit = (price: PriceVersion) => fitCaches(matched, route, price);
  if (tier === undefined || listed.tiers === undefined) return [fit(listed)];
  if (tier === "auto") return [fit(listed), ...Object.values(listed.tiers).map(fit)];
  return [fit(listed.tiers[tier] ?? listed)];
}

/** How much a call is billed, and at which version. */
export type PricedUsage = {
  readonly price: PriceVersion;
  readonly costNanos: Nanos;
  /** Of a call that asks for one: `default` if it was answered like any other. */
  readonly serviceTier: string | undefined;
};

/** The bill of what an answer used. */
export function priceUsage(matched: ModelRequest, route: Route, usage: TokenUsage): PricedUsage {
  const listed = priceOfRoute(matched.model, route);
  const tier = tierOf(matched);
  if (tier === undefined || listed.tiers === undefined) {
    const price = fitCaches(matched, route, listed);
    return { price, costNanos: costOf(price, usage), serviceTier: undefined };
  }
  const answered = atTier(matched, route, answeredTier(tier, usage), usage);
  if (tier === "auto") return answered;
  const wanted = atTier(matched, route, tier, usage);
  return answered.costNanos < wanted.costNanos ? answered : wanted;
}

/** With the rates of caches that the call cannot use set to those it can. */
function fitCaches(matched: ModelRequest, route: Route, price: PriceVersion): PriceVersion {
  if (matched.operation === "embeddings") return price;
  const { inputNanosPerMillion: input, cacheWriteNanosPerMillion: write } = price;
  if (price.cacheWrite1hNanosPerMillion === undefined && write === input) return price;
  const writes = cacheWritesOf(route, matched.request);
  if (writes === "long") return price;
  const cacheWriteNanosPerMillion = writes === "none" ? input : write;
  return { ...price, cacheWriteNanosPerMillion, cacheWrite1hNanosPerMillion: undefined };
}

function tierOf(matched: ModelRequest): RequestedTier | undefined {
  return matched.operation === "chat" ? matched.request.serviceTier : undefined;
}

/** If the answer does not say, it is the one asked for. */
function answeredTier(wanted: RequestedTier, { serviceTier }: TokenUsage): string {
  return serviceTier ?? (wanted === "auto" ? standard : wanted);
}

const standard = "default";

/** A tier without its own price, and one that is not known, cost what the standard one does. */
function atTier(matched: ModelRequest, route: Route, name: string, usage: TokenUsage): PricedUsage {
  const listed = priceOfRoute(matched.model, route);
  const tier = findServiceTier(name);
  const own = tier === undefined ? undefined : listed.tiers?.[tier];
  const price = fitCaches(matched, route, own ?? listed);
  return {
    price,
    costNanos: costOf(price, usage),
    serviceTier: own === undefined ? standard : tier,
  };
}

/** What the operator pays for it, at the tier that answered; undefined if the catalogue does not say. */
export function operatorCost(
  matched: ModelRequest,
  { cost }: Route,
  usage: TokenUsage,
): Nanos | undefined {
  if (cost === undefined) return undefined;
  const wanted = tierOf(matched);
  const tier = wanted === undefined ? undefined : findServiceTier(answeredTier(wanted, usage));
  return costOf((tier === undefined ? undefined : cost.tiers?.[tier]) ?? cost, usage);
}
