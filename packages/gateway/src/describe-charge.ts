// What the ledger gets when a call ends: its cost, and the facts of its row. Pure: the completion says
// how the call went, the bill says what is charged.
import { zeroNanos } from "@turnpike/base";
import { operatorCost, type PricedUsage, pricesOfCall } from "@turnpike/catalog";
import type { UsageDetails } from "@turnpike/db";
import type { Charge, RequestFacts } from "@turnpike/ledger";
import { namesForCaller, type TokenUsage } from "@turnpike/wire";
import type { BilledUsage, Ending } from "./bill-ending.ts";
import type { CallProgress } from "./upstream-log.ts";

export type EndedCall = {
  readonly ending: Ending;
  readonly billed: BilledUsage | undefined;
  /** Undefined if nothing is billed. */
  readonly priced: PricedUsage | undefined;
};

export function describeCharge(call: CallProgress, ended: EndedCall): Charge {
  const { ending, priced } = ended;
  const costNanos = priced?.costNanos ?? zeroNanos;
  return {
    hold: call.reservation.hold,
    state: costNanos === 0n && ending.outcome !== "completed" ? "released" : "settled",
    costNanos,
    facts: describeFacts(call, ended),
  };
}

function describeFacts(call: CallProgress, { ending, billed, priced }: EndedCall): RequestFacts {
  const { matched, route, finish, firstByteMs, elapsedMs, upstream } = call;
  const usage = billed?.usage;
  const fault = ending.outcome === "completed" ? undefined : ending.fault;
  return {
    promptTokens: usage?.promptTokens ?? 0,
    completionTokens: usage?.completionTokens ?? 0,
    cachedTokens: usage?.cachedTokens ?? 0,
    cacheWriteTokens: usage?.cacheWriteTokens ?? 0,
    cacheWrite1hTokens: usage?.cacheWrite1hTokens ?? 0,
    reasoningTokens: usage?.reasoningTokens ?? 0,
    usageSource: billed?.source ?? "none",
    maxTokens: call.reservation.maxTokens ?? null,
    status: statusOf(ending, call),
    outcome: ending.outcome,
    errorCode: fault?.code ?? null,
    finishReason: finish?.reason ?? null,
    nativeFinishReason: finish?.native ?? null,
    model: matched.model.id,
    provider: route.provider.id,
    priceId: (priced?.price ?? pricesOfCall(matched, route)[0]).id,
    usageDetails: detailsOf(call, usage, priced),
    upstreamId: upstream.upstreamId ?? null,
    attempts: upstream.attempts,
    firstByteMs,
    overheadMs: Math.max(0, (firstByteMs ?? elapsedMs) - upstream.waitMs),
    totalMs: elapsedMs,
  };
}

/** Undefined for a call that was billed by tokens only and asked as it was. */
function detailsOf(
  { request, matched, route, upstream }: CallProgress,
  usage: TokenUsage | undefined,
  priced: PricedUsage | undefined,
): UsageDetails | undefined {
  const operatorNanos = usage && operatorCost(matched, route, usage);
  const ignored = namesForCaller(upstream.ignored, request);
  // Its absence means something else for the bill, so a count of 0 is kept.
  const cachedAudio = usage?.cachedAudioPromptTokens;
  const { markupBasisPoints: markup } = matched;
  const isPlain =
    priced?.serviceTier === undefined && operatorNanos === undefined && ignored.length === 0;
  if (isPlain && (cachedAudio ?? markup) === undefined && !hasCounts(usage)) return undefined;
  const details: { -readonly [Member in keyof UsageDetails]: UsageDetails[Member] } = {};
  if (priced?.serviceTier !== undefined) details.serviceTier = priced.serviceTier;
  for (const name of counts) {
    const count = usage?.[name] ?? 0;
    if (count > 0) details[name] = count;
  }
  if (cachedAudio !== undefined) details.cachedAudioPromptTokens = cachedAudio;
  if (operatorNanos !== undefined) details.operatorCostNanos = operatorNanos.toString();
  if (ignored.length > 0) details.ignored = ignored;
  if (markup !== undefined) details.markupBasisPoints = markup;
  return details;
}

function hasCounts(usage: TokenUsage | undefined): boolean {
  for (const name of counts) if ((usage?.[name] ?? 0) > 0) return true;
  return false;
}

const counts = [
  "audioPromptTokens",
  "audioCompletionTokens",
  "acceptedPredictionTokens",
  "rejectedPredictionTokens",
  "webSearches",
] as const satisfies readonly (keyof UsageDetails & keyof TokenUsage)[];

/** What the client saw in its own protocol, or 499 if it did not wait for it. */
export function statusOf(
  ending: Ending,
  { call, committed }: Pick<CallProgress, "call" | "committed">,
): number {
  if (ending.outcome === "completed") return 200;
  if (ending.outcome === "client_closed") return 499;
  if (committed) return 200;
  return call.errors.statusOf(ending.fault);
}
