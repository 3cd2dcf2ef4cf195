// The protocol of Gemini's embedContent and batchEmbedContents. The SDKs use only the batch, for one text too.
import { formatGenerationId, type JsonObject } from "@turnpike/base";
import { toUsdNumber } from "@turnpike/terms";
import type { EmbeddingsRequest } from "../embeddings/parse-embeddings-request.ts";
import { vectorsOf } from "../embeddings/vectors-of.ts";
import { geminiEmbeddingsLanguage } from "../protocol/languages.ts";
import type { Bill } from "../protocol/pivot.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { googleErrors } from "./google-errors.ts";
import { type EmbedTarget, parseEmbedRequest } from "./parse-embed-request.ts";

export function embedProtocol(target: EmbedTarget): Protocol<EmbeddingsRequest> {
  return {
    operation: "embeddings",
    language: geminiEmbeddingsLanguage,
    errors: googleErrors,
    parse: (text) => parseEmbedRequest(text, target),
    addressed: `${target.model}\n${target.isBatch ? "batch" : "one"}`,
    answerId: formatGenerationId,
    writeWhole(content, _, bill) {
      const embeddings = vectorsOf(content).map((values) => ({ values }));
      const answer: JsonObject = target.isBatch ? { embeddings } : { embedding: embeddings[0] };
      if (bill !== undefined) answer.usageMetadata = embeddingUsage(bill);
      return JSON.stringify(answer);
    },
  };
}

function embeddingUsage({ usage, costNanos }: Bill): JsonObject {
  return { promptTokenCount: usage.promptTokens, cost: toUsdNumber(costNanos) };
}
