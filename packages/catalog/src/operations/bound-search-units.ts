// How many search units a rerank request is billed for. A unit is one query with up to 100 documents; a document of more than
// 500 tokens, the query included, is split, and each part counts as one.
// Source: Cohere's FAQ on billing, and Pinecone's guide to its models.
import type { RerankRequest } from "@turnpike/wire";

const tokensPerPart = 500;
const documentsPerUnit = 100;

/** English prose has about as many. */
const bytesPerToken = 4;

/** At most: a token has at least one byte. */
export function boundSearchUnits(request: RerankRequest): number {
  return countUnits(request, 1);
}

/** As many as prose has, for a provider that reports none. */
export function usualSearchUnits(request: RerankRequest): number {
  return countUnits(request, bytesPerToken);
}

function countUnits({ texts, query }: RerankRequest, bytesPer: number): number {
  const queryTokens = Buffer.byteLength(query) / bytesPer;
  let parts = 0;
  for (const text of texts) {
    const tokens = Buffer.byteLength(text) / bytesPer + queryTokens;
    parts += Math.max(1, Math.ceil(tokens / tokensPerPart));
  }
  return Math.ceil(parts / documentsPerUnit);
}
