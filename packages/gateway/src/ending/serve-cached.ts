// The end of a call whose answer an earlier one was charged for: it holds no money and calls no upstream,
// but guardrails must still allow the model, and it counts against the key's rates like any other.
// Recorded here, once.
import { requireAllowedHours, requireAllowedModel } from "@turnpike/keys";
import type { CallFacts } from "@turnpike/ledger";
import type { AuthenticatedCall, Gateway } from "../gateway.ts";
import { refusalTiming } from "../server-timing.ts";

/** What both calls have in common: their bodies are the same. */
export type CachedFacts = Pick<CallFacts, "model" | "endUser" | "streamed" | "usageDetails">;

/** Resolves with the headers that say how the call went. Rejects with the Fault to answer with instead. */
export async function serveCached(
  gateway: Pick<Gateway, "metrics" | "freeCalls" | "limiter">,
  { principal, facts, record, receivedAtMs, trace }: AuthenticatedCall,
  cached: CachedFacts,
): Promise<Readonly<Record<string, string>>> {
  const { guardrails, accountId } = principal;
  if (guardrails !== undefined) {
    requireAllowedHours(guardrails);
    requireAllowedModel(guardrails, cached.model);
  }
  const admission = await gateway.limiter.admit(principal, 0);
  admission.end(0);
  const totalMs = performance.now() - receivedAtMs;
  const status = 200;
  const { model } = Object.assign(facts, cached, { status, outcome: "completed", totalMs });
  gateway.metrics.requestEnded({ model, status, outcome: "cache_hit" });
  trace?.end({ status, outcome: "cache_hit", model, accountId });
  record.isRecorded = true;
  gateway.freeCalls.record(facts);
  return { "server-timing": refusalTiming(totalMs, record.authMs), ...admission.headers };
}
