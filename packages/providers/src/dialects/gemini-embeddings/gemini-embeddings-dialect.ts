// Google's batchEmbedContents, for one input as for many. Every request is translated, and
// the answer becomes OpenAI's list in the encoding the caller asked for, one vector per input or none at all.
import { type Fault, isObject, type JsonObject, parseObject } from "@turnpike/base";
import type { EmbeddingsRequest, TokenUsage } from "@turnpike/wire";
import { findIgnored } from "../../ignored-preferences.ts";
import type {
  Dialect,
  DialectRequest,
  GoogleProvider,
  Target,
  UnreadAnswer,
  UpstreamCall,
  WholeAnswer,
} from "../../provider.ts";
import { refuse, unreadable } from "../../refusals/refuse.ts";
import { untranslatable } from "../../untranslatable.ts";
import { acceptBody } from "../accept-body.ts";
import { findLostField, losesField } from "../lost-fields.ts";
import { parseCount } from "../openai/parse-usage.ts";
import { parseVector } from "../openai-embeddings/embeddings-dialect.ts";

type EmbeddingsCall = UpstreamCall<EmbeddingsRequest, GoogleProvider>;

export const geminiEmbeddingsDialect: Dialect<EmbeddingsRequest, GoogleProvider> = {
  language: "gemini-embeddings",
  buildRequest,
  whyUntranslatable,
  losesParameter: isLost,
  parseWhole,
  parseUnread,
  refuse,
};

function isLost(name: string): boolean {
  return losesField("geminiEmbeddings", name);
}

/** Google's limit of one batch. */
const mostInputs = 100;

function whyUntranslatable(
  _: Target<GoogleProvider>,
  { parsed, texts, parts, inputCount }: EmbeddingsRequest,
): Fault | undefined {
  if (parts !== undefined) return untranslatable("input", "Gemini is sent texts alone");
  const lost = findLostField("geminiEmbeddings", parsed);
  if (lost !== undefined) return lost;
  if (texts.length === 0) {
    return untranslatable("input", "Gemini embeds text, and no tokens of OpenAI's tokenizers");
  }
  if (inputCount <= mostInputs) return undefined;
  return untranslatable("input", `Gemini embeds at most ${mostInputs} inputs at once`);
}

/** Source: `EmbedContentRequest` of Google's API. */
function buildRequest({ request, upstreamModel, omittedFields }: EmbeddingsCall): DialectRequest {
  const model = upstreamModel.includes("/") ? upstreamModel : `models/${upstreamModel}`;
  const { dimensions, task } = request;
  const shortened =
    dimensions === undefined || omittedFields.includes("dimensions")
      ? {}
      : { outputDimensionality: dimensions };
  const requests = request.texts.map((text) => ({
    model,
    content: { parts: [{ text }] },
    ...(task?.taskType !== undefined && { taskType: task.taskType }),
    ...(task?.title !== undefined && { title: task.title }),
    ...shortened,
  }));
  return {
    path: `/${model}:batchEmbedContents`,
    accept: "application/json",
    body: JSON.stringify({ requests }),
    ignored: findIgnored(request.parsed, undefined, isLost),
  };
}

function parseWhole(call: EmbeddingsCall, text: string, headers: Headers): WholeAnswer {
  const source = acceptBody(parseObject(text), call, headers);
  const body: JsonObject = {
    object: "list",
    data: parseVectors(source.embeddings, call.request),
    model: call.identity.model,
  };
  return {
    kind: "whole",
    upstreamId: undefined,
    content: { kind: "body", body },
    usage: parseUsage(source.usageMetadata),
    finish: null,
    deliveredTokens: 0,
  };
}

function parseUnread(
  call: EmbeddingsCall,
  members: JsonObject | undefined,
  headers: Headers,
): UnreadAnswer {
  const { usageMetadata } = acceptBody(members, call, headers);
  return { kind: "unread", upstreamId: undefined, usage: parseUsage(usageMetadata) };
}

/** Older models report none: then the inputs are counted. Source: `EmbeddingUsageMetadata`. */
function parseUsage(usage: unknown): TokenUsage | undefined {
  const promptTokens = isObject(usage) ? parseCount(usage.promptTokenCount) : undefined;
  if (promptTokens === undefined) return undefined;
  const nothingElse = { cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  return { promptTokens, completionTokens: 0, ...nothingElse };
}

/** In the order of the inputs. Throws where one is missing, not made of numbers, or of another length. */
function parseVectors(embeddings: unknown, request: EmbeddingsRequest): JsonObject[] {
  if (!Array.isArray(embeddings) || embeddings.length !== request.inputCount) throw unreadable();
  let length = request.dimensions;
  return embeddings.map((entry: unknown, index) => {
    if (!isObject(entry) || !Array.isArray(entry.values)) throw unreadable();
    const read = parseVector(entry.values, request.encodingFormat);
    length ??= read.length;
    if (read.length !== length) throw unreadable();
    return { object: "embedding", index, embedding: read.embedding };
  });
}
