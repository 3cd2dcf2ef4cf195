// What a request would cost, without running it: admitted like a call, so that asking is limited like one,
// and free, because nothing is called or held.
import { maxNanos, type Nanos } from "@turnpike/base";
import {
  boundExtras,
  estimatePromptTokens,
  outputBound,
  pricesOfCall,
  refuseOverlongPrompt,
  worstCase,
} from "@turnpike/catalog";
import type { ParsedRequest } from "@turnpike/wire";
import { admitRequest } from "./admit-request.ts";
import type { Gateway, Principal } from "./gateway.ts";

export type RouteEstimate = {
  readonly provider: string;
  readonly promptNanos: Nanos;
  /** With every answer as long as it may be. */
  readonly maxNanos: Nanos;
};

export type CostEstimate = {
  readonly model: string;
  readonly promptTokens: number;
  /** Of one answer. */
  readonly maxOutputTokens: number;
  readonly answers: number;
  /** In the order they would be tried. */
  readonly routes: readonly RouteEstimate[];
  readonly headers: Readonly<Record<string, string>>;
};

/** Rejects with the Fault of the first rule that would refuse the request. */
export async function estimateCost(
  gateway: Pick<Gateway, "catalog" | "limiter" | "routeHealth">,
  principal: Principal,
  request: ParsedRequest,
): Promise<CostEstimate> {
  const { plan, admission } = admitRequest(gateway, principal, request, "measure");
  try {
    const { asked, routes } = plan;
    await refuseOverlongPrompt(asked, principal.accountId);
    const promptTokens = await estimatePromptTokens(asked, principal.accountId);
    const { tokens, answers } = outputBound(asked);
    const extras = boundExtras(asked);
    return {
      model: asked.model.id,
      promptTokens,
      maxOutputTokens: tokens,
      answers,
      routes: routes.map((route) => {
        const dearest = (outputTokens: number) =>
          pricesOfCall(asked, route)
            .map((price) => worstCase(price, promptTokens, outputTokens, answers, extras))
            .reduce(maxNanos);
        return {
          provider: route.provider.id,
          promptNanos: dearest(0),
          maxNanos: dearest(tokens),
        };
      }),
      headers: admission.headers,
    };
  } finally {
    admission.end(0);
  }
}
