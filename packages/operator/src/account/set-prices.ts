// Agrees prices with an account: what it pays beside the list price, by model. Says which models would then be sold
// for less than they cost.
import type { AccountId } from "@turnpike/base";
import { type CatalogFile, scaleRates } from "@turnpike/catalog";
import type { PriceTerm } from "@turnpike/db";
import { describePriceTerm, markupOf, setPriceTerms } from "@turnpike/keys";
import { isBelow } from "../list-models.ts";
import { actorOf, type DeskServices, type Operator } from "../verb.ts";

type Prices = {
  readonly accountId: AccountId;
  readonly terms: readonly PriceTerm[];
  readonly reason: string;
};

export async function setPrices(
  { db, catalogFiles }: DeskServices,
  by: Operator,
  { accountId, terms, reason }: Prices,
) {
  const { models } = catalogFiles.current();
  await setPriceTerms(db, { accountId, by: actorOf(by, reason) }, terms);
  return {
    accountId,
    prices: terms.map(describePriceTerm),
    belowCost: models.flatMap((model) => findBelowCost(model, terms)),
  };
}

function findBelowCost(
  { id, rates, routes }: CatalogFile["models"][number],
  terms: readonly PriceTerm[],
): string[] {
  const markup = markupOf(terms, id);
  if (markup === undefined) return [];
  return routes.flatMap(({ provider, cost, rates: own = rates }) =>
    cost !== undefined && isBelow(scaleRates(own, markup), cost) ? [`${id} at ${provider.id}`] : [],
  );
}
