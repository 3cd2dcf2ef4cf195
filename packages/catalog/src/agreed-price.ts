// The price list of a route as the account of a call pays it: the model's own, or with the account's markup. The
// versions keep their ids, so a bill names the list price that it was derived from.
import { type BySize, type ServiceTier, scaleRates, serviceTiers } from "@turnpike/terms";
import { priceOfRoute } from "./find-model.ts";
import type { ModelRequest, Price, PriceVersion, Route } from "./model.ts";

/** The request of an account with a markup on this model; undefined is the list price. */
export function atMarkup(
  listed: ModelRequest,
  markupBasisPoints: number | undefined,
): ModelRequest {
  return markupBasisPoints === undefined ? listed : { ...listed, markupBasisPoints };
}

/** By list and markup: calls of an account share one object, as those at the list price do. */
const agreed = new WeakMap<Price, Map<number, Price>>();

export function agreedPrice({ model, markupBasisPoints }: ModelRequest, route: Route): Price {
  const listed = priceOfRoute(model, route);
  if (markupBasisPoints === undefined) return listed;
  let ofList = agreed.get(listed);
  if (ofList === undefined) {
    ofList = new Map();
    agreed.set(listed, ofList);
  }
  let price = ofList.get(markupBasisPoints);
  if (price === undefined) {
    price = scalePrice(listed, markupBasisPoints);
    ofList.set(markupBasisPoints, price);
  }
  return price;
}

function scalePrice({ tiers, ...list }: Price, markup: number): Price {
  if (tiers === undefined) return scaleList(list, markup);
  const scaled: Partial<Record<ServiceTier, BySize<PriceVersion>>> = {};
  for (const name of serviceTiers) {
    const tier = tiers[name];
    if (tier !== undefined) scaled[name] = scaleList(tier, markup);
  }
  return { ...scaleList(list, markup), tiers: scaled };
}

function scaleList(
  { longPrompts, ...version }: BySize<PriceVersion>,
  markup: number,
): BySize<PriceVersion> {
  return {
    ...scaleRates(version, markup),
    ...(longPrompts !== undefined && {
      longPrompts: longPrompts.map((long) => scaleRates(long, markup)),
    }),
  };
}
