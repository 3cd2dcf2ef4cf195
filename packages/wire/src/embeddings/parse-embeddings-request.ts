// Reads an embeddings request, after `CreateEmbeddingRequest` in OpenAI's openapi.yaml. The text stays
// the source of truth; unknown fields pass unchanged.
import { Fault, type JsonObject } from "@turnpike/base";
import type { Bounds, FieldBounds } from "../bounds.ts";
import { priceChangingFields } from "../chat/price-changing-fields.ts";
import { integer, isGiven, oneOf, text } from "../check-value.ts";
import { type JsonMembers, memberText } from "../edit-json-object.ts";
import { foldCase, readJsonBody, refuseBrokenText, refuseLookalikes } from "../read-json-body.ts";
import type { RoutingPreferences } from "../read-provider-preferences.ts";
import { readFallbackModels, readRouting, routingFields } from "../read-routing.ts";
import {
  badValue,
  emptyArray,
  missing,
  tooMany,
  tooShort,
  unsupported,
  wrongType,
} from "../refuse-body.ts";

/** The language this protocol shares with the dialect `openai-embeddings`. */
export const embeddingsLanguage = "openai-embeddings";

export type EncodingFormat = "float" | "base64";

export type EmbeddingsRequest = {
  readonly operation: "embeddings";
  readonly language: string;
  /** The body as received. */
  readonly raw: string;
  readonly members: JsonMembers;
  readonly parsed: JsonObject;
  /** About what it takes in memory besides its text and the texts in `parsed`. */
  readonly parsedBytes?: number;
  readonly model: string;
  readonly stream: false;
  /** The caller's own JSON of the input. */
  readonly promptStart: () => string;
  /** How many vectors are asked for: 1 for a string or one array of tokens. */
  readonly inputCount: number;
  /** UTF-8 bytes of all text inputs, before JSON escapes. */
  readonly textBytes: number;
  /** The text inputs, one entry each. */
  readonly texts: readonly string[];
  /** How many tokens each array of tokens has; empty if the inputs are texts. */
  readonly tokenCounts: readonly number[];
  /** `float` by default. */
  readonly encodingFormat: EncodingFormat;
  /** The length of the vectors, if the caller shortens them. */
  readonly dimensions: number | undefined;
  /** Which providers may answer; undefined if the caller leaves that to the gateway. */
  readonly routing: RoutingPreferences | undefined;
  /** None, because the vectors of two models cannot be compared. */
  readonly fallbackModels: readonly [];
};

const noFallbackModels = [] as const;

const maxInputs = 2_048;
const maxTokenId = 2 ** 31 - 1;

const modelName = text({ nonEmpty: true, maxLength: 128 });
const userName = text();
const dimensionCount = integer(1, 100_000);

const encodingFormat = oneOf(["float", "base64"]);

/** What servers embed instead of `input`: vLLM, TEI. */
const otherInputs = ["messages", "inputs", "images"];

/** Without them the input is what is counted, and the provider of the catalog is what is called. */
function refuseOtherInputs(body: JsonObject): void {
  const sentence = "It would change what is embedded, or at what price.";
  for (const name of otherInputs) {
    if (isGiven(body[name])) throw unsupported(name, sentence);
  }
  for (const { name } of priceChangingFields(body, 0)) throw unsupported(name, sentence);
}

const oneText: Bounds = { text: { minLength: 1 } };
const tokens: Bounds = {
  list: { minItems: 1, items: { number: { minimum: 0, maximum: maxTokenId } } },
};

/** What `parseEmbeddingsRequest` enforces. */
export const embeddingsBounds: FieldBounds = {
  model: modelName.bounds,
  input: {
    forms: [
      oneText,
      { list: { minItems: 1, maxItems: maxInputs, items: oneText } },
      tokens,
      { list: { minItems: 1, maxItems: maxInputs, items: tokens } },
    ],
  },
  encoding_format: encodingFormat.bounds,
  dimensions: dimensionCount.bounds,
  user: userName.bounds,
};

