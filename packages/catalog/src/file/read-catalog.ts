// Reads `catalog.yaml`: either every entry is understood and checked, or a CatalogError lists every
// mistake with its path. Reads nothing but its arguments and the files of credentials that these name.

import { dialectKindOf, servesOperation } from "@turnpike/providers";
import type { CatalogFile, ModelEntry, RouteEntry } from "../model.ts";
import { routeName } from "../price-versions.ts";
import { CatalogError, type CatalogMistake, describeIssues, showPath } from "./catalog-mistake.ts";
import { type ModelText, modelSchemaFor, providerSchema } from "./catalog-schema.ts";
import { findUnboundedPrices } from "./find-unbounded-prices.ts";
import { hashText } from "./have-credentials-changed.ts";
import { type Findings, parseCatalogYaml } from "./parse-catalog-yaml.ts";
import { parseKnownFields } from "./parse-known-fields.ts";
import type { ProviderReading, ReadOptions } from "./provider-reading.ts";
import { readProvider } from "./read-provider.ts";
import type { Environment } from "./substitute.ts";

/** By id; undefined for an entry that is declared but malformed. */
type ProviderReadings = ReadonlyMap<string, ProviderReading | undefined>;

/** Throws CatalogError. Models without a callable provider are listed in `hidden` with a reason. */
export function readCatalog(
  yamlText: string,
  environment: Environment,
  options: ReadOptions,
): CatalogFile {
  const mistakes: CatalogMistake[] = [];
  const unknownFields: string[] = [];
  const found = { mistakes, unknownFields };
  const lists = parseCatalogYaml(yamlText, found);
  const credentialFiles = new Map<string, string>();
  const noteFile = (path: string, text: string) => void credentialFiles.set(path, hashText(text));
  const reading = { ...options, noteFile };
  const providers = readProviders(lists.providers, environment, reading, found);
  const models = readModels(lists.models, providers, found);
  if (mistakes.length > 0) {
    // A misspelt field is often why another one is missing.
    const unknown = unknownFields.map((path) => ({ path, message: "unknown field" }));
    throw new CatalogError([...mistakes, ...unknown]);
  }
  const version = hashText(yamlText);
  return { version, unknownFields, credentialFiles, ...openRoutes(models, providers) };
}

function readProviders(
  entries: readonly unknown[],
  environment: Environment,
  options: ReadOptions,
  { mistakes, unknownFields }: Findings,
): ProviderReadings {
  const readings = new Map<string, ProviderReading | undefined>();
  entries.forEach((entry, index) => {
    const path = ["providers", index];
    const id = readField(entry, "id");
    if (typeof id === "string") {
      if (readings.has(id)) mistakes.push(repeated(path, id));
      readings.set(id, undefined);
    }
    const parsed = parseKnownFields(providerSchema, entry, path, unknownFields);
    if (!parsed.success) {
      mistakes.push(...describeIssues(parsed.error.issues, path));
      return;
    }
    const reading = readProvider(parsed.data, environment, options);
    readings.set(parsed.data.id, reading);
    if (reading.kind !== "mistake") return;
    mistakes.push({ path: showPath([...path, reading.field]), message: reading.message });
  });
  return readings;
}

function readModels(
  entries: readonly unknown[],
  providers: ProviderReadings,
  { mistakes, unknownFields }: Findings,
): ModelText[] {
  const modelSchema = modelSchemaFor(providers);
  const ids = new Set<unknown>();
  const models: ModelText[] = [];
  entries.forEach((entry, index) => {
    const path = ["models", index];
    const id = readField(entry, "id");
    if (typeof id === "string" && ids.has(id)) mistakes.push(repeated(path, id));
    ids.add(id);
    // Read from the raw entry, so that it is found beside mistakes of shape, not after them.
    const maxOutput = readField(entry, "maxOutputTokens");
    const context = readField(entry, "contextTokens");
    if (typeof maxOutput === "number" && typeof context === "number" && maxOutput > context) {
      const message = `must not exceed contextTokens (${context})`;
      mistakes.push({ path: showPath([...path, "maxOutputTokens"]), message });
    }
    const parsed = parseKnownFields(modelSchema, entry, path, unknownFields);
    if (!parsed.success) {
      mistakes.push(...describeIssues(parsed.error.issues, path));
      return;
    }
    models.push(parsed.data);
    mistakes.push(...findUnservedRoutes(parsed.data, path, providers));
    mistakes.push(...findRepeatedRoutes(parsed.data, path));
    mistakes.push(...findMissingRates(parsed.data, path));
    mistakes.push(...findUnboundedPrices(parsed.data, path));
  });
  return models;
}

/** Routes to providers that do not serve the model's operation. */
function findUnservedRoutes(
  { operation, routes }: ModelText,
  path: readonly PropertyKey[],
  providers: ProviderReadings,
): CatalogMistake[] {
  return routes.flatMap((route, index) => {
    const reading = providers.get(route.provider);
    if (reading === undefined || reading.kind === "mistake") return [];
    const { providerKind } = reading;
    const routePath = [...path, "routes", index];
    const dialect = dialectKindOf(providerKind, route.model);
    if (dialect.kind === "unknown") {
      return [{ path: showPath([...routePath, "model"]), message: dialect.advice }];
    }
    if (servesOperation(dialect.kind, operation, providerKind)) return [];
    const message = `providers of kind "${providerKind}" do not serve ${operation}`;
    return [{ path: showPath([...routePath, "provider"]), message }];
  });
}

