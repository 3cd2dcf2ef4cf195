// Finds the model a caller names, by its id or by the part of it behind the vendor. A wrong one is
// answered with the nearest ids, and a model of another operation with the endpoint that serves it.

import { Fault, type FaultDetails } from "@turnpike/base";
import type { Operation, ParsedRequest, RouteSort } from "@turnpike/wire";
import type { Catalog, Model, ModelRequest, Price, Route } from "./model.ts";

/** An id longer than this is not worth comparing or repeating in full. */
const longestShownId = 120;
const suggestionCount = 3;

/**
 * The model of this id, or the one whose id ends in it: clients of Anthropic's API leave the vendor out.
 * Throws `model_not_found` with suggestions.
 */
export function findModel(catalog: Catalog, id: string, details: FaultDetails = {}): Model {
  const model = catalog.models.get(id) ?? findBareModel(catalog, id);
  if (model) return model;

  const shown = id.length > longestShownId ? `${id.slice(0, longestShownId)}…` : id;
  const nearest = nearestIds(catalog, shown);
  const question = nearest.length === 0 ? "" : ` Did you mean ${nearest.map(quote).join(", ")}?`;
  throw new Fault(
    "model_not_found",
    `The model ${quote(shown)} does not exist or you do not have access to it.${question}`,
    details,
  );
}

/** Where exactly one vendor has a model of this name. Dots and dates of versions are spelled both ways. */
function findBareModel(catalog: Catalog, id: string): Model | undefined {
  if (id === "" || id.includes("/")) return undefined;
  const wanted = bareName(id);
  let found: Model | undefined;
  for (const model of catalog.models.values()) {
    const slash = model.id.indexOf("/");
    if (slash === -1 || bareName(model.id.slice(slash + 1)) !== wanted) continue;
    if (found !== undefined) return undefined;
    found = model;
  }
  return found;
}

/** Anthropic writes `claude-sonnet-4-5-20250929` for what other catalogues call `claude-sonnet-4.5`. */
function bareName(name: string): string {
  return name.replaceAll(".", "-").replace(/-20\d{6}$/, "");
}

/** What a suffix of a model's name asks for, as at OpenRouter. */
const sortOfSuffix: ReadonlyMap<string, RouteSort> = new Map([
  [":floor", "price"],
  [":nitro", "throughput"],
]);

type NamedModel = { readonly id: string; readonly sort: RouteSort | undefined };

/** A model may have such a suffix in its own id; only where it has not is it a wish for an order of routes. */
export function readSuffix(catalog: Catalog, name: string): NamedModel {
  const colon = name.lastIndexOf(":");
  if (colon === -1 || catalog.models.has(name)) return { id: name, sort: undefined };
  const sort = sortOfSuffix.get(name.slice(colon));
  return sort === undefined ? { id: name, sort } : { id: name.slice(0, colon), sort };
}

/**
 * The request with the model of this id. Throws `model_not_found`, or `unsupported_value` for another
 * operation.
 */
export function matchModel(
  catalog: Catalog,
  request: ParsedRequest,
  id = request.model,
  param = "model",
): ModelRequest {
  const model = findModel(catalog, id, param === "model" ? {} : { param });
  if (request.operation === "chat" && model.operation === "chat") {
    return { operation: "chat", model, request };
  }
  if (request.operation === "embeddings" && model.operation === "embeddings") {
    return { operation: "embeddings", model, request };
  }
  const { verb, endpoint } = servedBy[model.operation];
  throw new Fault(
    "unsupported_value",
    `The model ${quote(model.id)} ${verb}. Use ${endpoint} for it.`,
    { param },
  );
}

const servedBy = {
  chat: {
    verb: "is for chat completions, not for embeddings",
    endpoint: "POST /v1/chat/completions",
  },
  embeddings: {
    verb: "is for embeddings, not for chat completions",
    endpoint: "POST /v1/embeddings",
  },
} satisfies Record<Operation, unknown>;

/** What a caller pays at `route`. */
export function priceOfRoute(model: Model, route: Route): Price {
  return route.price ?? model.price;
}

function quote(id: string): string {
  return `\`${id}\``;
}

function nearestIds(catalog: Catalog, wanted: string): string[] {
  const ranked: { id: string; distance: number }[] = [];
  for (const id of catalog.models.keys()) {
    const distance = distanceTo(id, wanted.toLowerCase());
    if (distance <= Math.max(2, wanted.length / 3)) ranked.push({ id, distance });
  }
  ranked.sort((a, b) => a.distance - b.distance);
  return ranked.slice(0, suggestionCount).map(({ id }) => id);
}

/** People leave the vendor out, so the part after the last slash may match alone. */
function distanceTo(id: string, wanted: string): number {
  const known = id.toLowerCase();
  const bare = known.slice(known.lastIndexOf("/") + 1);
  const bareWanted = wanted.slice(wanted.lastIndexOf("/") + 1);
  if (bare === bareWanted) return 0;
  return Math.min(editDistance(known, wanted), editDistance(bare, wanted));
}

/** Levenshtein's distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
