// OpenAI's embeddings, as OpenAI and compatible services serve them under `/embeddings`. The caller's own
// body is sent; the list of vectors is returned in the encoding the caller asked for, whichever the
// upstream chose, with one vector per input or not at all.
import { isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import {
  type EmbeddingsRequest,
  type EncodingFormat,
  editJsonObject,
  embeddingsLanguage,
  type TokenUsage,
} from "@turnpike/wire";
import { findIgnored, findUnsent, nothingIgnored } from "../../ignored-preferences.ts";
import type {
  Dialect,
  DialectRequest,
  OpenaiProvider,
  UnreadAnswer,
  UpstreamCall,
  WholeAnswer,
} from "../../provider.ts";
import { refuse, unreadable } from "../../refusals/refuse.ts";
import { acceptBody, acceptUnread } from "../accept-body.ts";
import { nullMembers } from "../null-members.ts";
import { forbiddenFields } from "../openai/build-request.ts";
import { pathOf } from "../openai/openai-path.ts";
import { copyUnknown } from "../openai/parse-content.ts";
import { parseCount } from "../openai/parse-usage.ts";
import { copyVectors } from "./copy-vectors.ts";
import { whyNoParts, writeInput } from "./embedded-parts.ts";

type EmbeddingsCall = UpstreamCall<EmbeddingsRequest, OpenaiProvider>;

export const embeddingsDialect: Dialect<EmbeddingsRequest, OpenaiProvider> = {
  language: embeddingsLanguage,
  buildRequest,
  whyUntranslatable: ({ provider }, request) => whyNoParts(provider, request),
  parseWhole,
  parseUnread,
  refuse,
};

function buildRequest(call: EmbeddingsCall): DialectRequest {
  const { request, provider } = call;
  const unsent = findUnsent(request.parsed, call, embeddingsLanguage);
  const remove = [...forbiddenFields(provider.quirks), ...call.omittedFields, ...unsent];
  remove.push(...nullMembers(request.parsed));
  // The answer is converted, so nothing is lost.
  if (provider.quirks.embeddingEncoding === "float_only") remove.push("encoding_format");
  return {
    path: pathOf(call, "/embeddings"),
    accept: "application/json",
    body: editJsonObject(request.raw, request.members, {
      set: { model: JSON.stringify(call.upstreamModel), ...writeInput(call) },
      remove,
    }),
    ignored: [...findIgnored(request.parsed, remove, isIn), ...namesOfTask(request)],
  };
}

/** What only Google's models know the vectors are for. */
function namesOfTask({ task }: EmbeddingsRequest): readonly string[] {
  if (task === undefined) return nothingIgnored;
  return (["taskType", "title"] as const).filter((name) => task[name] !== undefined);
}

function isIn(name: string, removed: readonly string[]): boolean {
  return removed.includes(name);
}

const bodyKeys = new Set(["object", "data", "model", "usage", "error", "__proto__"]);
const vectorKeys = new Set(["object", "index", "embedding", "__proto__"]);

function parseWhole(call: EmbeddingsCall, text: string, headers: Headers): WholeAnswer {
  const copied = copyVectors(text, call.request);
  const rest = copied && parseObject(copied.rest);
  if (copied === undefined || !Array.isArray(rest?.data)) return parseAll(call, text, headers);
  const source = acceptBody(rest, call, headers);
  return answerWith(call, source, { list: source.data, json: copied.data });
}

/** For tests: what `parseWhole` answers is the same. */
export function parseAll(call: EmbeddingsCall, text: string, headers: Headers): WholeAnswer {
  const source = acceptBody(parseObject(text), call, headers);
  return answerWith(call, source, { list: parseVectors(source.data, call.request) });
}

/** The list of an answer, or what it is to be written as. */
type Vectors = { readonly list: unknown; readonly json?: string };

function answerWith(call: EmbeddingsCall, source: JsonObject, vectors: Vectors): WholeAnswer {
  const { json } = vectors;
  const body: JsonObject = { object: "list", data: vectors.list, model: call.identity.model };
  copyUnknown(body, source, bodyKeys);
  return {
    kind: "whole",
    upstreamId: parseText(source.id),
    content: { kind: "body", body, ...(json !== undefined && { copied: { data: json } }) },
    usage: parseEmbeddingsUsage(source.usage, call.request),
    finish: null,
    deliveredTokens: 0,
  };
}

function parseUnread(
  call: EmbeddingsCall,
  members: JsonObject | undefined,
  headers: Headers,
): UnreadAnswer {
  return acceptUnread(members, call, headers, ({ usage }) =>
    parseEmbeddingsUsage(usage, call.request),
  );
}

/** Undefined if the count cannot be billed; there is no output, so the prompt is everything. */
function parseEmbeddingsUsage(
  usage: unknown,
  { imageCount }: EmbeddingsRequest,
): TokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const promptTokens = parseCount(usage.prompt_tokens) ?? parseCount(usage.total_tokens);
  if (promptTokens === undefined) return undefined;
  const details = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const imagePromptTokens = imageCount > 0 ? parseCount(details.image_tokens) : undefined;
  return {
    ...(imagePromptTokens !== undefined && { imagePromptTokens }),
    promptTokens,
    completionTokens: 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
}

/**
 * In the order of the inputs. Throws if a vector is missing, repeated, not made of numbers, or not
 * as long as the request asks and the others are.
 */
function parseVectors(data: unknown, request: EmbeddingsRequest): readonly JsonObject[] {
  if (!Array.isArray(data) || data.length !== request.inputCount) throw unreadable();
  const vectors = new Array<JsonObject | undefined>(data.length);
  let length = request.dimensions;
  for (let position = 0; position < data.length; position += 1) {
    const entry: unknown = data[position];
    if (!isObject(entry)) throw unreadable();
    const index = entry.index === undefined ? position : parseCount(entry.index);
    if (index === undefined || index >= vectors.length) throw unreadable();
    if (vectors[index] !== undefined) throw unreadable();
    const read = parseVector(entry.embedding, request.encodingFormat);
    length ??= read.length;
    if (read.length !== length) throw unreadable();
    const vector: JsonObject = { object: "embedding", index, embedding: read.embedding };
    copyUnknown(vector, entry, vectorKeys);
    vectors[index] = vector;
  }
  return vectors.filter((vector) => vector !== undefined);
}

type Vector = { readonly embedding: string | readonly number[]; readonly length: number };

/**
 * A vector in `format`, unchanged if it already is, and how many numbers it has. Throws for
 * anything else.
 */
export function parseVector(vector: unknown, format: EncodingFormat): Vector {
  if (typeof vector === "string") {
    const bytes = parseFloatBytes(vector);
    const length = bytes.length / 4;
    return { embedding: format === "base64" ? vector : decodeFloats(bytes), length };
  }
  if (!Array.isArray(vector) || vector.length === 0) throw unreadable();
  const numbers: readonly unknown[] = vector;
  if (!numbers.every(isFloat)) throw unreadable();
  return {
    embedding: format === "float" ? numbers : encodeFloats(numbers),
    length: numbers.length,
  };
}

const maxFloat = 3.4028234663852886e38;

/** A number that 32 bits can hold: neither NaN nor infinite, not even after its encoding. */
function isFloat(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= maxFloat;
}

/** Little-endian 32-bit floats in base64, as OpenAI's SDKs read them. */
function encodeFloats(numbers: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(numbers.length * 4);
  let offset = 0;
  for (const number of numbers) offset = bytes.writeFloatLE(number, offset);
  return bytes.toString("base64");
}

/** The decoder skips what is not base64, so that has to be ruled out first. */
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The bytes of at least one float, each of them finite. */
function parseFloatBytes(text: string): Buffer {
  if (text.length % 4 !== 0 || !base64.test(text)) throw unreadable();
  const bytes = Buffer.from(text, "base64");
  if (bytes.length === 0 || bytes.length % 4 !== 0) throw unreadable();
  for (let end = 3; end < bytes.length; end += 4) {
    // IEEE 754: NaN and the infinities are the floats whose eight bits of exponent are all set.
    const [low = 0, high = 0] = [bytes[end - 1], bytes[end]];
    if ((high & 0x7f) === 0x7f && (low & 0x80) !== 0) throw unreadable();
  }
  return bytes;
}

function decodeFloats(bytes: Buffer): readonly number[] {
  const numbers = new Array<number>(bytes.length / 4);
  for (let index = 0; index < numbers.length; index += 1) {
    numbers[index] = bytes.readFloatLE(index * 4);
  }
  return numbers;
}
