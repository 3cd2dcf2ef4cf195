// Facts of a model in a few words: what it takes and answers with, and how fast it writes.
import { formatSpeed, noData } from "../../lib/format.ts";
import type { Model } from "./model-query.ts";

const secondMs = 1_000;

/** `text, image → text`. */
export function describeModalities({ inputs, outputs }: Pick<Model, "inputs" | "outputs">): string {
  return `${inputs.join(", ")} → ${outputs.join(", ")}`;
}

/** `86 tok/s`; a dash where it was not measured. */
export function describeSpeed({
  tokensPerSecond,
}: Pick<Model["figures"], "tokensPerSecond">): string {
  return tokensPerSecond === null ? noData : formatSpeed(tokensPerSecond, secondMs);
}
