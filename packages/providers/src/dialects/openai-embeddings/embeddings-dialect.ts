// OpenAI's embeddings, as it and its imitators serve them under `/embeddings`. The caller's own body
// goes up; the list of vectors comes back in the encoding the caller asked for, whichever the upstream
// chose, with one vector per input or not at all.
import { isObject, type JsonObject, parseObject, readText } from "@turnpike/base";
import {
  type EmbeddingsRequest,
  type EncodingFormat,
  editJsonObject,
  embeddingsLanguage,
  type TokenUsage,
} from "@turnpike/wire";
import type {
  Dialect,
  DialectRequest,
  UnreadAnswer,
  UpstreamCall,
  WholeAnswer,
} from "../../provider.ts";
import { isErrorBody, refuse, refusedInside, unreadable } from "../../refusals/refuse.ts";
import { forbiddenFields } from "../openai/ask.ts";
import { copyUnknown } from "../openai/read-content.ts";
import { readCount } from "../openai/read-usage.ts";

type EmbeddingsCall = UpstreamCall<EmbeddingsRequest>;

export const embeddingsDialect: Dialect<EmbeddingsRequest> = {
  language: embeddingsLanguage,
  ask,
  readWhole,
  readUnread,
  refuseUnstreamed: unreadable,
  refuse,
};

function ask(call: EmbeddingsCall): DialectRequest {
  const { request, provider } = call;
  const remove = forbiddenFields(provider.quirks);
  // What comes back is converted, so nothing is lost.
  if (provider.quirks.embeddingEncoding === "float_only") remove.push("encoding_format");
  return {
    path: "/embeddings",
    accept: "application/json",
    body: editJsonObject(request.raw, request.members, {
      set: { model: JSON.stringify(call.upstreamModel) },
      remove,
    }),
  };
}

const bodyKeys = new Set(["object", "data", "model", "usage", "error", "__proto__"]);

function readWhole(call: EmbeddingsCall, text: string): WholeAnswer {
  const source = parseObject(text);
  if (!source) throw unreadable();
  if (isErrorBody(source)) throw refusedInside(source, call.provider);
  const body: JsonObject = {
    object: "list",
    data: readVectors(source.data, call.request),
    model: call.stamp.model,
  };
  copyUnknown(body, source, bodyKeys);
  return {
    kind: "whole",
    upstreamId: readText(source.id),
    content: { kind: "body", body },
    usage: readEmbeddingsUsage(source.usage),
    finish: null,
    deliveredTokens: 0,
  };
}

function readUnread(call: EmbeddingsCall, members: JsonObject | undefined): UnreadAnswer {
  if (!members) throw unreadable();
  if (isErrorBody(members)) throw refusedInside(members, call.provider);
  return {
    kind: "unread",
    upstreamId: readText(members.id),
    usage: readEmbeddingsUsage(members.usage),
  };
}

/** Undefined where the count cannot be billed; nothing is written, so the prompt is all there is. */
function readEmbeddingsUsage(usage: unknown): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const promptTokens = readCount(usage.prompt_tokens) ?? readCount(usage.total_tokens);
  if (promptTokens === undefined) return undefined;
  return {
    promptTokens,
    completionTokens: 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
}

/** In the order of the inputs. Throws where a vector is missing, twice there or of neither encoding. */
function readVectors(data: unknown, request: EmbeddingsRequest): readonly JsonObject[] {
  if (!Array.isArray(data) || data.length !== request.inputCount) throw unreadable();
  const vectors = new Array<JsonObject | undefined>(data.length);
  for (let position = 0; position < data.length; position += 1) {
    const entry: unknown = data[position];
    if (!isObject(entry)) throw unreadable();
    const index = typeof entry.index === "number" ? entry.index : position;
    const isInput = Number.isInteger(index) && index >= 0 && index < vectors.length;
    if (!isInput || vectors[index] !== undefined) throw unreadable();
    const embedding = encodeVector(entry.embedding, request.encodingFormat);
    vectors[index] = { object: "embedding", index, embedding };
  }
  return vectors.filter((vector) => vector !== undefined);
}

/** A vector in the encoding asked for: as it came where it fits, converted where it does not. */
export function encodeVector(vector: unknown, format: EncodingFormat): string | readonly unknown[] {
  if (typeof vector === "string" && vector !== "") {
    return format === "base64" ? vector : decodeFloats(vector);
  }
  if (!Array.isArray(vector) || vector.length === 0) throw unreadable();
  return format === "float" ? vector : encodeFloats(vector);
}

/** Little-endian 32-bit floats in base64, as OpenAI's SDKs read them. */
function encodeFloats(numbers: readonly unknown[]): string {
  const bytes = Buffer.allocUnsafe(numbers.length * 4);
  for (let index = 0; index < numbers.length; index += 1) {
    const number = numbers[index];
    if (typeof number !== "number") throw unreadable();
    bytes.writeFloatLE(number, index * 4);
  }
  return bytes.toString("base64");
}

function decodeFloats(text: string): readonly number[] {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length === 0 || bytes.length % 4 !== 0) throw unreadable();
  const numbers = new Array<number>(bytes.length / 4);
  for (let index = 0; index < numbers.length; index += 1) {
    numbers[index] = bytes.readFloatLE(index * 4);
  }
  return numbers;
}
