// The exit table of docs/billing.md as code: what a call is billed for, by how it ended and what the
// upstream had done by then. Nothing else decides what a call costs.
import { Fault } from "@turnpike/base";
import { countPrompt, estimatePromptTokens, type Model } from "@turnpike/catalog";
import type { RequestFacts } from "@turnpike/ledger";
import type { ChatRequest, TokenUsage } from "@turnpike/wire";
import type { Reservation } from "./gateway.ts";

/** How a call ended, and the fault that ended it, if one did. */
export type Ending = { readonly outcome: "completed" } | StoppedEnding;

export type StoppedEnding =
  /** The client left first; with `fault` the upstream's answer did not come to its end either. */
  | { readonly outcome: "client_closed"; readonly fault?: Fault }
  | { readonly outcome: "ended_by_gateway" | "upstream_failed"; readonly fault: Fault };

/** What the upstream did with a call: nothing yet, no answer yet, answered 200, or said no. */
export type UpstreamState = "not_asked" | "asked" | "accepted" | "refused";

export type Progress = {
  readonly model: Model;
  readonly chat: ChatRequest;
  readonly upstream: UpstreamState;
  /** What the upstream reported, if it did. */
  readonly reported: TokenUsage | undefined;
  /** Output tokens handed to the client, by our own count. */
  readonly relayedTokens: number;
  readonly reservation: Pick<Reservation, "coveredTokens">;
};

export type BilledUsage = {
  readonly usage: TokenUsage;
  readonly source: Exclude<RequestFacts["usageSource"], "none">;
};

/**
 * True for a call whose cost can be seen while it runs: a stream without reasoning out of sight,
 * without images, files or audio in its prompt, of a provider that stops billing when it is cut.
 * It is cut when its client leaves; every other call runs to its end.
 */
export function isBilledAsDelivered(model: Model, chat: ChatRequest): boolean {
  if (!chat.stream || model.reasoning === "hidden" || chat.hidesReasoning) return false;
  // A field with a price of its own, audio among them, has a cost that no delta shows.
  if (chat.imageCount > 0 || chat.fileCount > 0 || chat.priceChanging.length > 0) return false;
  return model.routes[0].provider.quirks.cancelledStream === "billed_as_written";
}

/** What the call is charged for; undefined charges nothing. */
export async function billEnding(
  ending: Ending,
  progress: Progress,
): Promise<BilledUsage | undefined> {
  const { model, chat, upstream, reported, relayedTokens } = progress;
  if (reported !== undefined) return { usage: reported, source: "upstream" };
  if (ending.outcome === "completed") return countUsage(progress);
  if (ending.outcome !== "client_closed") {
    return relayedTokens === 0 ? undefined : countUsage(progress);
  }
  if (upstream === "not_asked" || upstream === "refused") return undefined;
  if (!isBilledAsDelivered(model, chat)) return estimateUsage(progress);
  return upstream === "accepted" ? countUsage(progress) : undefined;
}

/** The prompt by a tokeniser, and the output as it passed. */
async function countUsage({ model, chat, relayedTokens }: Progress): Promise<BilledUsage> {
  const promptTokens = Math.min(await estimatePromptTokens(model, chat), model.contextTokens);
  return { usage: plainUsage(promptTokens, relayedTokens), source: "counted" };
}

/** The most the call can have used within its hold. */
async function estimateUsage({ model, chat, reservation }: Progress): Promise<BilledUsage> {
  const promptTokens = await countPrompt(model, chat);
  return { usage: plainUsage(promptTokens, reservation.coveredTokens), source: "estimated" };
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
