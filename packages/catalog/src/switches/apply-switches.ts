// The catalog without what is switched off. A model that has no route left is refused as switched off, and is not
// confused with one that never existed.
import { Fault } from "@turnpike/base";
import type { Catalog, Maintenance, Model, Route } from "../model.ts";
import type { Switch, SwitchTarget } from "./switch.ts";

/** The same objects where nothing is switched off: what is known about a route stays with it. */
export function applySwitches(catalog: Catalog, switches: readonly Switch[]): Catalog {
  if (switches.length === 0) return catalog;
  const models = new Map<string, Model>();
  const switchedOff = new Map<string, Model>();
  for (const model of catalog.models.values()) {
    const left = withoutRoutes(model, switches);
    if (left === undefined) switchedOff.set(model.id, model);
    else models.set(model.id, left);
  }
  const maintenance = switches.find(isEverything);
  return {
    version: catalog.version,
    models,
    switchedOff,
    messages: new Map(
      switches.filter(isModel).map(({ model, message }) => [model, message] as const),
    ),
    ...(maintenance && { maintenance }),
  };
}

export function isEverything({ model, provider }: SwitchTarget): boolean {
  return model === "" && provider === "";
}

function isModel({ model, provider }: SwitchTarget): boolean {
  return model !== "" && provider === "";
}

/** Undefined if none is left. */
function withoutRoutes(model: Model, switches: readonly Switch[]): Model | undefined {
  const isOff = (route: Route) =>
    switches.some((one) => !isEverything(one) && isRouteOff(one, model.id, route));
  if (!model.routes.some(isOff)) return model;
  const [first, ...others] = model.routes.filter((route) => !isOff(route));
  return first && { ...model, routes: [first, ...others] };
}

const maintenanceWaitSeconds = 60;

/** Throws `maintenance`. */
export function throwMaintenance({ message, retryAfterSeconds }: Maintenance): never {
  const sentence = "We are doing maintenance and accept no requests. Nothing was charged.";
  const retryAfterMs = (retryAfterSeconds ?? maintenanceWaitSeconds) * 1_000;
  throw new Fault("maintenance", message === "" ? sentence : message, { retryAfterMs });
}

/** Whether the switch concerns this route of this model. */
export function isRouteOff(
  one: SwitchTarget,
  modelId: string,
  route: { readonly provider: { readonly id: string }; readonly upstreamModel: string },
): boolean {
  return (
    (one.model === "" || one.model === modelId) &&
    (one.provider === "" || one.provider === route.provider.id) &&
    (one.upstreamModel === "" || one.upstreamModel === route.upstreamModel)
  );
}
