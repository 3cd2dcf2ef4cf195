// What the ledger gets when a call ends: its cost, and the facts of its row, which are complete with it. The completion
// says how the call went, the bill says what is charged.
import { operatorCost, type PricedUsage, pricesOfCall } from "@turnpike/catalog";
import type { UsageDetails } from "@turnpike/db";
import type { Charge } from "@turnpike/ledger";
import { zeroNanos } from "@turnpike/terms";
import { namesForCaller, type TokenUsage } from "@turnpike/wire";
import type { CallProgress } from "../upstream-log.ts";
import type { BilledUsage, Ending } from "./bill-ending.ts";

export type EndedCall = {
  readonly ending: Ending;
  readonly billed: BilledUsage | undefined;
  /** Undefined if nothing is billed. */
  readonly priced: PricedUsage | undefined;
};

export function describeCharge(call: CallProgress, ended: EndedCall): Charge {
  const { ending, priced } = ended;
  const costNanos = priced?.costNanos ?? zeroNanos;
  completeFacts(call, ended);
  return {
    hold: call.reservation.hold,
    state: costNanos === 0n && ending.outcome !== "completed" ? "released" : "settled",
    costNanos,
  };
}

/** Counts that are not known stay 0, and everything else null. */
function completeFacts(progress: CallProgress, { ending, billed, priced }: EndedCall): void {
  const { modelRequest, route, reservation, finish, firstByteMs, elapsedMs, upstream } = progress;
  const { facts } = reservation.hold.request;
  const usage = billed?.usage;
  if (usage !== undefined) {
    facts.promptTokens = usage.promptTokens;
    facts.completionTokens = usage.completionTokens;
    facts.cachedTokens = usage.cachedTokens;
    facts.cacheWriteTokens = usage.cacheWriteTokens;
    facts.cacheWrite1hTokens = usage.cacheWrite1hTokens ?? 0;
    facts.reasoningTokens = usage.reasoningTokens;
  }
  facts.usageSource = billed?.source ?? "none";
  facts.maxTokens = reservation.maxTokens ?? null;
  facts.status = statusOf(ending, progress);
  facts.outcome = ending.outcome;
  facts.errorCode = ending.outcome === "completed" ? null : (ending.fault?.code ?? null);
  facts.finishReason = finish?.reason ?? null;
  facts.nativeFinishReason = finish?.native ?? null;
  facts.model = modelRequest.model.id;
  facts.provider = route.provider.id;
  facts.priceId = (priced?.price ?? pricesOfCall(modelRequest, route)[0]).id;
  facts.usageDetails = detailsOf(progress, usage, priced) ?? null;
  facts.upstreamId = upstream.upstreamId ?? null;
  facts.attempts = upstream.attempts;
  facts.firstByteMs = firstByteMs;
  facts.overheadMs = Math.max(0, (firstByteMs ?? elapsedMs) - upstream.waitMs);
  facts.totalMs = elapsedMs;
}

/** Undefined for a call that was billed by tokens only and asked as it was. */
function detailsOf(
  { request, modelRequest, route, upstream }: CallProgress,
  usage: TokenUsage | undefined,
  priced: PricedUsage | undefined,
): UsageDetails | undefined {
  const operatorNanos = usage && operatorCost(modelRequest, route, usage);
  const ignored = namesForCaller(upstream.ignored, request);
  // Its absence means something else for the bill, so a count of 0 is kept.
  const cachedAudio = usage?.cachedAudioPromptTokens;
  const { markupBasisPoints: markup } = modelRequest;
  const isPlain =
    priced?.serviceTier === undefined && operatorNanos === undefined && ignored.length === 0;
  if (isPlain && (cachedAudio ?? markup) === undefined && !hasCounts(usage)) return undefined;
  const details: { -readonly [Member in keyof UsageDetails]: UsageDetails[Member] } = {};
  if (priced?.serviceTier !== undefined) details.serviceTier = priced.serviceTier;
  for (const name of counts) {
    const count = usage?.[name] ?? 0;
    if (count > 0) details[name] = count;
  }
  if (usage?.units !== undefined && usage.units.length > 0) details.units = usage.units;
  if (cachedAudio !== undefined) details.cachedAudioPromptTokens = cachedAudio;
  if (operatorNanos !== undefined) details.operatorCostNanos = operatorNanos.toString();
  if (ignored.length > 0) details.ignored = ignored;
  if (markup !== undefined) details.markupBasisPoints = markup;
  return details;
}

function hasCounts(usage: TokenUsage | undefined): boolean {
  for (const name of counts) if ((usage?.[name] ?? 0) > 0) return true;
  return usage?.units !== undefined && usage.units.length > 0;
}

const counts = [
  "audioPromptTokens",
  "audioCompletionTokens",
  "imagePromptTokens",
  "imageCompletionTokens",
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
