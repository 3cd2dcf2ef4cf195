// How the scripted upstream answers `/v1/rerank`, Cohere's `/v2/rerank` and Voyage's `/voyage/v1/rerank`: a document scores the part
// of the query's words that it has. Models whose name ends in `-tokens` bill tokens, as Jina and Voyage do; others bill Cohere's
// search units.
import { countTextTokens, jsonAnswer, type ParseOperation } from "./operation-call.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import type { Script } from "./parse-script.ts";
import {
  type Check,
  checkFields,
  isBoolean,
  isList,
  isNumber,
  isText,
  wrongType,
} from "./refuse-request.ts";
import { reportUsage, type UsageShape } from "./report-usage.ts";

/** Source: Cohere's API reference. */
const cohereDocumentsMax = 10_000;

const document: Check = (value, param) => {
  if (typeof value === "string") return;
  if (typeof fieldsOf(value).text !== "string") throw wrongType(param, "a string or an object");
};

const shared = {
  model: isText(),
  query: isText(),
};
const most = isNumber(1, Number.MAX_SAFE_INTEGER, "integer");
const checks = {
  ...shared,
  top_n: most,
  max_tokens_per_doc: most,
  documents: isList(document, { max: cohereDocumentsMax }),
  return_documents: isBoolean,
};
const cohereChecks = {
  ...shared,
  top_n: most,
  max_tokens_per_doc: most,
  documents: isList(isText(), { max: cohereDocumentsMax }),
  priority: isNumber(0, 999, "integer"),
};

/** Source: Voyage's API reference. */
const voyageChecks = {
  ...shared,
  top_k: most,
  documents: isList(isText(), { max: 1_000 }),
  return_documents: isBoolean,
  truncation: isBoolean,
};

function checksAt(path: string) {
  if (path.startsWith("/v2/")) return cohereChecks;
  return path.startsWith("/voyage/") ? voyageChecks : checks;
}

export const parseRerank: ParseOperation = ({ path, body }) => {
  const parsed: unknown = JSON.parse(body.toString());
  const fields = fieldsOf(parsed);
  const isCohere = path.startsWith("/v2/");
  checkFields(fields, checksAt(path), ["model", "query", "documents"]);
  const query = String(fields.query);
  const given: readonly unknown[] = Array.isArray(fields.documents) ? fields.documents : [];
  const documents = given.map((one) => String(fieldsOf(one).text ?? one));
  const asked: RerankRequest = {
    model: String(fields.model),
    query,
    documents,
    most: Number(fields.top_n ?? fields.top_k ?? documents.length),
    isCohere,
    returnsDocuments: fields.return_documents === true,
  };
  const promptTokens = countRerankTokens(query, documents);
  const { model } = asked;
  const text = query;
  return {
    parsed,
    model,
    isStream: false,
    text,
    promptTokens,
    answer: (script) => rank(asked, script),
  };
};

type RerankRequest = {
  readonly model: string;
  readonly query: string;
  readonly documents: readonly string[];
  readonly most: number;
  readonly isCohere: boolean;
  readonly returnsDocuments: boolean;
};

function rank(asked: RerankRequest, script: Script) {
  const { model, query, documents, most, isCohere, returnsDocuments } = asked;
  const results = documents
    .map((text, index) => ({ index, relevance_score: overlapOf(query, text), text }))
    .toSorted((one, other) => other.relevance_score - one.relevance_score)
    .slice(0, most)
    .map(({ text, ...result }) => ({ ...result, ...(returnsDocuments && { document: { text } }) }));
  const isTokens = model.endsWith("-tokens") && !isCohere;
  const prompt = isTokens
    ? countRerankTokens(query, documents)
    : countSearchUnits(query, documents);
  const counts = { prompt, completion: 0, reasoning: 0, cached: 0 };
  const usage = reportUsage(script.usage, counts, isTokens ? tokenUsage : unitUsage).at(-1);
  const api_version = { version: isCohere ? "2" : "1" };
  if (isTokens) return jsonAnswer({ model, object: "list", results, usage }, usage);
  const meta = { api_version, ...(usage !== undefined && { billed_units: usage }) };
  return jsonAnswer({ id: "rerank-1", ...(!isCohere && { model }), results, meta }, usage);
}

const tokenUsage: UsageShape = {
  of: ({ prompt }) => ({ total_tokens: prompt }),
  plain: (prompt) => ({ total_tokens: prompt }),
};
const unitUsage: UsageShape = {
  of: ({ prompt }) => ({ search_units: prompt }),
  plain: (prompt) => ({ search_units: prompt }),
};

/** Between 0 and 1, with four digits. */
function overlapOf(query: string, text: string): number {
  const wanted = wordsOf(query);
  const found = wordsOf(text);
  const shared = [...wanted].filter((word) => found.has(word));
  return wanted.size === 0 ? 0 : Math.round((shared.length / wanted.size) * 10_000) / 10_000;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

/** The query counts with each document. */
export function countRerankTokens(query: string, documents: readonly string[]): number {
  const perDocument = countTextTokens(query);
  return documents.reduce((sum, text) => sum + perDocument + countTextTokens(text), 0);
}

/** A unit is up to 100 documents; longer ones than 500 tokens, with the query, count for each part of that length. */
export function countSearchUnits(query: string, documents: readonly string[]): number {
  const queryTokens = countTextTokens(query);
  const chunks = documents.map((text) => Math.ceil((queryTokens + countTextTokens(text)) / 500));
  return Math.ceil(chunks.reduce((sum, count) => sum + Math.max(1, count), 0) / 100);
}