const ownFields = [
  ...["model", "input", "encoding_format", "dimensions", "user"],
  ...otherInputs,
  ...routingFields,
];
export const embeddingsFieldNames: readonly string[] = ownFields;
const ownFieldOfFolded = new Map(ownFields.map((name) => [name, name]));

function ownFieldLike(key: string): string | undefined {
  const name = ownFieldOfFolded.get(foldCase(key));
  return name === key ? undefined : name;
}

/** Throws the Fault that names the invalid field. */
export function parseEmbeddingsRequest(raw: string): EmbeddingsRequest {
  const { members, parsed, structureBytes } = readJsonBody(raw);
  const { model, input, encoding_format: format, dimensions, user } = parsed;
  if (model === undefined) throw missing("model");
  modelName(model, "model");
  if (input === undefined) throw missing("input");
  const size = readInput(input);
  if (isGiven(format)) encodingFormat(format, "encoding_format");
  if (isGiven(dimensions)) dimensionCount(dimensions, "dimensions");
  if (isGiven(user)) userName(user, "user");
  refuseOtherInputs(parsed);
  if (readFallbackModels(parsed).length > 0) {
    const sentence =
      "Unsupported parameter: 'models'. The vectors of two models cannot be compared.";
    throw new Fault("unsupported_parameter", sentence, { param: "models" });
  }
  refuseLookalikes(members, ownFieldLike);
  refuseBrokenText(raw, parsed);
  return {
    operation: "embeddings",
    language: embeddingsLanguage,
    raw,
    members,
    parsed,
    parsedBytes: structureBytes,
    model: typeof model === "string" ? model : "",
    stream: false,
    promptStart: () => memberText(raw, members, "input") ?? "",
    ...size,
    encodingFormat: format === "base64" ? "base64" : "float",
    dimensions: typeof dimensions === "number" ? dimensions : undefined,
    routing: readRouting(parsed),
    fallbackModels: noFallbackModels,
  };
}

type InputSize = Pick<EmbeddingsRequest, "inputCount" | "textBytes" | "texts" | "tokenCounts">;

const expected = "one of a string, an array of strings, an array of integers or an array of arrays";

/** A string, an array of strings, an array of tokens, or an array of arrays of tokens. */
function readInput(input: unknown): InputSize {
  if (typeof input === "string") return ofTexts([readText(input, "input")]);
  if (!Array.isArray(input)) throw wrongType("input", expected, input);
  const [first] = input;
  if (first === undefined) throw emptyArray("input");
  if (typeof first === "number") return ofTokens([countTokens(input, "input")]);
  if (input.length > maxInputs) throw tooMany("input", maxInputs, input.length);
  if (typeof first === "string") {
    return ofTexts(input.map((entry, index) => readText(entry, `input[${index}]`)));
  }
  if (Array.isArray(first)) {
    return ofTokens(input.map((entry, index) => countTokens(entry, `input[${index}]`)));
  }
  throw wrongType("input[0]", "a string, an integer or an array of integers", first);
}

function readText(value: unknown, path: string): string {
  if (typeof value !== "string") throw wrongType(path, "a string", value);
  if (value === "") throw tooShort(path);
  return value;
}

function countTokens(value: unknown, path: string): number {
  if (!Array.isArray(value)) throw wrongType(path, "an array of integers", value);
  if (value.length === 0) throw emptyArray(path);
  for (let index = 0; index < value.length; index += 1) {
    const token: unknown = value[index];
    if (typeof token === "number" && Number.isInteger(token) && token >= 0 && token <= maxTokenId) {
      continue;
    }
    const problem = "expected a token id, an integer from 0 to 2147483647.";
    if (typeof token === "number") throw badValue(`${path}[${index}]`, problem);
    throw wrongType(`${path}[${index}]`, "an integer", token);
  }
  return value.length;
}

function ofTexts(texts: readonly string[]): InputSize {
  let textBytes = 0;
  for (const entry of texts) textBytes += Buffer.byteLength(entry);
  return { inputCount: texts.length, textBytes, texts, tokenCounts: [] };
}

function ofTokens(tokenCounts: readonly number[]): InputSize {
  return { inputCount: tokenCounts.length, textBytes: 0, texts: [], tokenCounts };
}
