// The exit table of docs/billing.md as code: what a call is billed for, by how it ended and what the upstream had done
// by then. Nothing else decides what a call costs. What is nearly always known at once is no promise: an async function
// takes six heap cells (decision 16).
import { Fault } from "@turnpike/base";
import {
  boundCutPrompt,
  boundExtras,
  countPrompt,
  estimatePromptTokens,
  type ModelRequest,
  nameVariants,
  outputBound,
  promptMax,
  type Route,
  unreportedOutput,
  usualUnits,
} from "@turnpike/catalog";
import type { CallFacts } from "@turnpike/ledger";
import type { UnitCount } from "@turnpike/terms";
import type { TokenUsage } from "@turnpike/wire";
import type { CallProgress } from "../upstream-log.ts";

/** How a call ended, and the fault that ended it, if one did. */
export type Ending = { readonly outcome: "completed" } | StoppedEnding;

export type StoppedEnding =
  /** The client disconnected first; with `fault` the upstream's answer did not complete either. */
  | { readonly outcome: "client_closed"; readonly fault?: Fault }
  | { readonly outcome: "ended_by_gateway" | "upstream_failed"; readonly fault: Fault };

/** What the bill of a call depends on, besides its ending and the usage that was reported. */
export type BilledProgress = Pick<
  CallProgress,
  "modelRequest" | "route" | "relayedTokens" | "relayedAudioTokens" | "relayedUnits" | "usageSoFar"
> & {
  readonly call: { readonly principal: Pick<CallProgress["call"]["principal"], "accountId"> };
  readonly upstream: Pick<CallProgress["upstream"], "state">;
  readonly reservation: Pick<CallProgress["reservation"], "coveredTokens">;
};

export type BilledUsage = {
  readonly usage: TokenUsage;
  readonly source: Exclude<CallFacts["usageSource"], "none">;
};

/**
 * True for a call whose cost can be seen while it runs: a chat stream without hidden reasoning,
 * without images, files or audio in its prompt, of a provider that stops billing when it is cut.
 * It is cut when its client disconnects, at its status line at the earliest; every other call runs to its end.
 */
export function isBilledAsDelivered(modelRequest: ModelRequest, route: Route): boolean {
  if (modelRequest.operation !== "chat") return false;
  const { model, request } = modelRequest;
  if (!request.stream || model.reasoning === "hidden" || request.hidesReasoning) return false;
  // A field with its own price, such as audio, has a cost that no delta shows.
  if (request.imageCount > 0 || request.fileCount > 0 || request.priceChanging.length > 0) {
    return false;
  }
  return route.provider.cancelledStream === "billed_as_written";
}

/**
 * What the call is charged for; undefined charges nothing. `reported` is the upstream's own usage; without it,
 * what has to be counted is waited for.
 */
export function billEnding(
  ending: Ending,
  progress: BilledProgress,
  reported: TokenUsage | undefined,
): BilledUsage | undefined | Promise<BilledUsage> {
  const { modelRequest, route, upstream, relayedTokens } = progress;
  if (reported !== undefined) return { usage: reported, source: "upstream" };
  if (ending.outcome === "completed") return countUsage(progress, ending);
  if (ending.outcome !== "client_closed") {
    return relayedTokens === 0 ? undefined : countUsage(progress, ending);
  }
  if (upstream.state === "not_asked" || upstream.state === "refused") return undefined;
  if (modelRequest.operation !== "chat") return billLeft(ending, progress);
  if (!isBilledAsDelivered(modelRequest, route)) return estimateUsage(progress);
  // Cut by a bound before its status line, it may have been read; what our restart cut was the client's to lose.
  if (upstream.state === "asked" && ending.fault !== undefined) return undefined;
  return countUsage(progress, ending, boundCutPrompt);
}

/**
 * Of a call beside chat that went on without its client: as its answer was, where it passed here; nothing for one that failed
 * before any of it came; and the most it can have been for one that nobody read.
 */
function billLeft(
  ending: Ending,
  progress: BilledProgress,
): BilledUsage | undefined | Promise<BilledUsage> {
  const hasFailed = ending.outcome !== "completed" && ending.fault !== undefined;
  if (progress.relayedTokens > 0) {
    return countUsage(progress, hasFailed ? ending : { outcome: "completed" });
  }
  return hasFailed ? undefined : estimateUsage(progress);
}

/** The prompt as it was reported or as `count` says, and the output as it passed. */
async function countUsage(
  progress: BilledProgress,
  ending: Ending,
  count: typeof boundCutPrompt = estimatePromptTokens,
): Promise<BilledUsage> {
  const { modelRequest, call } = progress;
  const output = deliveredUsage(progress, ending.outcome === "completed");
  const reported = extendReport(progress, output);
  if (reported !== undefined) return { usage: reported, source: "counted" };
  const counted = await count(modelRequest, call.principal);
  const promptTokens = Math.min(counted, promptMax(modelRequest));
  return { usage: { ...promptUsage(modelRequest, promptTokens), ...output }, source: "counted" };
}

