// Facts of a model in a few words: what it takes and answers with, and how fast it writes.
import { formatCount, formatDuration, formatSpeed, noData } from "../../lib/format.ts";
import type { Model } from "./model-query.ts";

const secondMs = 1_000;

/** `text, image → text`. */
export function describeModalities({ inputs, outputs }: Pick<Model, "inputs" | "outputs">): string {
  return `${inputs.join(", ")} → ${outputs.join(", ")}`;
}

type Limits = Pick<Model, "media" | "contextTokens" | "maxOutputTokens">;

/** How much one request may have: of images and audio in their own units. */
export function describeLimits(model: Limits): readonly (readonly [string, string])[] {
  const { media, contextTokens, maxOutputTokens } = model;
  switch (media?.kind) {
    case "image":
      return [
        ["Images per request", `At most ${formatCount(media.maxImages)}`],
        ["Images to edit", media.inputImages === 0 ? "None" : `At most ${media.inputImages}`],
        ["Usual sizes", media.sizes.join(", ")],
        ...(media.qualities.length > 0 ? [["Qualities", media.qualities.join(", ")] as const] : []),
      ];
    case "speech":
      return [
        ["Longest text", `${formatCount(media.maxCharacters)} characters`],
        ["Voices", media.voices.length > 0 ? media.voices.join(", ") : "Those of its provider"],
      ];
    case "transcription":
      return [["Longest audio", formatDuration(media.maxSeconds * secondMs)]];
    default:
      return [
        ["Context window", `${formatCount(contextTokens)} tokens`],
        ...(maxOutputTokens === null
          ? []
          : [["Max output", `${formatCount(maxOutputTokens)} tokens`] as const]),
      ];
  }
}

/** `86 tok/s`; a dash where it was not measured. */
export function describeSpeed({
  tokensPerSecond,
}: Pick<Model["figures"], "tokensPerSecond">): string {
  return tokensPerSecond === null ? noData : formatSpeed(tokensPerSecond, secondMs);
}
