// What a request asks for beyond tokens at list price, held against what a price covers: what has no price
// cannot be held, and what is not held is never spent.
import { type ChatRequest, isLongCache } from "@turnpike/wire";
import type { Price } from "./model.ts";

/** The first field of `request` that `price` does not cover; undefined if it covers all of them. */
export function findUnpriced(price: Price, request: ChatRequest): string | undefined {
  return request.priceChanging.find((name) => !isPriced(price, request, name));
}

function isPriced(price: Price, { serviceTier }: ChatRequest, name: string): boolean {
  if (isLongCache(name)) return price.cacheWrite1hNanosPerMillion !== undefined;
  if (name !== "service_tier" || serviceTier === undefined || serviceTier === "auto") return false;
  return price.tiers?.[serviceTier] !== undefined;
}
