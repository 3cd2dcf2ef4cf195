// The public status as JSON: of every model that was called in the last ninety days or does not work now, and of each of
// its providers. Shares and times are published, numbers of calls are not.
import type { Catalog, Model, Route } from "@turnpike/catalog";
import { statusHistoryDays } from "@turnpike/db";
import type { RouteHealthBook } from "@turnpike/gateway";
import { type Incident, type ReadStatus, type StatusDay, shareOf } from "@turnpike/reports";

export type StatusState = "operational" | "degraded" | "outage" | "maintenance";

/** By day, oldest first; null where there were too few calls to say. */
type History = {
  readonly availability: readonly (number | null)[];
  readonly firstTokenMs: readonly (number | null)[];
};

export type ComponentStatus = History & {
  readonly state: StatusState;
  /** Over all days; null without calls. */
  readonly overall: number | null;
};

export type ModelStatus = ComponentStatus & {
  readonly id: string;
  readonly name: string;
  readonly providers: readonly (ComponentStatus & { readonly id: string })[];
};

export type StatusDocument = {
  readonly state: StatusState;
  /** The first and the last day of every history. */
  readonly from: string;
  readonly to: string;
  readonly models: readonly ModelStatus[];
  /** Models that work and were not called. */
  readonly uncalledModels: number;
  readonly incidents: readonly Incident[];
};

export type StatusSources = {
  readonly read: Omit<ReadStatus, "figures">;
  readonly catalog: Catalog;
  /** What this process knows, which is newer than what was read. */
  readonly routeHealth: Pick<RouteHealthBook, "of">;
};

const dayMs = 86_400_000;
const anyProvider = "";

export function presentStatus(sources: StatusSources, now: Date): StatusDocument {
  const { read, catalog } = sources;
  const days = Array.from({ length: statusHistoryDays }, (_, index) =>
    dayOf(new Date(now.getTime() - (statusHistoryDays - 1 - index) * dayMs)),
  );
  const rows = Map.groupBy(read.days, ({ model, provider }) => keyOf(model, provider));
  const offered = [...catalog.models.values(), ...(catalog.switchedOff?.values() ?? [])];
  const all = offered.map((model) => presentModel(sources, model, { days, rows }));
  const models = all.filter(({ state, overall }) => state !== "operational" || overall !== null);
  return {
    state: stateOfAll(sources, all),
    from: days[0] ?? "",
    to: days.at(-1) ?? "",
    models,
    uncalledModels: all.length - models.length,
    incidents: read.incidents,
  };
}

type Histories = {
  readonly days: readonly string[];
  readonly rows: ReadonlyMap<string, readonly StatusDay[]>;
};

function presentModel(sources: StatusSources, model: Model, histories: Histories): ModelStatus {
  const byProvider = Map.groupBy(model.routes, ({ provider }) => provider.id);
  const isOff = sources.catalog.switchedOff?.has(model.id) === true;
  const providers = [...byProvider].map(([id, routes]) => {
    const broken = routes.filter((route) => isBroken(sources, route)).length;
    const own = isOff ? "maintenance" : stateOfParts(broken, routes.length);
    const state = worst([own, ...impactsOn(sources.read.incidents, model.id, id)]);
    return { id, state, ...historyOf(histories, model.id, id) };
  });
  const broken = model.routes.filter((route) => isBroken(sources, route)).length;
  const own = isOff ? "maintenance" : stateOfParts(broken, model.routes.length);
  const state = worst([own, ...impactsOn(sources.read.incidents, model.id, anyProvider)]);
  const { id, name } = model;
  return { id, name, state, ...historyOf(histories, id, anyProvider), providers };
}

function isBroken({ read, routeHealth }: StatusSources, route: Route): boolean {
  const { provider, upstreamModel } = route;
  const own = routeHealth.of(route);
  if (own.isOpenForEverybody || own.refused !== undefined) return true;
  // Another instance may have found out first.
  return read.routes.some(
    (known) =>
      known.isBroken && known.provider === provider.id && known.upstreamModel === upstreamModel,
  );
}

function stateOfParts(broken: number, all: number): StatusState {
  if (broken === 0) return "operational";
  return broken === all ? "outage" : "degraded";
}

/**
 * Of what operators say about it now. An incident of one provider is shown at that provider only, and one of all models
 * in the state of everything: repeated at each of them, it would say nothing about any.
 */
function impactsOn(
  incidents: readonly Incident[],
  model: string,
  provider: string,
): readonly StatusState[] {
  const isGeneral = model === "" && provider === "";
  return incidents
    .filter(({ resolvedAt }) => resolvedAt === null)
    .filter((one) => (one.model === "" && one.provider === "" ? isGeneral : true))
    .filter((one) => one.model === "" || one.model === model)
    .filter((one) => one.provider === "" || one.provider === provider)
    .map(({ impact }) => impact);
}

const order: readonly StatusState[] = ["operational", "maintenance", "degraded", "outage"];

function worst(states: readonly StatusState[]): StatusState {
  return states.reduce(
    (found, state) => (order.indexOf(state) > order.indexOf(found) ? state : found),
    "operational",
  );
}

/** All models out is an outage; a part of them is less, however bad it is for that part. */
function stateOfAll({ catalog, read }: StatusSources, models: readonly ModelStatus[]): StatusState {
  if (catalog.maintenance !== undefined) return "maintenance";
  const announced = worst(impactsOn(read.incidents, "", anyProvider));
  if (announced !== "operational") return announced;
  const states = new Set(models.map(({ state }) => state));
  if (states.size === 0 || (states.size === 1 && states.has("operational"))) return "operational";
  if (states.size === 1 && states.has("outage")) return "outage";
  return states.has("outage") || states.has("degraded") ? "degraded" : "maintenance";
}

function historyOf(
  { days, rows }: Histories,
  model: string,
  provider: string,
): History & Pick<ComponentStatus, "overall"> {
  const own = rows.get(keyOf(model, provider)) ?? [];
  const byDay = new Map(own.map((row) => [row.day, row]));
  const total = own.reduce(
    (sum, { answered, failed }) => ({
      answered: sum.answered + answered,
      failed: sum.failed + failed,
    }),
    { answered: 0, failed: 0 },
  );
  return {
    overall: shareOf(total),
    availability: days.map((day) => shareOf(byDay.get(day))),
    firstTokenMs: days.map((day) => byDay.get(day)?.firstTokenMs ?? null),
  };
}

function keyOf(model: string, provider: string): string {
  return `${model}\n${provider}`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
