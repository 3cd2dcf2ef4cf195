// Switches a model, a route, a provider or the whole service off and on. Every instance follows within a second; calls
// that have begun go on.
import {
  type CatalogFile,
  everything,
  isRouteOff,
  querySwitches,
  type Switch,
  type SwitchTarget,
  switchOff,
  switchOn,
} from "@turnpike/catalog";
import { z } from "zod";
import { line } from "./inputs.ts";
import { recordAction } from "./record-action.ts";
import {
  command,
  everyone,
  type Operator,
  type OperatorServices,
  owners,
  query,
  support,
} from "./verb.ts";

const modelInput = line(200).min(1);
const messageInput = line(500).optional();

/** What its callers are told besides the reason, which they are not. */
type OffTexts = { readonly reason: string; readonly message?: string | undefined };

export const modelSwitchVerbs = {
  off: command({
    roles: support,
    summary: "refuses calls of a model with 503; the message, if any, is what callers read",
    input: { model: modelInput, message: messageInput },
    run: (services, by, { model, ...texts }) =>
      turnOff(services, by, { ...everything, model }, texts),
  }),
  on: command({
    roles: support,
    summary: "offers a model again that was switched off",
    input: { model: modelInput },
    run: (services, by, { model, reason }) =>
      turnOn(services, by, { ...everything, model }, reason),
  }),
};

const routeInput = {
  provider: line(100).min(1),
  /** Without it all of the provider. */
  upstreamModel: line(200).min(1).optional(),
  /** Without it the routes of all models. */
  model: modelInput.optional(),
};

export const routeVerbs = {
  off: command({
    roles: support,
    summary: "calls a route, or all routes of a provider, no more; other routes take over",
    input: routeInput,
    run: (services, by, { reason, ...route }) => turnOff(services, by, targetOf(route), { reason }),
  }),
  on: command({
    roles: support,
    summary: "calls a route or provider again that was switched off",
    input: routeInput,
    run: (services, by, { reason, ...route }) => turnOn(services, by, targetOf(route), reason),
  }),
};

export const maintenanceVerbs = {
  show: query({
    roles: everyone,
    summary: "whether calls are refused for maintenance, and everything else that is switched off",
    input: {},
    async run({ db }) {
      const switches = await querySwitches(db);
      return { switchedOff: switches.map(presentSwitch) };
    },
  }),
  start: command({
    roles: owners,
    summary: "refuses new calls with 503 and Retry-After; the message is what callers read",
    input: {
      message: messageInput,
      retryAfterSeconds: z.number().int().min(1).max(86_400).optional(),
    },
    run: (services, by, texts) => turnOff(services, by, everything, texts),
  }),
  end: command({
    roles: owners,
    summary: "accepts calls again",
    input: {},
    run: (services, by, { reason }) => turnOn(services, by, everything, reason),
  }),
};

function targetOf(route: {
  readonly provider: string;
  readonly upstreamModel?: string | undefined;
  readonly model?: string | undefined;
}): SwitchTarget {
  const { provider, upstreamModel = "", model = "" } = route;
  return { model, provider, upstreamModel };
}

async function turnOff(
  { db, catalogFiles }: OperatorServices,
  by: Operator,
  target: SwitchTarget,
  texts: OffTexts & { readonly retryAfterSeconds?: number | undefined },
) {
  const { reason, message = "", retryAfterSeconds = null } = texts;
  const stored = await db.transaction(async (tx) => {
    await recordAction(tx, by, { action: "switch.off", object: nameOf(target), reason });
    const facts = { reason: reason.trim(), by: by.name, message, retryAfterSeconds };
    return switchOff(tx, { ...target, ...facts });
  });
  return { ...presentSwitch(stored), concerns: concernsOf(catalogFiles.current(), target) };
}

async function turnOn(
  { db }: OperatorServices,
  by: Operator,
  target: SwitchTarget,
  reason: string,
) {
  const removed = await db.transaction(async (tx) => {
    await recordAction(tx, by, { action: "switch.on", object: nameOf(target), reason });
    return switchOn(tx, target);
  });
  return { ...presentSwitch(removed), onAgain: true };
}

/** The models whose calls it changes; a misspelt name concerns none. */
function concernsOf({ models }: CatalogFile, target: SwitchTarget): string[] {
  const isConcerned = (model: CatalogFile["models"][number]) =>
    model.routes.some((route) => isRouteOff(target, model.id, route));
  return models.filter(isConcerned).map(({ id }) => id);
}

export function presentSwitch(one: Switch) {
  const { model, provider, upstreamModel, reason, message, retryAfterSeconds, by, since } = one;
  const facts = { model, provider, upstreamModel, reason, message, retryAfterSeconds, by };
  return { what: nameOf(one), ...facts, since: since.toISOString() };
}

function nameOf({ model, provider, upstreamModel }: SwitchTarget): string {
  const names = [model, provider, upstreamModel].filter((name) => name !== "");
  return names.length === 0 ? "everything" : names.join(" ");
}
