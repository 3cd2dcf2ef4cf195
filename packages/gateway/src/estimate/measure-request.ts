// What counting a prompt and pricing a request have in common: they are admitted like a call, so that they are limited in
// the same way, and free, because nothing is called or held: what bounds them is the time that counting takes.
import { toFault } from "@turnpike/base";
import type { CountCaller } from "@turnpike/catalog";
import { nameForCaller, type ParsedRequest } from "@turnpike/wire";
import { admitRequest } from "../admission/admit-request.ts";
import type { Gateway, Principal } from "../gateway.ts";
import type { RoutePlan } from "../routing/plan-routes.ts";

export type MeasuredRequest = {
  readonly gateway: Pick<Gateway, "catalog" | "limiter" | "routeHealth" | "countBudget">;
  readonly principal: Principal;
  readonly request: ParsedRequest;
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal;
};

/**
 * Resolves with what `measure` finds and the rate headers of the caller. Rejects with the Fault of the first rule that
 * would refuse the request, and once `signal` aborts. Each text of the prompt is counted once for each of `texts`.
 */
export async function measureRequest<Result extends object>(
  { gateway, principal, request, signal }: MeasuredRequest,
  texts: (plan: RoutePlan) => number,
  measure: (plan: RoutePlan, caller: CountCaller) => Promise<Result>,
): Promise<Result & { readonly headers: Readonly<Record<string, string>> }> {
  const { accountId } = principal;
  try {
    const admitted = admitRequest(gateway, principal, request, "measure");
    const { plan } = admitted;
    const admission = await admitted.admission;
    try {
      const time = gateway.countBudget.take(accountId, request.textBytes * texts(plan));
      try {
        const measured = await measure(plan, { accountId, signal, onSpent: time.spend });
        return { ...measured, headers: admission.headers };
      } finally {
        time.end();
      }
    } finally {
      admission.end(0);
    }
  } catch (thrown) {
    throw nameForCaller(toFault(thrown), request);
  }
}
