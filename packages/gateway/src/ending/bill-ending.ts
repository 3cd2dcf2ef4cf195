// The exit table of docs/billing.md as code: what a call is billed for, by how it ended and what the upstream had done
// by then. Nothing else decides what a call costs. What is nearly always known at once is no promise: an async function
// takes six heap cells (decision 16).
import { Fault } from "@turnpike/base";
import {
  billsTokens,
  boundCutPrompt,
  boundExtras,
  boundImages,
  countPrompt,
  estimatePromptTokens,
  type ModelRequest,
  type OmittedTokens,
  omittedTokens,
  outputBound,
  promptMax,
  type Route,
  usualUnits,
} from "@turnpike/catalog";
import type { CallFacts } from "@turnpike/ledger";
import type { TokenUsage } from "@turnpike/wire";
import {
  type BilledProgress,
  deliveredUsage,
  hasRelayed,
  type OutputUsage,
  outputUsage,
  withImages,
} from "./delivered-usage.ts";

/** How a call ended, and the fault that ended it, if one did. */
export type Ending = { readonly outcome: "completed" } | StoppedEnding;

export type StoppedEnding =
  /** The client disconnected first; with `fault` the upstream's answer did not complete either. */
  | { readonly outcome: "client_closed"; readonly fault?: Fault }
  | { readonly outcome: "ended_by_gateway" | "upstream_failed"; readonly fault: Fault };

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
  const { modelRequest, route, upstream } = progress;
  if (reported !== undefined) {
    const billed = billReport(progress, reported);
    if (billed !== undefined) return billed;
  }
  if (ending.outcome === "completed") return countUsage(progress, ending);
  if (ending.outcome !== "client_closed") {
    return hasRelayed(progress) ? countUsage(progress, ending) : undefined;
  }
  if (upstream.state === "not_asked" || upstream.state === "refused") return undefined;
  if (modelRequest.operation !== "chat") return billLeft(ending, progress);
  if (!isBilledAsDelivered(modelRequest, route)) return estimateUsage(progress);
  // Cut by a bound before its status line, it may have been read; what our restart cut was the client's to lose.
  if (upstream.state === "asked" && ending.fault !== undefined) return undefined;
  return countUsage(progress, ending, boundCutPrompt);
}

/**
 * As it was reported: zero is a value of a text. What a report leaves out of anything else is as it was counted here; undefined
 * where it has no tokens at all.
 */
function billReport(
  progress: BilledProgress,
  reported: TokenUsage,
): BilledUsage | undefined | Promise<BilledUsage> {
  const { modelRequest, route } = progress;
  if (modelRequest.operation === "chat" && progress.relayedImages === 0) {
    return { usage: withImages(progress, reported), source: "upstream" };
  }
  const omitted = omittedTokens(modelRequest, route, reported, hasRelayed(progress));
  if (!omitted.prompt && !omitted.output) {
    return { usage: withImages(progress, reported), source: "upstream" };
  }
  const isBlank = reported.promptTokens === 0 && reported.completionTokens === 0;
  return isBlank ? undefined : completeReport(progress, reported, omitted);
}

async function completeReport(
  progress: BilledProgress,
  reported: TokenUsage,
  omitted: OmittedTokens,
): Promise<BilledUsage> {
  const { modelRequest, call } = progress;
  const { units: _, ...output } = deliveredUsage(progress, true);
  const counted = omitted.prompt ? await estimatePromptTokens(modelRequest, call.principal) : 0;
  const promptTokens = Math.min(counted, promptMax(modelRequest));
  return {
    usage: {
      ...withImages(progress, reported),
      ...(omitted.prompt && promptUsage(modelRequest, promptTokens)),
      ...(omitted.output && output),
    },
    source: "counted",
  };
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
  if (hasRelayed(progress)) {
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
  if (isByUnits(progress, output)) return { usage: unitsOf(output), source: "counted" };
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
  const mediaTokens = Math.min(reservation.coveredTokens, completionTokens);
  const media = {
    audio: answersIn === "audio" ? mediaTokens : 0,
    images: answersIn === "images" ? mediaTokens : 0,
  };
  const units = usualUnits(modelRequest, { tokens: completionTokens, isWhole: true });
  const output = outputUsage(progress, completionTokens, media, units);
  if (isByUnits(progress, output)) return { usage: unitsOf(output), source: "estimated" };
  const reported = extendReport(progress, output);
  if (reported !== undefined) return { usage: reported, source: "estimated" };
  const promptTokens = await countPrompt(modelRequest, call.principal);
  return { usage: { ...promptUsage(modelRequest, promptTokens), ...output }, source: "estimated" };
}

/** Whether its units are all that a call costs: then tokens of it would be shown that nobody has counted. */
function isByUnits({ modelRequest, route }: BilledProgress, { units }: OutputUsage): boolean {
  if (modelRequest.operation === "chat" || units === undefined) return false;
  return !billsTokens(modelRequest, route);
}

function unitsOf({ units }: OutputUsage): TokenUsage {
  return { ...noTokens, ...(units !== undefined && { units }) };
}

const noTokens = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
} as const;

/** The largest value of a database column. */
const mostTokens = 2 ** 31 - 1;

type PromptUsage = Pick<
  TokenUsage,
  "promptTokens" | "cachedTokens" | "cacheWriteTokens" | "audioPromptTokens" | "imagePromptTokens"
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
    ...largerOf("imageCompletionTokens", usageSoFar, output),
    ...largerOf("webSearches", usageSoFar, output),
  };
}

/** Undefined members are omitted: they mean a call without any. */
function largerOf(
  name: "audioCompletionTokens" | "imageCompletionTokens" | "webSearches",
  usageSoFar: TokenUsage,
  output: OutputUsage,
): Pick<TokenUsage, typeof name> {
  const { [name]: reported } = usageSoFar;
  const { [name]: counted } = output;
  if (reported === undefined && counted === undefined) return {};
  return { [name]: Math.max(reported ?? 0, counted ?? 0) };
}

/**
 * Images and audio of the prompt at their upper bounds; for a WAV file the bound is exact up to the
 * tokens-per-second rate.
 */
function promptUsage(modelRequest: ModelRequest, promptTokens: number): PromptUsage {
  const audioIn = Math.min(boundExtras(modelRequest).audioPromptTokens, promptTokens);
  const imagesIn = Math.min(boundImages(modelRequest), promptTokens - audioIn);
  return {
    promptTokens,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    ...(audioIn > 0 && { audioPromptTokens: audioIn }),
    ...(imagesIn > 0 && { imagePromptTokens: imagesIn }),
  };
}

/** For an answer that had to end with the process: what `billEnding` makes of it. */
export function shuttingDown(
  progress: Pick<BilledProgress, "relayedTokens" | "relayedImages">,
  reported: TokenUsage | undefined,
): Fault {
  const isBilled = reported !== undefined || hasRelayed(progress);
  const bill = isBilled ? "What was delivered is billed." : "It is not billed; please try again.";
  const sentence = `The gateway is restarting and had to end this answer. ${bill}`;
  return new Fault("shutting_down", sentence);
}
