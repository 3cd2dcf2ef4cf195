// Compares what a request asks for beyond tokens at list price with the prices of a route: what has
// no price cannot be held, and what is not held is never spent.
import { cacheWritesOf } from "@turnpike/providers";
import { type PriceChange, rateOfField, supportedParameters } from "@turnpike/wire";
import { priceOfRoute } from "../find-model.ts";
import type { ModelRequest, Route } from "../model.ts";
import { pricesOfCall } from "../price-of-call.ts";

type ChatCall = Extract<ModelRequest, { operation: "chat" }>;

/** The first field of the request that `route` has no price for; undefined if it has one for each. */
export function findUnpriced(modelRequest: ChatCall, route: Route): string | undefined {
  return modelRequest.request.priceChanging.find((change) => !isPriced(modelRequest, route, change))
    ?.name;
}

function isPriced(modelRequest: ChatCall, route: Route, change: PriceChange): boolean {
  const { kind, name } = change;
  if (kind === "member") return false;
  const { model, request } = modelRequest;
  // Also by the prices of a tier, which are a whole price list.
  const prices = () => pricesOfCall(modelRequest, route);
  if (kind === "long_cache") {
    if (cacheWritesOf(route, request) !== "long") return true;
    return prices().every((rates) => rates.cacheWrite1hNanosPerMillion !== undefined);
  }
  const rate = rateOfField(name);
  if (rate === "tiers") {
    const { serviceTier } = request;
    if (serviceTier === undefined || serviceTier === "auto") return false;
    return priceOfRoute(model, route).tiers?.[serviceTier] !== undefined;
  }
  // Rejected tokens are billed as output: what matters is whether the route takes predictions.
  if (name === "prediction") {
    return (route.parameters ?? supportedParameters(model)).includes(name);
  }
  if (name === "input_audio") {
    return prices().every((rates) => rates.audioInputNanosPerMillion !== undefined);
  }
  if (name === "modalities" && namesImages(request.parsed)) {
    return prices().every((rates) => rates.imageOutputNanosPerMillion !== undefined);
  }
  return rate !== undefined && prices().every((rates) => rates[rate] !== undefined);
}

function namesImages({ modalities }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(modalities) && modalities.includes("image");
}
