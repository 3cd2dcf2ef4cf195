// The end of a call that never held money: counted in the metrics, and if its principal is known,
// shown in the logs without money. Every refusal before the reservation is recorded here, once.
import type { Fault } from "@turnpike/base";
import { faultOfThrown } from "@turnpike/db";
import { brokenRuleOf } from "@turnpike/keys";
import { endUserOf, findModel, type ParsedRequest } from "@turnpike/wire";
import type { AuthenticatedCall, Call, Gateway, IncomingCall } from "./gateway.ts";
import type { Admission } from "./limit-rates.ts";
import { reachedBudgetOf } from "./refuse-hold.ts";
import { refusalTiming } from "./server-timing.ts";

/** Records the refusal and returns the Fault to answer with. `known` is what was known by then. */
export function refuseCall(
  gateway: Pick<Gateway, "metrics" | "refusals">,
  call: IncomingCall & Partial<AuthenticatedCall & Pick<Call<ParsedRequest>, "text">>,
  known: { readonly request?: ParsedRequest; readonly admission?: Admission },
  thrown: unknown,
): Fault {
  const { principal } = call;
  const { request, admission } = known;
  const fault = faultOfThrown(thrown);
  admission?.end(0);
  const status = call.errors.statusOf(fault);
  gateway.metrics.requestEnded({ model: request?.model, status, outcome: fault.code });
  call.trace?.end({
    status,
    outcome: fault.code,
    error: fault.code,
    model: request?.model,
    accountId: principal?.accountId,
  });
  const elapsedMs = performance.now() - call.receivedAtMs;
  if (principal !== undefined) {
    gateway.refusals.record({
      id: call.generationId,
      accountId: principal.accountId,
      keyId: principal.keyId,
      origin: principal.origin,
      operation: call.operation,
      requestId: call.requestId,
      userAgent: call.userAgent,
      app: call.app,
      endUser: request && endUserOf(request),
      model: request?.model ?? (call.text === undefined ? "" : findModel(call.text)),
      streamed: request?.stream ?? false,
      status,
      errorCode: fault.code,
      refusal: {
        message: fault.storedMessage,
        param: fault.details.param,
        budget: reachedBudgetOf(fault),
        guardrail: brokenRuleOf(fault),
      },
      totalMs: elapsedMs,
    });
  }
  const timing = { "server-timing": refusalTiming(elapsedMs, call.authMs) };
  return fault.withHeaders({ ...timing, ...admission?.headers });
}
