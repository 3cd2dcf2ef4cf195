// How many search units a rerank request is billed for. A unit is one query with up to 100 documents; a document of more than
// 500 tokens, the query included, is split, and each part counts as one. What a provider cuts off a document is not billed.
// Source: Cohere's FAQ on billing, and Pinecone's guide to its models.
import type { InputSize, RerankRequest } from "@turnpike/wire";
import type { Model } from "../model.ts";

type RerankCall = { readonly model: Pick<Model, "routes">; readonly request: RerankRequest };

const tokensPerPart = 500;
const documentsPerUnit = 100;

/** English prose has about as many. */
const bytesPerToken = 4;

/** At most: a token has at least one byte. */
export function boundSearchUnits(asked: RerankCall): number {
  return countUnits(asked, 1);
}

/** As many as prose has, for a provider that reports none. */
export function usualSearchUnits(asked: RerankCall): number {
  return countUnits(asked, bytesPerToken);
}

function countUnits({ model, request }: RerankCall, bytesPer: number): number {
  const { texts, query } = request;
  const most = cutAt(model, request);
  const queryTokens = Buffer.byteLength(query) / bytesPer;
  let parts = 0;
  for (const text of texts) {
    const tokens = Math.min(Buffer.byteLength(text) / bytesPer, most) + queryTokens;
    parts += Math.max(1, Math.ceil(tokens / tokensPerPart));
  }
  return Math.ceil(parts / documentsPerUnit);
}

/** The most tokens that all texts have, each with what is read with it. */
export function boundTextTokens(model: Pick<Model, "routes">, request: InputSize): number {
  if (request.inputTokensMax === undefined) return request.textBytes;
  const { texts, repeatedText = "" } = request;
  const most = cutAt(model, request);
  let tokens = Buffer.byteLength(repeatedText) * texts.length;
  for (const text of texts) tokens += Math.min(Buffer.byteLength(text), most);
  return tokens;
}

/** Where every provider that may be asked cuts an input as it is told to. */
function cutAt({ routes }: Pick<Model, "routes">, { inputTokensMax }: InputSize): number {
  const cuts = routes.every(
    ({ provider }) =>
      provider.kind === "openai-compatible" && provider.quirks.rerankCut === "known",
  );
  return (cuts ? inputTokensMax : undefined) ?? Number.POSITIVE_INFINITY;
}