/** Two routes to one deployment would share its health and differ in price. */
function findRepeatedRoutes(
  { routes }: ModelText,
  path: readonly PropertyKey[],
): readonly CatalogMistake[] {
  const known = new Set<string>();
  return routes.flatMap(({ provider, model }, index) => {
    const name = routeName(provider, model);
    if (!known.has(name)) {
      known.add(name);
      return [];
    }
    const message = "is the same provider and model as an earlier route";
    return [{ path: showPath([...path, "routes", index]), message }];
  });
}

/**
 * A request admitted by the model's price for an hour in the cache would be billed as five minutes
 * at the route.
 */
function findMissingRates(
  { prices, routes }: ModelText,
  path: readonly PropertyKey[],
): readonly CatalogMistake[] {
  if (!("cacheWrite1hNanosPerMillion" in prices)) return [];
  return routes.flatMap((route, index) => {
    if (route.prices === undefined || "cacheWrite1hNanosPerMillion" in route.prices) return [];
    const message = "is missing: the model has this price, so a route with its own prices needs it";
    return [{ path: showPath([...path, "routes", index, "prices", "cacheWrite1h"]), message }];
  });
}

/** Keeps the routes that can be called, and hides the models that have none. */
function openRoutes(
  models: readonly ModelText[],
  providers: ProviderReadings,
): Pick<CatalogFile, "models" | "hidden" | "hiddenRoutes"> {
  const visible: ModelEntry[] = [];
  const hidden: { id: string; reason: string }[] = [];
  const hiddenRoutes: { id: string; reason: string }[] = [];
  for (const model of models) {
    const routes: RouteEntry[] = [];
    const reasons: string[] = [];
    for (const [index, entry] of model.routes.entries()) {
      const reading = providers.get(entry.provider);
      if (reading?.kind === "ready") {
        const route = toRoute(entry, index, reading, model.firstByteTimeoutMs);
        routes.push({ ...route, cost: entry.cost ?? model.cost });
      }
      if (reading?.kind === "absent") reasons.push(reading.reason);
    }
    routes.sort((a, b) => tierOf(a) - tierOf(b));
    const [first, ...rest] = routes;
    if (first) {
      visible.push(toEntry(model, [first, ...rest]));
      hiddenRoutes.push(...reasons.map((reason) => ({ id: model.id, reason })));
    } else hidden.push({ id: model.id, reason: [...new Set(reasons)].join("; ") });
  }
  return { models: visible, hidden, hiddenRoutes };
}

type RouteText = ModelText["routes"][number];

function tierOf({ tier = 0 }: RouteEntry): number {
  return tier;
}

/** Without its own tier a route comes where it is listed. */
function toRoute(
  entry: RouteText,
  index: number,
  { providerFor, policy }: Extract<ProviderReading, { kind: "ready" }>,
  timeoutsOfModel: RouteEntry["firstByteTimeouts"],
): RouteEntry {
  return {
    provider: providerFor(entry.model),
    upstreamModel: entry.model,
    dataCollection: entry.dataCollection ?? policy.dataCollection,
    zdr: entry.zdr ?? policy.zdr,
    maxConcurrent: entry.maxConcurrent ?? policy.maxConcurrent,
    firstByteTimeouts: mergeTimeouts(
      policy.firstByteTimeouts,
      timeoutsOfModel,
      entry.firstByteTimeoutMs,
    ),
    parameters: entry.parameters,
    tier: entry.tier ?? index + 1,
    rates: entry.prices,
  };
}

type Timeouts = RouteEntry["firstByteTimeouts"];

/** What a route says comes before its model, and that before its provider: for streamed and whole answers each. */
function mergeTimeouts(ofProvider: Timeouts, ofModel: Timeouts, ofRoute: Timeouts): Timeouts {
  if ((ofProvider ?? ofModel ?? ofRoute) === undefined) return undefined;
  return { ...ofProvider, ...ofModel, ...ofRoute };
}

function toEntry(model: ModelText, routes: ModelEntry["routes"]): ModelEntry {
  const shown = {
    name: model.name ?? model.id,
    description: model.description ?? "",
    created: model.created ?? new Date(0),
    routes,
  };
  if (model.operation !== "chat") {
    const { prices, cost: _, firstByteTimeoutMs: __, ...same } = model;
    return { ...same, ...shown, rates: prices };
  }
  const { prices, cost: _, firstByteTimeoutMs: __, ...same } = model;
  // If the entry of a model that reasons says no more, it is not known what its streams leave
  // out.
  const reasoning = model.capabilities.includes("reasoning") ? "hidden" : "visible";
  return { ...same, ...shown, reasoning: model.reasoning ?? reasoning, rates: prices };
}

function readField(entry: unknown, field: string): unknown {
  return typeof entry === "object" && entry !== null ? Reflect.get(entry, field) : undefined;
}

function repeated(path: readonly PropertyKey[], id: string): CatalogMistake {
  return {
    path: showPath([...path, "id"]),
    message: `"${id}" is already taken by an earlier entry`,
  };
}
