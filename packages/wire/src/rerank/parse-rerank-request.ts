// Reads a rerank request: a query, and the documents to order by how well they answer it. Cohere's, Jina's and Voyage's
// names are taken alike; a document is a text, or an object with its text.
import { isObject, type JsonObject } from "@turnpike/base";
import { badValue, missing } from "../checks/body-fault.ts";
import { anyObject, isGiven } from "../checks/check-value.ts";
import { rerankFields } from "../fields/operations/rerank-fields.ts";
import { type OperationRequest, parseOperationBody } from "../operations/operation-request.ts";
import { rerankLanguage } from "../protocol/languages.ts";

export type RerankRequest = OperationRequest<"rerank"> & {
  readonly stream: false;
  readonly query: string;
  /** How many results are wanted; at most one for each document. */
  readonly topCount: number;
  readonly returnsDocuments: boolean;
};

/** Throws the Fault that names the invalid field. */
export function parseRerankRequest(raw: string): RerankRequest {
  const common = parseOperationBody(raw, rerankFields);
  const { parsed } = common;
  const { query, documents: entries, top_n: topN, top_k: topK, max_tokens_per_doc: most } = parsed;
  if (typeof query !== "string") throw missing("query");
  if (!Array.isArray(entries)) throw missing("documents");
  const texts = entries.map((entry, index) => textOf(entry, `documents[${index}]`));
  const asked = isGiven(topN) ? topN : topK;
  let textBytes = Buffer.byteLength(query) * texts.length;
  for (const entry of texts) textBytes += Buffer.byteLength(entry);
  return {
    ...common,
    operation: "rerank",
    language: rerankLanguage,
    stream: false,
    promptStart: () => query,
    inputCount: texts.length,
    textBytes,
    texts,
    tokenCounts: [],
    repeatedText: query,
    ...(typeof most === "number" && { inputTokensMax: most }),
    query,
    topCount: Math.min(typeof asked === "number" ? asked : texts.length, texts.length),
    returnsDocuments: parsed.return_documents === true,
  };
}

function textOf(entry: unknown, path: string): string {
  if (typeof entry === "string") return entry;
  anyObject(entry, path);
  const { text: own, image }: JsonObject = isObject(entry) ? entry : {};
  if (isGiven(image)) throw badValue(`${path}.image`, "documents with images are not supported.");
  if (typeof own !== "string") throw missing(`${path}.text`);
  return own;
}
