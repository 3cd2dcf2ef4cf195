// Agrees prices with an account: what it pays beside the list price, by model. A name that no model has is refused, and
// so is a price below what a model costs, or nothing at all, unless the operator allows it.
import { type AccountId, Fault } from "@turnpike/base";
import type { CatalogFile } from "@turnpike/catalog";
import { type PriceTerm, recordAudit } from "@turnpike/db";
import { describePriceTerm, markupOf, notifyKeyChange, touchKeys } from "@turnpike/keys";
import { sql } from "drizzle-orm";
import { isBelowCost } from "../is-below-cost.ts";
import { actorOf, type Operator, type OperatorServices } from "../verb.ts";

type Prices = {
  readonly accountId: AccountId;
  readonly terms: readonly PriceTerm[];
  readonly allowsBelowCost: boolean;
  readonly reason: string;
};

/** Throws `invalid_value` for an unknown name, and `conflict` for a price below cost that was not allowed. */
export async function setPrices(
  { db, ownerDb = db, billing, catalogFiles }: OperatorServices,
  by: Operator,
  { accountId, terms, allowsBelowCost, reason }: Prices,
) {
  const { models, hidden } = catalogFiles.own();
  assertKnown(terms, [...models, ...hidden]);
  const belowCost = models.flatMap((model) => findBelowCost(model, terms));
  if (!allowsBelowCost) assertAboveCost(terms, belowCost);
  await ownerDb.transaction(async (tx) => {
    const given = terms.length === 0 ? null : JSON.stringify(terms);
    const facts = ["price_terms", by.personId ?? "", accountId, ...(given === null ? [] : [given])];
    const proof = billing.proveMovement?.(...facts) ?? null;
    const [before] = await tx.execute<{ terms: readonly PriceTerm[] | null }>(sql`
      select set_price_terms(${accountId}::uuid, ${given}::jsonb, ${by.personId ?? null}::uuid,
                             ${given}::text, ${proof}::bytea) as terms`);
    await touchKeys(tx, accountId);
    const changes = { prices: [describe(before?.terms ?? []), describe(terms)] as const };
    const actor = actorOf(by, reason);
    await recordAudit(tx, { accountId, by: actor, action: "account.set_prices", changes });
  });
  await notifyKeyChange(db, accountId);
  return { accountId, prices: terms.map(describePriceTerm), belowCost };
}

function describe(terms: readonly PriceTerm[]): string | null {
  return terms.length === 0 ? null : terms.map(describePriceTerm).join(", ");
}

function assertKnown(terms: readonly PriceTerm[], known: readonly { readonly id: string }[]) {
  for (const term of terms) {
    const { models } = term;
    if (
      models === "*" ||
      known.some(({ id }) => markupOf([alwaysInForce(term)], id) !== undefined)
    ) {
      continue;
    }
    throw new Fault("invalid_value", `No model of the catalog is called ${models}.`, {
      param: "prices",
    });
  }
}

function alwaysInForce({ models, markupBasisPoints }: PriceTerm): PriceTerm {
  return { models, markupBasisPoints };
}

function assertAboveCost(terms: readonly PriceTerm[], belowCost: readonly string[]): void {
  const free = terms.filter(({ markupBasisPoints }) => markupBasisPoints === -10_000);
  const what = [
    ...(belowCost.length > 0 ? [`Sold below cost: ${belowCost.join(", ")}.`] : []),
    ...(free.length > 0 ? [`Free: ${free.map(({ models }) => models).join(", ")}.`] : []),
  ];
  if (what.length === 0) return;
  const advice = "Nothing was changed. Allow prices below cost to agree them anyway.";
  throw new Fault("conflict", `${what.join(" ")} ${advice}`, { param: "allowsBelowCost" });
}

function findBelowCost(
  { id, rates, routes }: CatalogFile["models"][number],
  terms: readonly PriceTerm[],
): string[] {
  const markup = markupOf(terms, id);
  if (markup === undefined) return [];
  return routes.flatMap(({ provider, cost, rates: own = rates }) =>
    cost !== undefined && isBelowCost(own, cost, markup) ? [`${id} at ${provider.id}`] : [],
  );
}
