// Rerank as Cohere, Jina, OpenRouter, Together, Voyage and local servers serve it under `/rerank`. Their requests differ in
// one name, their answers in the names of the list, of the score and of what is billed.
import { isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import {
  type RankedDocument,
  type RerankRequest,
  rerankLanguage,
  type TokenUsage,
} from "@turnpike/wire";
import type { Dialect, OpenaiProvider, UpstreamCall, WholeAnswer } from "../../provider.ts";
import { refuse, unreadable } from "../../refusals/refuse.ts";
import { acceptBody, acceptUnread } from "../accept-body.ts";
import { parseCount } from "../openai/parse-usage.ts";
import { countIn, noTokens, operationRequest } from "./operation-answer.ts";

type RerankCall = UpstreamCall<RerankRequest, OpenaiProvider>;

export const rerankDialect: Dialect<RerankRequest, OpenaiProvider> = {
  language: rerankLanguage,
  buildRequest(call) {
    const { request, provider, upstreamModel } = call;
    const { query, texts, topCount, inputTokensMax } = request;
    return operationRequest(call, "/rerank", {
      model: upstreamModel,
      query,
      documents: texts,
      [provider.quirks.rerankTop]: topCount,
      ...(inputTokensMax !== undefined && { max_tokens_per_doc: inputTokensMax }),
    });
  },
  parseWhole(call, text, headers): WholeAnswer {
    const body = acceptBody(parseObject(text), call, headers);
    return {
      kind: "whole",
      upstreamId: parseText(body.id),
      content: { kind: "ranking", results: parseResults(call, body) },
      usage: parseRerankUsage(body),
      finish: null,
      deliveredTokens: 0,
    };
  },
  parseUnread: (call, members, headers) => acceptUnread(members, call, headers, parseRerankUsage),
  refuse,
};

/** The best first. Throws if a document is named twice or was not sent, or a score is no number. */
function parseResults({ request }: RerankCall, body: JsonObject): readonly RankedDocument[] {
  const list = body.results ?? body.data;
  if (!Array.isArray(list) || list.length > request.texts.length) throw unreadable();
  const seen = new Set<number>();
  const results = list.map((entry: unknown): RankedDocument => {
    if (!isObject(entry)) throw unreadable();
    const index = parseCount(entry.index);
    const score = entry.relevance_score ?? entry.score;
    if (index === undefined || index >= request.texts.length || seen.has(index)) throw unreadable();
    if (typeof score !== "number" || !Number.isFinite(score)) throw unreadable();
    seen.add(index);
    return { index, score };
  });
  return results.sort((a, b) => b.score - a.score).slice(0, request.topCount);
}

/** Cohere bills search units, the others tokens; undefined if neither is reported. */
function parseRerankUsage({ usage, meta }: JsonObject): TokenUsage | undefined {
  const billed = isObject(meta) ? meta.billed_units : undefined;
  const searchUnits = countIn(billed, "search_units") ?? countIn(usage, "search_units");
  const tokens =
    countIn(usage, "total_tokens", "prompt_tokens", "input_tokens") ??
    countIn(billed, "input_tokens", "total_tokens");
  if (searchUnits === undefined && tokens === undefined) return undefined;
  return {
    ...noTokens,
    promptTokens: tokens ?? 0,
    ...(searchUnits !== undefined && { units: [{ unit: "searchUnits", count: searchUnits }] }),
  };
}
