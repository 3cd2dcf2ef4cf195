// What is wrong with the prices of a model that is not billed by the tokens of a text alone: what cannot be held for, and routes
// that bill by something else than their model.
import { billedRate, type Rates, rateKinds } from "@turnpike/terms";
import { type CatalogMistake, showPath } from "./catalog-mistake.ts";
import type { ModelText } from "./catalog-schema.ts";

/** What is held for a call follows from the prices of its model, whichever route answers. */
export function findUnboundedPrices(
  model: ModelText,
  path: readonly PropertyKey[],
): CatalogMistake[] {
  if (model.operation === "chat" || model.operation === "embeddings") return [];
  const { prices, routes } = model;
  const mistakes = model.operation === "image" ? findUnboundedImages(model, path) : [];
  for (const [index, route] of routes.entries()) {
    if (route.prices === undefined || basisOf(route.prices) === basisOf(prices)) continue;
    const message = "must be for the same units, sizes and qualities as those of the model";
    mistakes.push({ path: showPath([...path, "routes", index, "prices"]), message });
  }
  return mistakes;
}

function findUnboundedImages(
  { prices, outputTokens }: Extract<ModelText, { operation: "image" }>,
  path: readonly PropertyKey[],
): CatalogMistake[] {
  const isByToken = billedRate(prices, "imageOutput") > 0n || billedRate(prices, "output") > 0n;
  if (isByToken && outputTokens === undefined) {
    const message = "is missing: prices by the token need the most tokens that an image can have";
    return [{ path: showPath([...path, "outputTokens"]), message }];
  }
  if (isByToken || prices.units !== undefined) return [];
  const message = "needs a price of an image, by the piece or by its output tokens";
  return [{ path: showPath([...path, "prices"]), message }];
}

/** What is billed, without what it costs. */
function basisOf(rates: Rates): string {
  const units = (rates.units ?? []).map(({ unit, variant = "" }) => `${unit} ${variant}`);
  const tokens = rateKinds.filter((kind) => billedRate(rates, kind) > 0n);
  return JSON.stringify([units.sort(), tokens.length > 0]);
}
