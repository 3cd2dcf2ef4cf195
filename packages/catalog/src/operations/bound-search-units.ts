// How many search units a rerank request is billed for. A unit is one query with up to 100 documents; a document of more than
// 500 tokens, the query included, is split, and each part counts as one.
// Source: Cohere's FAQ on billing, and Pinecone's guide to its models.
import type { RerankRequest } from "@turnpike/wire";

const tokensPerPart = 500;
const documentsPerUnit = 100;

/** At most: a token has at least one byte. */
export function boundSearchUnits({ texts, query, maxTokensPerDocument }: RerankRequest): number {
  const queryTokens = Buffer.byteLength(query);
  const most = maxTokensPerDocument ?? Number.POSITIVE_INFINITY;
  let parts = 0;
  for (const text of texts) {
    const tokens = Math.min(Buffer.byteLength(text), most) + queryTokens;
    parts += Math.max(1, Math.ceil(tokens / tokensPerPart));
  }
  return Math.ceil(parts / documentsPerUnit);
}
