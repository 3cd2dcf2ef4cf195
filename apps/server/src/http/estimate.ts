// `POST /v1/estimate`: prices the body of any endpoint that calls a model without running it, free.
import { type Catalog, findModel, readSuffix } from "@turnpike/catalog";
import { admitCall, estimateCost } from "@turnpike/gateway";
import { estimateBody, type Operation, parseAnyRequest } from "@turnpike/wire";
import type { Elysia } from "elysia";
import type { CallIds } from "./answer-fault.ts";
import type { CallContext } from "./protocol-route.ts";
import { bodyMaxBytes, declaredBytes, readBody } from "./read-body.ts";
import { answerJson, registerRoute } from "./route.ts";
import { resolveForEstimate } from "./stored-items.ts";

export function registerEstimate(app: Pick<Elysia, "all">, context: CallContext): void {
  registerRoute(app, context.services, "/v1/estimate", {
    POST: (request, ids) => answerEstimate(context, request, ids),
  });
}

async function answerEstimate(
  { services, authenticate }: CallContext,
  request: Request,
  ids: CallIds,
): Promise<Response> {
  const { gateway } = services;
  await admitCall(gateway);
  const principal = await authenticate(request);
  gateway.countBudget.refuseSpent(principal.accountId);
  const place = gateway.limiter.enter(principal, declaredBytes(request, bodyMaxBytes));
  try {
    const text = await readBody(request, bodyMaxBytes, { place });
    const caller = { principal, headers: request.headers };
    const whole = await resolveForEstimate(services, caller, text, place);
    const asked = parseAnyRequest(whole, request.headers, (name) =>
      operationOf(gateway.catalog.current, name),
    );
    place.countParsed(asked.parsedBytes ?? 0);
    const { headers, ...estimate } = await estimateCost(gateway, principal, asked, request.signal);
    return answerJson(ids, estimateBody(estimate), headers);
  } finally {
    place.leave();
  }
}

/** Throws `model_not_found`. */
function operationOf(catalog: Catalog, name: string): Operation {
  return findModel(catalog, readSuffix(catalog, name).id).operation;
}
