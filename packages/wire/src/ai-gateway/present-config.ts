// The catalog as the AI SDK's gateway provider lists it. Moderations are not among the models that the SDK knows.
import { formatFemtos, type Operation } from "@turnpike/terms";
import type { ModelView } from "../present/present-models.ts";
import type { Specification } from "./call-notes.ts";

const typeOf: Readonly<Partial<Record<Operation, string>>> = {
  chat: "language",
  embeddings: "embedding",
  image: "image",
  speech: "speech",
  transcription: "transcription",
  rerank: "reranking",
};

/** Source: `gatewayAvailableModelsResponseSchema` of @ai-sdk/gateway, which takes no other specification than its own. */
export function gatewayConfig(
  models: readonly ModelView[],
  specification: Specification,
): Record<string, unknown> {
  const listed = models.filter(({ operation }) => typeOf[operation] !== undefined);
  return { models: listed.map((model) => entryOf(model, specification)) };
}

function entryOf(model: ModelView, specification: Specification): Record<string, unknown> {
  const { id, name, description, operation, price } = model;
  const [provider = id] = id.split("/", 1);
  return {
    id,
    name,
    description,
    // In USD per token.
    pricing: {
      input: formatFemtos(price.inputNanosPerMillion),
      output: formatFemtos(price.outputNanosPerMillion),
      input_cache_read: formatFemtos(price.cachedInputNanosPerMillion),
      input_cache_write: formatFemtos(price.cacheWriteNanosPerMillion),
    },
    specification: { specificationVersion: `v${specification}`, provider, modelId: id },
    modelType: typeOf[operation],
  };
}
