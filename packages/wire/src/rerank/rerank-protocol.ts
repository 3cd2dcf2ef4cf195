// The rerank protocol: one answer that Cohere's, Jina's and OpenRouter's clients can read, its results sorted by score.
import { formatGenerationId, type JsonObject } from "@turnpike/base";
import { toUsdNumber } from "@turnpike/terms";
import { openaiErrors } from "../errors/error-format.ts";
import { rerankLanguage } from "../protocol/languages.ts";
import type { Bill } from "../protocol/pivot.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { parseRerankRequest, type RerankRequest } from "./parse-rerank-request.ts";

export const rerankProtocol: Protocol<RerankRequest> = {
  operation: "rerank",
  language: rerankLanguage,
  errors: openaiErrors,
  parse: parseRerankRequest,
  answerId: formatGenerationId,
  writeWhole(content, { id, model, provider }, bill, { texts, returnsDocuments }) {
    if (content.kind !== "ranking") throw new Error("another answer to a rerank request");
    const results = content.results.map(({ index, score }) => ({
      index,
      relevance_score: score,
      ...(returnsDocuments && { document: { text: texts[index] ?? "" } }),
    }));
    return JSON.stringify({
      id,
      object: "list",
      model,
      ...(provider !== undefined && { provider }),
      results,
      ...(bill !== undefined && billMembers(bill)),
    });
  },
};

/** OpenRouter's counts in `usage`, and Cohere's in `meta`. */
function billMembers({ usage, costNanos }: Bill): JsonObject {
  const searchUnits = usage.units?.find(({ unit }) => unit === "searchUnits")?.count;
  return {
    usage: {
      total_tokens: usage.promptTokens,
      ...(searchUnits !== undefined && { search_units: searchUnits }),
      cost: toUsdNumber(costNanos),
    },
    meta: {
      api_version: { version: "2" },
      billed_units: {
        ...(searchUnits === undefined
          ? { input_tokens: usage.promptTokens }
          : { search_units: searchUnits }),
      },
    },
  };
}
