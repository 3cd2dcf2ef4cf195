// What a request asks for beyond tokens at list price, held against what a route has a price for: what has
// no price cannot be held, and what is not held is never spent.
import { isLongCache, supportedParameters } from "@turnpike/wire";
import { priceOfRoute } from "./find-model.ts";
import type { ModelRequest, Rates, Route } from "./model.ts";
import { pricesOfCall } from "./price-of-call.ts";

type ChatCall = Extract<ModelRequest, { operation: "chat" }>;

/** The first field of the request that `route` has no price for; undefined if it has one for each. */
export function findUnpriced(asked: ChatCall, route: Route): string | undefined {
  return asked.request.priceChanging.find((name) => !isPriced(asked, route, name));
}

function isPriced(asked: ChatCall, route: Route, name: string): boolean {
  const { model, request } = asked;
  if (name === "service_tier") {
    const { serviceTier } = request;
    if (serviceTier === undefined || serviceTier === "auto") return false;
    return priceOfRoute(model, route).tiers?.[serviceTier] !== undefined;
  }
  // Rejected tokens are billed as output: what decides is whether the route takes predictions.
  if (name === "prediction") {
    return (route.parameters ?? supportedParameters(model)).includes(name);
  }
  // By the price of a tier too, which is a whole price list.
  return pricesOfCall(asked, route).every((rates) => covers(rates, name, request.parsed));
}

function covers(rates: Rates, name: string, body: Readonly<Record<string, unknown>>): boolean {
  if (isLongCache(name)) return rates.cacheWrite1hNanosPerMillion !== undefined;
  switch (name) {
    case "input_audio":
      return rates.audioInputNanosPerMillion !== undefined;
    case "audio":
    case "modalities":
      return rates.audioOutputNanosPerMillion !== undefined && !namesImages(body);
    case "web_search_options":
      return rates.webSearchNanosPerMillion !== undefined;
    default:
      return false;
  }
}

function namesImages({ modalities }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(modalities) && modalities.includes("image");
}
