// The end of a call whose answer an earlier one was charged for: it holds no money and calls no upstream,
// but guardrails must still allow the model, and it counts against the key's rates like any other.
// Recorded here, once.
import type { GenerationId } from "@turnpike/base";
import { requireAllowedHours, requireAllowedModel } from "@turnpike/keys";
import type { AuthenticatedCall, Gateway } from "./gateway.ts";
import { refuseCall } from "./refuse-call.ts";
import { refusalTiming } from "./server-timing.ts";

export type CachedAnswer = {
  /** The model that answered the call that was charged. */
  readonly model: string;
  readonly streamed: boolean;
  readonly cachedFrom: GenerationId;
  /** Whom both calls name: their bodies are the same. */
  readonly endUser: string | undefined;
};

/** Resolves with the headers that say how the call went. Rejects with a recorded refusal. */
export async function serveCached(
  gateway: Pick<Gateway, "metrics" | "refusals" | "limiter">,
  call: AuthenticatedCall,
  { model, streamed, cachedFrom, endUser }: CachedAnswer,
): Promise<Readonly<Record<string, string>>> {
  const { principal } = call;
  try {
    const { guardrails } = principal;
    if (guardrails !== undefined) {
      requireAllowedHours(guardrails);
      requireAllowedModel(guardrails, model);
    }
    const admission = await gateway.limiter.admit(principal, 0);
    admission.end(0);
    const totalMs = performance.now() - call.receivedAtMs;
    gateway.metrics.requestEnded({ model, status: 200, outcome: "cache_hit" });
    const { accountId } = principal;
    call.trace?.end({ status: 200, outcome: "cache_hit", model, accountId });
    gateway.refusals.record({
      id: call.generationId,
      accountId: principal.accountId,
      keyId: principal.keyId,
      origin: principal.origin,
      operation: call.operation,
      requestId: call.requestId,
      userAgent: call.userAgent,
      app: call.app,
      endUser,
      model,
      streamed,
      status: 200,
      errorCode: null,
      totalMs,
      cachedFrom,
    });
    return { "server-timing": refusalTiming(totalMs, call.authMs), ...admission.headers };
  } catch (thrown) {
    throw refuseCall(gateway, call, {}, thrown);
  }
}
