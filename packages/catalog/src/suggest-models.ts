// What a caller may mean by the name of a model that is not in the catalog: a model named without its vendor, or
// the ids that are nearest to it.
import { editDistance } from "@turnpike/base";
import type { Catalog, Model } from "./model.ts";

const suggestionCount = 3;

/**
 * By a name without its vendor, only if exactly one vendor has a model of this name. Versions are found with dots or
 * dashes, and with or without the date of a snapshot.
 */
export function findBareModel(models: Catalog["models"], id: string): Model | undefined {
  const vendorEnd = id.indexOf("/");
  const vendor = id.slice(0, vendorEnd + 1);
  const wanted = bareName(id.slice(vendorEnd + 1));
  if (wanted === "") return undefined;
  let found: Model | undefined;
  for (const model of models.values()) {
    const slash = model.id.indexOf("/");
    if (slash === -1 || !model.id.startsWith(vendor)) continue;
    if (bareName(model.id.slice(slash + 1)) !== wanted) continue;
    if (found !== undefined) return undefined;
    found = model;
  }
  return found;
}

/**
 * Anthropic writes `claude-sonnet-4-5-20250929` for what other catalogs call `claude-sonnet-4.5`, and OpenAI
 * `gpt-5.5-2026-04-23` for a snapshot of `gpt-5.5`.
 */
function bareName(name: string): string {
  return name.replaceAll(".", "-").replace(/-20\d{2}(?:\d{4}|-\d{2}-\d{2})$/, "");
}

/** The nearest first; none where all are far. */
export function nearestIds(catalog: Catalog, wanted: string): string[] {
  const ranked: { id: string; distance: number }[] = [];
  for (const id of catalog.models.keys()) {
    const distance = distanceTo(id, wanted.toLowerCase());
    if (distance <= Math.max(2, wanted.length / 3)) ranked.push({ id, distance });
  }
  ranked.sort((a, b) => a.distance - b.distance);
  return ranked.slice(0, suggestionCount).map(({ id }) => id);
}

/** People omit the vendor, so the part after the last slash may match alone. */
function distanceTo(id: string, wanted: string): number {
  const known = id.toLowerCase();
  const bare = known.slice(known.lastIndexOf("/") + 1);
  const bareWanted = wanted.slice(wanted.lastIndexOf("/") + 1);
  if (bare === bareWanted) return 0;
  return Math.min(editDistance(known, wanted), editDistance(bare, wanted));
}
