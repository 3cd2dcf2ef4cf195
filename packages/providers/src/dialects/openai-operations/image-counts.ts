// What images are billed by: how many there are, in which form, and the tokens that their provider reports.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import type { UnitCount } from "@turnpike/terms";
import type { TokenUsage } from "@turnpike/wire";
import { countIn, noTokens } from "./operation-answer.ts";

/** With the form that they have, where the upstream says it. */
export function countImages(count: number, { size, quality }: JsonObject): UnitCount {
  const variant = [parseText(quality), parseText(size)].filter((part) => part !== undefined);
  return { unit: "images", count, ...(variant.length > 0 && { variant: variant.join("/") }) };
}

/** By both namings of the counts; undefined if the upstream reports no tokens. */
export function parseImagesUsage(
  usage: unknown,
  units: readonly UnitCount[] | undefined,
): TokenUsage | undefined {
  const promptTokens = countIn(usage, "input_tokens", "prompt_tokens");
  const completionTokens = countIn(usage, "output_tokens", "completion_tokens");
  if (!isObject(usage) || promptTokens === undefined || completionTokens === undefined) {
    return undefined;
  }
  const inputs = usage.input_tokens_details ?? usage.prompt_tokens_details;
  const outputs = usage.output_tokens_details ?? usage.completion_tokens_details;
  return {
    ...noTokens,
    promptTokens,
    completionTokens,
    cachedTokens: countIn(inputs, "cached_tokens") ?? 0,
    imagePromptTokens: countIn(inputs, "image_tokens") ?? 0,
    // What is no text is an image.
    imageCompletionTokens:
      countIn(outputs, "image_tokens") ??
      completionTokens - Math.min(completionTokens, countIn(outputs, "text_tokens") ?? 0),
    ...(units !== undefined && { units }),
  };
}
