// What an answer used of which its provider reported nothing that can be billed: as it passed here, by our own count, or the most
// that it can have been where nothing shows it.
import {
  answeredImageTokens,
  boundExtras,
  boundImages,
  type ModelRequest,
  nameVariants,
  outputBound,
  unreportedOutput,
  usualUnits,
} from "@turnpike/catalog";
import type { UnitCount } from "@turnpike/terms";
import type { TokenUsage } from "@turnpike/wire";
import type { CallProgress } from "../upstream-log.ts";

/** What the bill of a call depends on, besides its ending and the usage that was reported. */
export type BilledProgress = Pick<
  CallProgress,
  | "modelRequest"
  | "route"
  | "relayedTokens"
  | "relayedAudioTokens"
  | "relayedImages"
  | "relayedUnits"
  | "usageSoFar"
> & {
  readonly call: { readonly principal: Pick<CallProgress["call"]["principal"], "accountId"> };
  readonly upstream: Pick<CallProgress["upstream"], "state">;
  readonly reservation: Pick<CallProgress["reservation"], "coveredTokens">;
};

export type OutputUsage = Pick<
  TokenUsage,
  | "completionTokens"
  | "reasoningTokens"
  | "audioCompletionTokens"
  | "imageCompletionTokens"
  | "webSearches"
  | "units"
>;

/** Whether anything of the answer has passed. */
export function hasRelayed({
  relayedTokens,
  relayedImages,
}: Pick<BilledProgress, "relayedTokens" | "relayedImages">): boolean {
  return relayedTokens > 0 || relayedImages > 0;
}

/** What was delivered: as it passed, or, where that shows no tokens, the most that as many answers have. */
export function deliveredUsage(progress: BilledProgress, isWhole: boolean): OutputUsage {
  const { relayedTokens, relayedAudioTokens, relayedImages, relayedUnits, ...call } = progress;
  const { modelRequest } = call;
  const units = relayedUnits ?? usualUnits(modelRequest, { tokens: relayedTokens, isWhole });
  switch (unreportedOutput(modelRequest)) {
    case "text": {
      const images = answeredImageTokens(modelRequest, relayedImages);
      return outputUsage(
        call,
        relayedTokens + images,
        { audio: relayedAudioTokens, images },
        units,
      );
    }
    case "audio":
      return outputUsage(call, relayedTokens, { audio: relayedTokens, images: 0 }, units);
    case "bound": {
      const { tokens, answers } = outputBound(modelRequest);
      const count = units?.find(({ unit }) => unit === "images")?.count;
      const images = tokens * Math.min(count ?? answers, answers);
      return outputUsage(call, images, { audio: 0, images }, units);
    }
  }
}

/** The parts of an output that are no text. */
type MediaTokens = { readonly audio: number; readonly images: number };

/**
 * A search precedes its answer, so it is billed with any part of the answer, and so is what is billed by other units. A stream of
 * text may have media in it.
 */
export function outputUsage(
  { modelRequest, route }: Pick<BilledProgress, "modelRequest" | "route">,
  completionTokens: number,
  { audio, images }: MediaTokens,
  units: readonly UnitCount[],
): OutputUsage {
  const searches = boundExtras(modelRequest).searches * outputBound(modelRequest).answers;
  return {
    completionTokens,
    reasoningTokens: 0,
    ...(audio > 0 && { audioCompletionTokens: audio }),
    ...(images > 0 && { imageCompletionTokens: images }),
    ...(searches > 0 && { webSearches: searches }),
    ...(units.length > 0 && { units: nameVariants(modelRequest, route, units) }),
  };
}

/** A report that does not say which part of it images are, of the inputs to embed or of the answer to a chat: as much as they can be. */
export function withImages(progress: BilledProgress, reported: TokenUsage): TokenUsage {
  const { modelRequest, relayedImages } = progress;
  if (modelRequest.operation === "embeddings") return withEmbedded(modelRequest, reported);
  if (relayedImages === 0 || reported.imageCompletionTokens !== undefined) return reported;
  const { completionTokens, reasoningTokens } = reported;
  const most = answeredImageTokens(modelRequest, relayedImages);
  const imageCompletionTokens = Math.min(most, completionTokens - reasoningTokens);
  return imageCompletionTokens > 0 ? { ...reported, imageCompletionTokens } : reported;
}

function withEmbedded(modelRequest: ModelRequest, reported: TokenUsage): TokenUsage {
  const most = boundImages(modelRequest);
  if (most === 0 || reported.imagePromptTokens !== undefined) return reported;
  return { ...reported, imagePromptTokens: Math.min(most, reported.promptTokens) };
}
