// Finds the model a caller names, by its id or by the part of it behind the vendor. A wrong one is
// answered with the nearest ids, and a model of another operation with the endpoint that serves it.

import { Fault, type FaultDetails } from "@turnpike/base";
import { operationTable } from "@turnpike/terms";
import type { ParsedRequest, RouteSort } from "@turnpike/wire";
import type { Catalog, Model, ModelRequest, Price, Route } from "./model.ts";
import { findBareModel, nearestIds } from "./suggest-models.ts";

/** An id longer than this is not worth comparing or repeating in full. */
const longestShownId = 120;

/**
 * The model of this id, or the one whose id ends in it: clients of Anthropic's API omit the vendor.
 * Throws `model_unavailable` for one that is switched off, and `model_not_found` with suggestions.
 */
export function findModel(catalog: Catalog, id: string, details: FaultDetails = {}): Model {
  const model = catalog.models.get(id) ?? findOther(catalog, id, details);
  if (model) return model;

  const suffix = unknownSuffix(catalog, id);
  if (suffix !== undefined) {
    const supported = [...sortOfSuffix.keys()].map(quote).join(" and ");
    const sentence = `The suffix ${quote(suffix)} is not supported. Remove it, or use one of ${supported}.`;
    throw new Fault("model_not_found", sentence, details);
  }
  const shown = id.length > longestShownId ? `${id.slice(0, longestShownId)}…` : id;
  const nearest = nearestIds(catalog, shown);
  const advice =
    nearest.length === 0
      ? "GET /v1/models lists the models."
      : `Did you mean ${nearest.map(quote).join(", ")}?`;
  throw new Fault(
    "model_not_found",
    `The model ${quote(shown)} does not exist or you do not have access to it. ${advice}`,
    details,
  );
}

/** Without the switched-off ones another model could answer in their name. */
function findOther(catalog: Catalog, id: string, details: FaultDetails): Model | undefined {
  const { models, switchedOff } = catalog;
  if (switchedOff === undefined) return findBareModel(models, id);
  const found = switchedOff.get(id) ?? findBareModel(new Map([...models, ...switchedOff]), id);
  if (found !== undefined && switchedOff.has(found.id)) throw unavailable(catalog, found, details);
  return found;
}

function unavailable({ messages }: Catalog, { id }: Model, details: FaultDetails): Fault {
  const message = messages?.get(id) ?? "";
  const sentence = `The model ${quote(id)} is switched off at the moment.`;
  return new Fault("model_unavailable", message === "" ? sentence : message, details);
}

/** Another of OpenRouter's suffixes (`:online`, `:free`, `:thinking`) behind the id of a model. */
function unknownSuffix(catalog: Catalog, id: string): string | undefined {
  const suffix = /:[a-z]{1,20}$/.exec(id)?.[0];
  const isModel = suffix !== undefined && catalog.models.has(id.slice(0, -suffix.length));
  return isModel ? suffix : undefined;
}

/** What a suffix of a model's name selects, as at OpenRouter. */
const sortOfSuffix: ReadonlyMap<string, RouteSort> = new Map([
  [":floor", "price"],
  [":nitro", "throughput"],
]);

type NamedModel = { readonly id: string; readonly sort: RouteSort | undefined };

/** A model may have such a suffix in its own id; otherwise it selects the route order. */
export function parseSuffix(catalog: Catalog, name: string): NamedModel {
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
  const model = findModel(catalog, id, param === "model" ? asModel : { param });
  if (model.operation === request.operation) return asModelRequest(model, request);
  const { purpose, path } = operationTable[model.operation];
  const asked = operationTable[request.operation].purpose;
  throw new Fault(
    "unsupported_value",
    `The model ${quote(model.id)} is for ${purpose}, not for ${asked}. Use POST ${path} for it.`,
    { param },
  );
}

/** The cast is safe because both are of the same operation, which its caller has compared. */
function asModelRequest(model: Model, request: ParsedRequest): ModelRequest {
  return { operation: model.operation, model, request } as ModelRequest;
}

/** The request names it in its field `model`. */
const asModel = {};

/** What a caller pays at `route`. */
export function priceOfRoute(model: Model, route: Route): Price {
  return route.price ?? model.price;
}

function quote(id: string): string {
  return `\`${id}\``;
}
