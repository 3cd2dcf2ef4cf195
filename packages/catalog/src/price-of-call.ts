// Which prices a call can have. A call that asks for a service tier is billed at the tier its answer
// names, but never at more than the tier it asked for; what it writes to a cache is billed as what it may
// write, whatever is reported; and a long prompt may cost more. So a bill is never at a price that was not held for.
import { cacheWritesOf } from "@turnpike/providers";
import { costOf, type Nanos, ratesFor } from "@turnpike/terms";
import { findServiceTier, type RequestedTier, type TokenUsage } from "@turnpike/wire";
import { agreedPrice } from "./agreed-price.ts";
import { boundPrompt } from "./bound-prompt.ts";
import type { ModelRequest, PriceVersion, Route } from "./model.ts";

/**
 * Every version the answer can be billed at, if its prompt has at most `promptTokens`. The first is that of a
 * short prompt and of an answer that names no tier.
 */
export function pricesOfCall(
  modelRequest: ModelRequest,
  route: Route,
  promptTokens = boundPrompt(modelRequest),
): readonly [PriceVersion, ...PriceVersion[]] {
  const listed = agreedPrice(modelRequest, route);
  const tier = tierOf(modelRequest);
  if (listed.longPrompts === undefined && (tier === undefined || listed.tiers === undefined)) {
    return onlyPrice(fitCaches(modelRequest, route, listed));
  }
  const first = tier === undefined || tier === "auto" ? listed : (listed.tiers?.[tier] ?? listed);
  const others = tier === "auto" ? Object.values(listed.tiers ?? {}) : [];
  const long: PriceVersion[] = [first, ...others].flatMap(({ longPrompts = [] }) =>
    longPrompts.filter(({ aboveTokens }) => aboveTokens < promptTokens),
  );
  const fit = (price: PriceVersion) => fitCaches(modelRequest, route, price);
  return [fit(first), ...others.map(fit), ...long.map(fit)];
}

/** Lists of one price: most calls of a model have the same. */
const onlyPrices = new WeakMap<PriceVersion, readonly [PriceVersion]>();

function onlyPrice(price: PriceVersion): readonly [PriceVersion] {
  let list = onlyPrices.get(price);
  if (list === undefined) {
    list = [price];
    onlyPrices.set(price, list);
  }
  return list;
}

/** How much a call is billed, and at which version. */
export type PricedUsage = {
  readonly price: PriceVersion;
  readonly costNanos: Nanos;
  /** Of a call that asks for one: `default` if it was answered like any other. */
  readonly serviceTier: string | undefined;
};

/** The bill of what an answer used. */
export function priceUsage(
  modelRequest: ModelRequest,
  route: Route,
  usage: TokenUsage,
): PricedUsage {
  const listed = agreedPrice(modelRequest, route);
  const tier = tierOf(modelRequest);
  if (tier === undefined || listed.tiers === undefined) {
    const price = fitCaches(modelRequest, route, ratesFor(listed, usage.promptTokens));
    return { price, costNanos: costOf(price, usage), serviceTier: undefined };
  }
  const answered = atTier(modelRequest, route, answeredTier(tier, usage), usage);
  if (tier === "auto") return answered;
  const wanted = atTier(modelRequest, route, tier, usage);
  return answered.costNanos < wanted.costNanos ? answered : wanted;
}

/** With the rates of caches that the call cannot use set to those it can. */
function fitCaches(modelRequest: ModelRequest, route: Route, price: PriceVersion): PriceVersion {
  if (modelRequest.operation !== "chat") return price;
  const { inputNanosPerMillion: input, cacheWriteNanosPerMillion: write } = price;
  if (price.cacheWrite1hNanosPerMillion === undefined && write === input) return price;
  const writes = cacheWritesOf(route, modelRequest.request);
  if (writes === "long") return price;
  const cacheWriteNanosPerMillion = writes === "none" ? input : write;
  return { ...price, cacheWriteNanosPerMillion, cacheWrite1hNanosPerMillion: undefined };
}

function tierOf(modelRequest: ModelRequest): RequestedTier | undefined {
  return modelRequest.operation === "chat" ? modelRequest.request.serviceTier : undefined;
}

/** If the answer does not say, it is the one asked for. */
function answeredTier(wanted: RequestedTier, { serviceTier }: TokenUsage): string {
  return serviceTier ?? (wanted === "auto" ? standard : wanted);
}

const standard = "default";

/** A tier without its own price, and one that is not known, cost what the standard one does. */
function atTier(
  modelRequest: ModelRequest,
  route: Route,
  name: string,
  usage: TokenUsage,
): PricedUsage {
  const listed = agreedPrice(modelRequest, route);
  const tier = findServiceTier(name);
  const own = tier === undefined ? undefined : listed.tiers?.[tier];
  const price = fitCaches(modelRequest, route, ratesFor(own ?? listed, usage.promptTokens));
  return {
    price,
    costNanos: costOf(price, usage),
    serviceTier: own === undefined ? standard : tier,
  };
}

/** What the operator pays for it, at the tier that answered; undefined if the catalog does not say. */
export function operatorCost(
  modelRequest: ModelRequest,
  { cost }: Route,
  usage: TokenUsage,
): Nanos | undefined {
  if (cost === undefined) return undefined;
  const wanted = tierOf(modelRequest);
  const tier = wanted === undefined ? undefined : findServiceTier(answeredTier(wanted, usage));
  const own = tier === undefined ? undefined : cost.tiers?.[tier];
  return costOf(ratesFor(own ?? cost, usage.promptTokens), usage);
}
