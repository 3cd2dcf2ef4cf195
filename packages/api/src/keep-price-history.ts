// The price history of a model, kept for a minute and no longer than the same catalog is in force: the page that shows it
// is public, and must not cost a query per visitor.
import { type Catalog, type PriceVersion, queryPriceHistory } from "@turnpike/catalog";
import type { Db } from "@turnpike/db";

type Kept = { readonly history: Promise<readonly PriceVersion[]>; readonly untilMs: number };

const keptMs = 60_000;
const kept = new WeakMap<Catalog, Map<string, Kept>>();

/** `modelId` must be a model of the catalog, which bounds what is kept. */
export function keepPriceHistory(
  db: Db,
  catalog: Catalog,
  modelId: string,
): Promise<readonly PriceVersion[]> {
  const ofCatalog = kept.get(catalog) ?? new Map<string, Kept>();
  kept.set(catalog, ofCatalog);
  const nowMs = performance.now();
  const known = ofCatalog.get(modelId);
  if (known !== undefined && nowMs < known.untilMs) return known.history;
  const history = queryPriceHistory(db, modelId);
  ofCatalog.set(modelId, { history, untilMs: nowMs + keptMs });
  // The next reader tries again.
  history.catch(() => ofCatalog.delete(modelId));
  return history;
}
