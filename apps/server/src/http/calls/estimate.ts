// `POST /v1/estimate`: prices the body of any endpoint that calls a model without running it, free.
import { type Catalog, findModel, parseSuffix } from "@turnpike/catalog";
import { estimateCost } from "@turnpike/gateway";
import type { Operation } from "@turnpike/terms";
import { estimateBody, parseAnyRequest } from "@turnpike/wire";
import type { Elysia } from "elysia";
import type { CallIds } from "../answers/answer-fault.ts";
import { answerJson, registerRoute } from "../routes/route.ts";
import { measureCall } from "./measure-call.ts";
import type { CallContext } from "./protocol-route.ts";

export function registerEstimate(app: Pick<Elysia, "all">, context: CallContext): void {
  registerRoute(app, context.services, "/v1/estimate", {
    POST: (request, ids) => estimateCall(context, request, ids),
  });
}

export async function estimateCall(
  context: CallContext,
  request: Request,
  ids: CallIds,
): Promise<Response> {
  const { gateway } = context.services;
  const findOperation = (name: string) => operationOf(gateway.catalog.current, name);
  const { headers, ...estimate } = await measureCall(context, request, (call) => {
    const parsed = call.parse((text) => parseAnyRequest(text, request.headers, findOperation));
    const { principal } = call;
    return estimateCost({ gateway, principal, request: parsed, signal: request.signal });
  });
  return answerJson(ids, estimateBody(estimate), headers);
}

/** Throws `model_not_found`. */
function operationOf(catalog: Catalog, name: string): Operation {
  return findModel(catalog, parseSuffix(catalog, name).id).operation;
}
