// The fields of each operation whose requests have a closed set of them.
import type { Operation } from "@turnpike/terms";
import { imageFields } from "../images/parse-image-request.ts";
import { moderationFields } from "../moderations/parse-moderation-request.ts";
import { rerankFields } from "../rerank/parse-rerank-request.ts";
import { speechFields } from "../speech/parse-speech-request.ts";
import { transcriptionFields } from "../transcriptions/parse-transcription-request.ts";
import type { OperationFields } from "./operation-request.ts";

export const operationFields: Readonly<Partial<Record<Operation, OperationFields>>> = {
  image: imageFields,
  speech: speechFields,
  transcription: transcriptionFields,
  rerank: rerankFields,
  moderation: moderationFields,
};

/** What a provider may be asked besides the model and what the request is about. */
export function parametersOfOperation(operation: Operation): string[] {
  const fields = operationFields[operation] ?? {};
  return Object.keys(fields).filter((name) => name !== "model" && fields[name]?.isOurs !== true);
}
