// What a message costs before it is sent: the input as it stands, at a rough four characters a token, and the price of
// the answer, whose length nobody can tell in advance.

import { addDecimals } from "@turnpike/terms";
import { formatCost, formatPrice } from "../../../lib/format.ts";
import { calculateCost } from "../../../product/prices/calculate-cost.ts";
import type { Asked, Model } from "../conversation/conversation.ts";

const charsPerToken = 4;

/** Undefined without a text, and where the price of a model is not known. */
export function estimateInput(
  asked: readonly (Pick<Asked, "system" | "messages"> & { model: Model | undefined })[],
  draft: string,
): string | undefined {
  const [first] = asked;
  if (first?.model === undefined || draft.trim() === "") return undefined;
  const costs = asked.flatMap(({ model, system, messages }) => {
    if (model === undefined) return [];
    const chars = messages.reduce(
      (sum, { text }) => sum + text.length,
      system.length + draft.length,
    );
    const promptTokens = Math.ceil(chars / charsPerToken);
    return calculateCost(model, { promptTokens });
  });
  if (costs.length < asked.length) return undefined;
  const input = `Input about ${formatCost(addDecimals(costs))}`;
  return asked.length > 1
    ? `${input} for ${asked.length} models`
    : `${input}, output ${formatPrice(first.model.prices.outputUsd)}`;
}