/** The most the call can have used within its hold. */
async function estimateUsage(progress: BilledProgress): Promise<BilledUsage> {
  const { modelRequest, call, reservation } = progress;
  const { rejectedTokens, answersIn } = boundExtras(modelRequest);
  const { answers } = outputBound(modelRequest);
  const completionTokens = Math.min(
    reservation.coveredTokens + rejectedTokens * answers,
    modelRequest.model.contextTokens * answers,
    mostTokens,
  );
  // A rejected prediction is text, and is reserved at the price of text.
  const mediaTokens =
    answersIn === "text" ? 0 : Math.min(reservation.coveredTokens, completionTokens);
  const units = usualUnits(modelRequest, { tokens: completionTokens, isWhole: true });
  const output = outputUsage(progress, completionTokens, mediaTokens, units);
  const reported = extendReport(progress, output);
  if (reported !== undefined) return { usage: reported, source: "estimated" };
  const promptTokens = await countPrompt(modelRequest, call.principal);
  return { usage: { ...promptUsage(modelRequest, promptTokens), ...output }, source: "estimated" };
}

/** The largest value of a database column. */
const mostTokens = 2 ** 31 - 1;

type PromptUsage = Pick<
  TokenUsage,
  "promptTokens" | "cachedTokens" | "cacheWriteTokens" | "audioPromptTokens"
>;
type OutputUsage = Pick<
  TokenUsage,
  | "completionTokens"
  | "reasoningTokens"
  | "audioCompletionTokens"
  | "imageCompletionTokens"
  | "webSearches"
  | "units"
>;

/**
 * The input that an upstream had reported before it broke off, including cached and cache-written tokens,
 * with the output it reported or `output`, whichever is larger. A report without any input is a
 * placeholder of an upstream that reports its counts at the end.
 */
function extendReport({ usageSoFar }: BilledProgress, output: OutputUsage): TokenUsage | undefined {
  if (usageSoFar === undefined || usageSoFar.promptTokens === 0) return undefined;
  return {
    ...usageSoFar,
    completionTokens: Math.max(usageSoFar.completionTokens, output.completionTokens),
    ...largerOf("audioCompletionTokens", usageSoFar, output),
    ...largerOf("webSearches", usageSoFar, output),
  };
}

/** Undefined members are omitted: they mean a call without any. */
function largerOf(
  name: "audioCompletionTokens" | "webSearches",
  usageSoFar: TokenUsage,
  output: OutputUsage,
): Pick<TokenUsage, typeof name> {
  const { [name]: reported } = usageSoFar;
  const { [name]: counted } = output;
  if (reported === undefined && counted === undefined) return {};
  return { [name]: Math.max(reported ?? 0, counted ?? 0) };
}

/**
 * Audio of the prompt at its upper bound; for a WAV file the bound is exact up to the
 * tokens-per-second rate.
 */
function promptUsage(modelRequest: ModelRequest, promptTokens: number): PromptUsage {
  const audioIn = Math.min(boundExtras(modelRequest).audioPromptTokens, promptTokens);
  return {
    promptTokens,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    ...(audioIn > 0 && { audioPromptTokens: audioIn }),
  };
}

/** What was delivered: as it passed, or, where that shows no tokens, the most that as many answers have. */
function deliveredUsage(progress: BilledProgress, isWhole: boolean): OutputUsage {
  const { relayedTokens, relayedAudioTokens, relayedUnits, ...call } = progress;
  const { modelRequest } = call;
  const units = relayedUnits ?? usualUnits(modelRequest, { tokens: relayedTokens, isWhole });
  switch (unreportedOutput(modelRequest)) {
    case "text":
      return outputUsage(call, relayedTokens, relayedAudioTokens, units);
    case "audio":
      return outputUsage(call, relayedTokens, relayedTokens, units);
    case "bound": {
      const { tokens, answers } = outputBound(modelRequest);
      const images = units?.find(({ unit }) => unit === "images")?.count;
      const completionTokens = tokens * Math.min(images ?? answers, answers);
      return outputUsage(call, completionTokens, completionTokens, units);
    }
  }
}

/**
 * `mediaTokens` is the part that is no text. A search precedes its answer, so it is billed with any part of the answer, and so
 * is what is billed by other units.
 */
function outputUsage(
  { modelRequest, route }: Pick<BilledProgress, "modelRequest" | "route">,
  completionTokens: number,
  mediaTokens: number,
  units: readonly UnitCount[],
): OutputUsage {
  const { searches: perAnswer, answersIn } = boundExtras(modelRequest);
  const searches = perAnswer * outputBound(modelRequest).answers;
  return {
    completionTokens,
    reasoningTokens: 0,
    ...(mediaTokens > 0 && mediaCount(answersIn, mediaTokens)),
    ...(searches > 0 && { webSearches: searches }),
    ...(units.length > 0 && { units: nameVariants(modelRequest, route, units) }),
  };
}

/** A stream of text may have audio in it. */
function mediaCount(answersIn: "text" | "audio" | "images", tokens: number) {
  return answersIn === "images"
    ? { imageCompletionTokens: tokens }
    : { audioCompletionTokens: tokens };
}

/** For an answer that had to end with the process: what `billEnding` makes of it. */
export function shuttingDown(
  { relayedTokens }: Pick<BilledProgress, "relayedTokens">,
  reported: TokenUsage | undefined,
): Fault {
  const isBilled = reported !== undefined || relayedTokens > 0;
  const bill = isBilled ? "What was delivered is billed." : "It is not billed; please try again.";
  const sentence = `The gateway is restarting and had to end this answer. ${bill}`;
  return new Fault("shutting_down", sentence);
}
