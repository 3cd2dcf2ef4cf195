// Makes a catalog file live, and tells the other instances which version is in force. Two instances that
// apply the same file append its new prices once.

import { appliedCatalogs, type Db } from "@turnpike/db";
import {
  type BySize,
  type PriceList,
  type Rates,
  type ServiceTier,
  serviceTiers,
} from "@turnpike/terms";
import { desc, sql } from "drizzle-orm";
import type {
  Catalog,
  CatalogFile,
  Model,
  ModelEntry,
  Price,
  PriceVersion,
  Route,
  RouteEntry,
} from "./model.ts";
import {
  type PriceName,
  type PriceVersions,
  priceKey,
  routeName,
  type Transaction,
  updatePrices,
} from "./price-versions.ts";

/** The live catalog, each model with the id of its current price version. */
export async function applyCatalog(db: Db, file: CatalogFile): Promise<Catalog> {
  const versions = await db.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtext('turnpike.catalog'))`);
    await recordVersion(transaction, file.version);
    return updatePrices(transaction, file.models);
  });
  await db.execute(sql`select pg_notify(${catalogChannel}, ${file.version})`);
  const models = new Map<string, Model>();
  for (const entry of file.models) models.set(entry.id, priced(entry, versions));
  return { version: file.version, models };
}

function priced(entry: ModelEntry, versions: PriceVersions): Model {
  const price = priceOf(versions, entry.id, "", entry.rates);
  const [first, ...others] = entry.routes.map((route) => pricedRoute(entry.id, route, versions));
  if (first === undefined) throw new Error(`no route of ${entry.id}`);
  const routes = [first, ...others] as const;
  return asModel(entry, { price, routes });
}

/** The cast is safe because a model is its entry with a price that has a version, whatever its operation. */
function asModel(
  { rates: _, ...facts }: ModelEntry,
  offer: Pick<Model, "price" | "routes">,
): Model {
  return { ...facts, ...offer } as Model;
}

function pricedRoute(model: string, entry: RouteEntry, versions: PriceVersions): Route {
  const { rates, ...same } = entry;
  if (rates === undefined) return same;
  const name = routeName(entry.provider.id, entry.upstreamModel);
  return { ...same, price: priceOf(versions, model, name, rates) };
}

/** The versions of `list`; a tier that it no longer has keeps its rows and is not served. */
function priceOf(versions: PriceVersions, model: string, route: string, list: PriceList): Price {
  const price = sizesOf(versions, { model, route, tier: "" }, list);
  if (list.tiers === undefined) return price;
  const tiers: { -readonly [Tier in ServiceTier]?: BySize<PriceVersion> } = {};
  for (const tier of serviceTiers) {
    const rates = list.tiers[tier];
    if (rates !== undefined) tiers[tier] = sizesOf(versions, { model, route, tier }, rates);
  }
  return { ...price, tiers };
}

function sizesOf(
  versions: PriceVersions,
  name: Omit<PriceName, "aboveTokens">,
  { longPrompts }: BySize<Rates>,
): BySize<PriceVersion> {
  const price = versionOf(versions, { ...name, aboveTokens: 0 });
  if (longPrompts === undefined) return price;
  const long = longPrompts.map(({ aboveTokens }) => {
    return { ...versionOf(versions, { ...name, aboveTokens }), aboveTokens };
  });
  return { ...price, longPrompts: long };
}

function versionOf(versions: PriceVersions, name: PriceName): PriceVersion {
  const key = priceKey(name);
  const price = versions.get(key);
  if (!price) throw new Error(`no price version of ${key} after it was applied`);
  return price;
}

/** The channel on which an applied version is announced. */
export const catalogChannel = "catalog";

/** The version applied last, by any instance or operator; undefined before the first time. */
export async function queryAppliedVersion(db: Db): Promise<string | undefined> {
  const [newest] = await db
    .select({ version: appliedCatalogs.version })
    .from(appliedCatalogs)
    .orderBy(desc(appliedCatalogs.id))
    .limit(1);
  return newest?.version;
}

async function recordVersion(transaction: Transaction, version: string): Promise<void> {
  if ((await queryAppliedVersion(transaction)) === version) return;
  await transaction.insert(appliedCatalogs).values({ version });
}
