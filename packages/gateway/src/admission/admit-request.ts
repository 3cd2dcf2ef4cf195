// Whether a request may be made at all, regardless of money: its model exists and serves its
// operation, the guardrails of its key allow it now, the model supports what is asked and has a price for it, a route of it may
// answer, and the rates of its key allow one more call.
import { Fault, type FaultCode } from "@turnpike/base";
import {
  atMarkup,
  type ModelRequest,
  matchModel,
  parseSuffix,
  throwMaintenance,
} from "@turnpike/catalog";
import { markupOf, requireAllowedHours, requireAllowedModel } from "@turnpike/keys";
import type { ParsedRequest } from "@turnpike/wire";
import type { Gateway, Principal } from "../gateway.ts";
import type { Admission } from "../rates/limit-rates.ts";
import { type ModelRoutes, planOf, planRoutes, type RoutePlan } from "../routing/plan-routes.ts";
import { checkOperation } from "./check-operation.ts";

/** English prose, roughly. */
const bytesPerToken = 4;

/** A request that may be made, where it may go, and its place in the rates of its key. */
export type Admitted = {
  readonly plan: RoutePlan;
  /** A promise where the database decides. */
  readonly admission: Admission | Promise<Admission>;
};

const noFallbacks: readonly ModelRoutes[] = [];

/** Whether an upstream will be called, or the request is only counted or priced. */
type Purpose = "call" | "measure";

/**
 * Throws, or its admission rejects with, the Fault of the first rule that refuses the request. What is admitted
 * counts against the rates of its key: a rough number of tokens now, corrected when it ends.
 */
export function admitRequest(
  gateway: Pick<Gateway, "catalog" | "limiter" | "routeHealth">,
  principal: Principal,
  request: ParsedRequest,
  purpose: Purpose = "call",
): Admitted {
  if (principal.guardrails !== undefined) requireAllowedHours(principal.guardrails);
  const chooses = { gateway, principal, request, willCall: purpose === "call" };
  const plan =
    request.fallbackModels.length === 0
      ? chooseModel(chooses, request.model)
      : chooseModels(chooses);
  return { plan, admission: gateway.limiter.admit(principal, expectedTokens(plan.modelRequest)) };
}

type Chooses = {
  readonly gateway: Pick<Gateway, "catalog" | "routeHealth">;
  readonly principal: Principal;
  readonly request: ParsedRequest;
  readonly willCall: boolean;
};

/** The named model with its routes. */
function chooseModel(
  { gateway, principal, request, willCall }: Chooses,
  name: string,
  param = "model",
): RoutePlan {
  const catalog = gateway.catalog.current;
  if (willCall && catalog.maintenance !== undefined) throwMaintenance(catalog.maintenance);
  const { id, sort } = parseSuffix(catalog, name);
  const named = matchModel(catalog, request, id, param);
  const modelRequest = atMarkup(named, markupOf(principal.shared?.priceTerms, named.model.id));
  const { guardrails } = principal;
  if (guardrails !== undefined) requireAllowedModel(guardrails, modelRequest.model.id);
  checkOperation(modelRequest);
  const routes = planRoutes(modelRequest, {
    health: gateway.routeHealth,
    accountId: principal.accountId,
    callerId: principal.keyId ?? principal.accountId,
    sort,
    guardrails,
    willCall,
    nowMs: performance.now(),
  });
  return { modelRequest, routes, fallbacks: noFallbacks };
}

/** Reasons why one model cannot answer and the next one of the caller's list may. */
const oneModelsOwn: ReadonlySet<FaultCode> = new Set([
  "unsupported_value",
  "unsupported_parameter",
  "no_endpoints",
  "model_unavailable",
  "model_not_allowed",
  "guardrail_blocked",
  "upstream_overloaded",
]);

/** The models of the caller's list that can answer; throws why the first cannot if none can. */
function chooseModels(chooses: Chooses): RoutePlan {
  const { request } = chooses;
  const able: ModelRoutes[] = [];
  let refused: Fault | undefined;
  for (const [index, name] of [request.model, ...request.fallbackModels].entries()) {
    try {
      const param = index === 0 ? "model" : "models";
      able.push(chooseModel(chooses, name, param));
    } catch (thrown) {
      if (!(thrown instanceof Fault) || !oneModelsOwn.has(thrown.code)) throw thrown;
      refused ??= thrown;
    }
  }
  const plan = planOf(able);
  if (plan !== undefined) return plan;
  throw refused ?? new Error("no model was asked for");
}

function expectedTokens(modelRequest: ModelRequest): number {
  const promptTokens = Math.ceil(modelRequest.request.textBytes / bytesPerToken);
  if (modelRequest.operation === "chat")
    return promptTokens + (modelRequest.request.maxTokens ?? 0);
  let tokens = promptTokens;
  for (const count of modelRequest.request.tokenCounts) tokens += count;
  return tokens;
}
