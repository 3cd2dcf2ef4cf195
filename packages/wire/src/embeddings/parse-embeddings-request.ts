// Reads an embeddings request, after `CreateEmbeddingRequest` in OpenAI's openapi.yaml. The text stays
// the source of truth; unknown fields pass unchanged.
import { Fault } from "@turnpike/base";
import { parseFallbackModels, parseRouting } from "../caller/parse-routing.ts";
import { priceChangingFields } from "../chat/price-changing-fields.ts";
import { missing, unsupported } from "../checks/body-fault.ts";
import {
  assertNoRefusedField,
  checkFields,
  lookalikesOf,
  refusalsOf,
  ruleOf,
  rulesOf,
} from "../fields/check-fields.ts";
import { memberText } from "../json/edit-json-object.ts";
import { assertNoLookalikes, assertStorableText, parseJsonBody } from "../json/parse-json-body.ts";
import type { InputPart } from "../operations/input-part.ts";
import type { OperationRequest } from "../operations/operation-request.ts";
import { embeddingsLanguage } from "../protocol/languages.ts";
import { changesInput, parseInput } from "./parse-input.ts";

export type EncodingFormat = "float" | "base64";

export type EmbeddingsRequest = OperationRequest<"embeddings"> & {
  /** How many images there are in all inputs. */
  readonly imageCount: number;
  /** Of each input, if they are made of texts and images. */
  readonly parts?: readonly (readonly InputPart[])[];
  readonly stream: false;
  /** `float` by default. */
  readonly encodingFormat: EncodingFormat;
  /** The length of the vectors, if the caller shortens them. */
  readonly dimensions: number | undefined;
  /** What the vectors are for, in Google's words; only its own models know it. */
  readonly task?: { readonly taskType: string | undefined; readonly title: string | undefined };
  /** The caller's own name for a field of `parsed`; absent if `parsed` is the caller's own body. */
  readonly callerParam?: (param: string) => string;
};

const noFallbackModels = [] as const;

const modelName = ruleOf("embeddings", "model");
const rules = rulesOf("embeddings");
const refusals = refusalsOf("embeddings");
const fieldLike = lookalikesOf("embeddings");

/** Throws the Fault that names the invalid field. */
export function parseEmbeddingsRequest(raw: string): EmbeddingsRequest {
  const { members, parsed, structureBytes } = parseJsonBody(raw);
  const { model, input, encoding_format: format, dimensions } = parsed;
  if (model === undefined) throw missing("model");
  modelName(model, "model");
  if (input === undefined) throw missing("input");
  const size = parseInput(input);
  checkFields(rules, parsed);
  assertNoRefusedField(refusals, parsed);
  for (const { name } of priceChangingFields(parsed, 0)) throw unsupported(name, changesInput);
  if (parseFallbackModels(parsed).length > 0) {
    const sentence =
      "Unsupported parameter: 'models'. The vectors of two models cannot be compared.";
    throw new Fault("unsupported_parameter", sentence, { param: "models" });
  }
  assertNoLookalikes(members, fieldLike);
  assertStorableText(raw, parsed);
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
    routing: parseRouting(parsed),
    fallbackModels: noFallbackModels,
  };
}
