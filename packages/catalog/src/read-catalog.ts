// Reads `catalog.yaml`: either every entry is understood and checked, or a CatalogError lists every
// mistake with its path. Reads nothing but its arguments.

import { createHash } from "node:crypto";
import { type Provider, servesOperation } from "@turnpike/providers";
import { CatalogError, type CatalogMistake, describeIssues, showPath } from "./catalog-mistake.ts";
import { type ModelText, modelSchemaFor, providerSchema } from "./catalog-schema.ts";
import type { CatalogFile, ModelEntry, Route } from "./model.ts";
import { parseCatalogYaml } from "./parse-catalog-yaml.ts";
import { type ProviderReading, type ReadOptions, readProvider } from "./read-provider.ts";
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
  const lists = parseCatalogYaml(yamlText, mistakes);
  const providers = readProviders(lists.providers, environment, options, mistakes);
  const models = readModels(lists.models, providers, mistakes);
  if (mistakes.length > 0) throw new CatalogError(mistakes);
  return { version: hashText(yamlText), ...openRoutes(models, providers) };
}

/** What `sha256sum` prints for the file, shortened. */
function hashText(yamlText: string): string {
  return createHash("sha256").update(yamlText).digest("hex").slice(0, 12);
}

function readProviders(
  entries: readonly unknown[],
  environment: Environment,
  options: ReadOptions,
  mistakes: CatalogMistake[],
): ProviderReadings {
  const readings = new Map<string, ProviderReading | undefined>();
  entries.forEach((entry, index) => {
    const path = ["providers", index];
    const id = readField(entry, "id");
    if (typeof id === "string") {
      if (readings.has(id)) mistakes.push(repeated(path, id));
      readings.set(id, undefined);
    }
    const parsed = providerSchema.safeParse(entry);
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
  mistakes: CatalogMistake[],
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
    const parsed = modelSchema.safeParse(entry);
    if (!parsed.success) {
      mistakes.push(...describeIssues(parsed.error.issues, path));
      return;
    }
    models.push(parsed.data);
    mistakes.push(...findUnservedRoutes(parsed.data, path, providers));
  });
  return models;
}

/** Routes to providers that are not asked for what the model is for. */
function findUnservedRoutes(
  { operation, routes }: ModelText,
  path: readonly PropertyKey[],
  providers: ProviderReadings,
): CatalogMistake[] {
  return routes.flatMap((route, index) => {
    const kind = kindOf(providers.get(route.provider));
    if (kind === undefined || servesOperation(kind, operation)) return [];
    const message = `providers of kind "${kind}" are not asked for ${operation}`;
    return [{ path: showPath([...path, "routes", index, "provider"]), message }];
  });
}

function kindOf(reading: ProviderReading | undefined): Provider["kind"] | undefined {
  if (reading?.kind === "ready") return reading.provider.kind;
  return reading?.kind === "absent" ? reading.providerKind : undefined;
}

/** Keeps the routes that can be called, and hides the models that have none. */
function openRoutes(
  models: readonly ModelText[],
  providers: ProviderReadings,
): Omit<CatalogFile, "version"> {
  const visible: ModelEntry[] = [];
  const hidden: { id: string; reason: string }[] = [];
  for (const model of models) {
    const routes: Route[] = [];
    const reasons: string[] = [];
    for (const entry of model.routes) {
      const reading = providers.get(entry.provider);
      if (reading?.kind === "ready") routes.push(toRoute(entry, reading));
      if (reading?.kind === "absent") reasons.push(reading.reason);
    }
    const [first, ...rest] = routes;
    if (first) visible.push(toEntry(model, [first, ...rest]));
    else hidden.push({ id: model.id, reason: [...new Set(reasons)].join("; ") });
  }
  return { models: visible, hidden };
}

type RouteText = ModelText["routes"][number];

function toRoute(
  { model: upstreamModel, dataCollection, zdr, parameters }: RouteText,
  { provider, policy }: Extract<ProviderReading, { kind: "ready" }>,
): Route {
  return {
    provider,
    upstreamModel,
    dataCollection: dataCollection ?? policy.dataCollection,
    zdr: zdr ?? policy.zdr,
    parameters,
  };
}

function toEntry(model: ModelText, routes: ModelEntry["routes"]): ModelEntry {
  const shown = {
    name: model.name ?? model.id,
    description: model.description ?? "",
    created: model.created ?? new Date(0),
    routes,
  };
  if (model.operation === "embeddings") {
    const { prices, ...same } = model;
    return { ...same, ...shown, rates: prices };
  }
  const { prices, ...same } = model;
  // For a model that reasons and whose entry says no more, it is not known what its streams leave
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
