// What a call was billed for, in the AI SDK's words, and what the gateway says of it besides. Its cost is an exact decimal string,
// as at Vercel's gateway.
import type { JsonObject } from "@turnpike/base";
import { formatUsd } from "@turnpike/terms";
import type { AnswerIdentity, Bill } from "../protocol/pivot.ts";
import type { Specification } from "./call-notes.ts";

export function languageUsage(bill: Bill | undefined, specification: Specification): JsonObject {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } =
    bill?.usage ?? unknown;
  if (specification === 2) {
    return {
      inputTokens: promptTokens,
      outputTokens: completionTokens,
      totalTokens: promptTokens === undefined ? undefined : promptTokens + completionTokens,
      reasoningTokens,
      cachedInputTokens: cachedTokens,
    };
  }
  const isKnown = promptTokens !== undefined;
  return {
    inputTokens: {
      total: promptTokens,
      noCache: isKnown ? Math.max(promptTokens - cachedTokens - cacheWriteTokens, 0) : undefined,
      cacheRead: cachedTokens,
      cacheWrite: cacheWriteTokens,
    },
    outputTokens: {
      total: completionTokens,
      text: isKnown ? Math.max(completionTokens - reasoningTokens, 0) : undefined,
      reasoning: reasoningTokens,
    },
  };
}

/** Of an answer without a bill. */
const unknown = {
  promptTokens: undefined,
  completionTokens: undefined,
  cachedTokens: undefined,
  cacheWriteTokens: undefined,
  reasoningTokens: undefined,
};

/** `providerMetadata` of an answer: what it cost, and the id that `/v1/generation` knows it by. */
export function gatewayMetadata({ id }: AnswerIdentity, bill: Bill | undefined): JsonObject {
  const cost = bill === undefined ? {} : { cost: formatUsd(bill.costNanos) };
  return { gateway: { generationId: id, ...cost } };
}
