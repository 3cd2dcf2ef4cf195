// The exit table of docs/billing.md as code: what a call is billed for, by how it ended and what the
// upstream had done by then. Nothing else decides what a call costs.
import { Fault } from "@turnpike/base";
import {
  boundExtras,
  countPrompt,
  estimatePromptTokens,
  type ModelRequest,
  outputBound,
  promptMax,
  type Route,
} from "@turnpike/catalog";
import type { RequestFacts } from "@turnpike/ledger";
import type { TokenUsage } from "@turnpike/wire";
import type { Reservation } from "./reserve-money.ts";
import type { UpstreamState } from "./upstream-log.ts";

/** How a call ended, and the fault that ended it, if one did. */
export type Ending = { readonly outcome: "completed" } | StoppedEnding;

export type StoppedEnding =
  /** The client left first; with `fault` the upstream's answer did not come to its end either. */
  | { readonly outcome: "client_closed"; readonly fault?: Fault }
  | { readonly outcome: "ended_by_gateway" | "upstream_failed"; readonly fault: Fault };

/** How far a call had come when it ended. */
export type Progress = {
  readonly asked: ModelRequest;
  readonly route: Route;
  readonly upstream: { readonly state: UpstreamState };
  /** Output tokens handed to the client, by our own count. */
  readonly relayedTokens: number;
  /** What the upstream had reported before its answer was complete. */
  readonly usageSoFar: TokenUsage | undefined;
  readonly reservation: Pick<Reservation, "coveredTokens">;
};

export type BilledUsage = {
  readonly usage: TokenUsage;
  readonly source: Exclude<RequestFacts["usageSource"], "none">;
};

/**
 * True for a call whose cost can be seen while it runs: a chat stream without hidden reasoning,
 * without images, files or audio in its prompt, of a provider that stops billing when it is cut.
 * It is cut when its client leaves; every other call runs to its end.
 */
export function isBilledAsDelivered(asked: ModelRequest, route: Route): boolean {
  if (asked.operation !== "chat") return false;
  const { model, request } = asked;
  if (!request.stream || model.reasoning === "hidden" || request.hidesReasoning) return false;
  // A field with a price of its own, audio among them, has a cost that no delta shows.
  if (request.imageCount > 0 || request.fileCount > 0 || request.priceChanging.length > 0) {
    return false;
  }
  return route.provider.cancelledStream === "billed_as_written";
}

/** What the call is charged for; undefined charges nothing. `reported` is the upstream's own usage. */
export async function billEnding(
  ending: Ending,
  progress: Progress,
  reported: TokenUsage | undefined,
): Promise<BilledUsage | undefined> {
  const { asked, route, upstream, relayedTokens } = progress;
  if (reported !== undefined) return { usage: reported, source: "upstream" };
  if (ending.outcome === "completed") return countUsage(progress);
  if (ending.outcome !== "client_closed") {
    return relayedTokens === 0 ? undefined : countUsage(progress);
  }
  if (upstream.state === "not_asked" || upstream.state === "refused") return undefined;
  if (!isBilledAsDelivered(asked, route)) return estimateUsage(progress);
  return upstream.state === "accepted" ? countUsage(progress) : undefined;
}

/** The prompt as it was reported or by a tokeniser, and the output as it passed. */
async function countUsage(progress: Progress): Promise<BilledUsage> {
  const { asked, relayedTokens } = progress;
  const reported = extendReport(progress, relayedTokens);
  if (reported !== undefined) return { usage: reported, source: "counted" };
  const promptTokens = Math.min(await estimatePromptTokens(asked), promptMax(asked));
  return { usage: plainUsage(promptTokens, relayedTokens), source: "counted" };
}

/** The most the call can have used within its hold. */
async function estimateUsage(progress: Progress): Promise<BilledUsage> {
  const { asked, reservation } = progress;
  const { rejectedTokens } = boundExtras(asked);
  const { answers } = outputBound(asked);
  const completionTokens = reservation.coveredTokens + rejectedTokens * answers;
  const reported = extendReport(progress, completionTokens);
  if (reported !== undefined) return { usage: reported, source: "estimated" };
  const promptTokens = await countPrompt(asked);
  return { usage: plainUsage(promptTokens, completionTokens), source: "estimated" };
}

/**
 * What an upstream had reported of its input before it broke off, cached and cache-written tokens among it,
 * with the output it reported or `completionTokens`, whichever is larger. A report without any input is a
 * placeholder of an upstream that counts in the end.
 */
function extendReport({ usageSoFar }: Progress, completionTokens: number): TokenUsage | undefined {
  if (usageSoFar === undefined || usageSoFar.promptTokens === 0) return undefined;
  return {
    ...usageSoFar,
    completionTokens: Math.max(usageSoFar.completionTokens, completionTokens),
  };
}

function plainUsage(promptTokens: number, completionTokens: number): TokenUsage {
  return {
    promptTokens,
    completionTokens,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
}

/** Of an answer that had to end with the process. */
export function shuttingDown(): Fault {
  return new Fault(
    "shutting_down",
    "The gateway is restarting and had to end this answer. What was delivered is billed.",
  );
}
