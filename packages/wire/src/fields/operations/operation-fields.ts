// The fields of each operation whose requests have a closed set of them.
import type { Operation } from "@turnpike/terms";
import { imageFields } from "./image-fields.ts";
import { moderationFields } from "./moderation-fields.ts";
import type { OperationFields } from "./operation-field.ts";
import { rerankFields } from "./rerank-fields.ts";
import { speechFields } from "./speech-fields.ts";
import { transcriptionFields } from "./transcription-fields.ts";

export const operationFields: Readonly<Partial<Record<Operation, OperationFields>>> = {
  image: imageFields,
  speech: speechFields,
  transcription: transcriptionFields,
  rerank: rerankFields,
  moderation: moderationFields,
};

/** What a provider may be asked besides the model and what the request is about. */
export function parametersOfOperation(
  operation: Operation,
  capabilities: readonly string[],
): string[] {
  return Object.entries(operationFields[operation] ?? {}).flatMap(
    ([name, { isOurs, listedWith }]) => {
      const isListed = listedWith === undefined || capabilities.includes(listedWith);
      return name !== "model" && isOurs !== true && isListed ? [name] : [];
    },
  );
}
