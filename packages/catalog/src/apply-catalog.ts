// Makes a catalogue file live, and tells the other instances which version is in force. Two instances that
// apply the same file append its new prices once.

import { appliedCatalogs, type Db } from "@turnpike/db";
import { desc, sql } from "drizzle-orm";
import type { Catalog, CatalogFile, Model, ModelEntry, Price, Route, RouteEntry } from "./model.ts";
import {
  type PriceVersions,
  priceKey,
  routeName,
  type Transaction,
  updatePrices,
} from "./price-versions.ts";

/** The live catalogue, each model with the id of its current price version. */
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
  const price = versionOf(versions, entry.id, "");
  const [first, ...others] = entry.routes.map((route) => pricedRoute(entry.id, route, versions));
  if (first === undefined) throw new Error(`no route of ${entry.id}`);
  const routes = [first, ...others] as const;
  if (entry.operation === "embeddings") {
    const { rates: _, ...same } = entry;
    return { ...same, price, routes };
  }
  const { rates: _, ...same } = entry;
  return { ...same, price, routes };
}

function pricedRoute(model: string, entry: RouteEntry, versions: PriceVersions): Route {
  const { rates, ...same } = entry;
  if (rates === undefined) return same;
  const name = routeName(entry.provider.id, entry.upstreamModel);
  return { ...same, price: versionOf(versions, model, name) };
}

function versionOf(versions: PriceVersions, model: string, route: string): Price {
  const price = versions.get(priceKey(model, route));
  if (!price) throw new Error(`no price version of ${model} ${route} after it was applied`);
  return price;
}

/** The channel on which an applied version is announced. */
export const catalogChannel = "catalog";

/** The version applied last, by any instance or operator; undefined before the first time. */
export async function readAppliedVersion(db: Db): Promise<string | undefined> {
  const [newest] = await db
    .select({ version: appliedCatalogs.version })
    .from(appliedCatalogs)
    .orderBy(desc(appliedCatalogs.id))
    .limit(1);
  return newest?.version;
}

async function recordVersion(transaction: Transaction, version: string): Promise<void> {
  if ((await readAppliedVersion(transaction)) === version) return;
  await transaction.insert(appliedCatalogs).values({ version });
}
