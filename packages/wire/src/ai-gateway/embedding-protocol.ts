// The AI SDK's gateway protocol for embeddings: vectors of numbers, one for each value.
import { formatGenerationId } from "@turnpike/base";
import {
  type EmbeddingsRequest,
  parseEmbeddingsRequest,
} from "../embeddings/parse-embeddings-request.ts";
import { vectorsOf } from "../embeddings/vectors-of.ts";
import { aiGatewayLanguage } from "../protocol/languages.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { aiGatewayErrors } from "./ai-gateway-errors.ts";
import {
  type CallShape,
  type CallTarget,
  endOfAnswer,
  parseCall,
  type Told,
} from "./operation-call.ts";

const shape: CallShape = {
  // `input` is of AI SDK 5.
  renamed: { input: "input", values: "input", dimensions: "dimensions" },
  options: { "openai.dimensions": "dimensions", "openai.user": "user" },
  translate(_body, request) {
    request.encoding_format = "float";
    return [];
  },
};

export function embeddingProtocol(target: CallTarget): Protocol<Told<EmbeddingsRequest>> {
  return {
    operation: "embeddings",
    language: aiGatewayLanguage,
    errors: aiGatewayErrors,
    parse: (text) => parseCall(text, target, shape, parseEmbeddingsRequest),
    addressed: `${target.model}\n${target.specification}`,
    answerId: formatGenerationId,
    writeWhole(content, identity, bill, request) {
      return JSON.stringify({
        embeddings: vectorsOf(content),
        ...(bill !== undefined && { usage: { tokens: bill.usage.promptTokens } }),
        ...endOfAnswer(request, target, identity, bill),
      });
    },
  };
}
