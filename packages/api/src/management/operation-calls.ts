// The endpoints of images, audio, reranking and moderations, as operations of OpenAPI.
import { idempotencyKey, named, text, type WireOperation } from "./wire-operation.ts";

export const operationCalls: Readonly<Record<string, WireOperation>> = {
  "/v1/images/generations": {
    method: "post",
    summary: "Create images",
    body: named("ImagesRequest"),
    answer: named("OperationsImages"),
    event: named("OperationsImagesEvent"),
    parameters: [idempotencyKey],
  },
  "/v1/images/edits": {
    method: "post",
    summary: "Edit images",
    body: named("ImagesRequest"),
    form: named("ImageEditForm"),
    answer: named("OperationsImages"),
    event: named("OperationsImagesEvent"),
    parameters: [idempotencyKey],
  },
  "/v1/images": {
    method: "post",
    summary: "Create or edit images, as OpenRouter's API does",
    body: named("ImagesRequest"),
    answer: named("OperationsImages"),
    event: named("OperationsImagesEvent"),
    parameters: [idempotencyKey],
  },
  "/v1/audio/speech": {
    method: "post",
    summary: "Speak a text",
    body: named("SpeechRequest"),
    answer: { ...text, format: "binary" },
    answerType: "audio/*",
    event: named("OperationsSpeechEvent"),
    parameters: [idempotencyKey],
  },
  "/v1/audio/transcriptions": {
    method: "post",
    summary: "Write down what audio says",
    form: named("TranscriptionForm"),
    answer: named("OperationsTranscript"),
    event: named("OperationsTranscriptEvent"),
    parameters: [idempotencyKey],
  },
  "/v1/audio/translations": {
    method: "post",
    summary: "Write down in English what audio says",
    form: named("TranscriptionForm"),
    answer: named("OperationsTranscript"),
    event: named("OperationsTranscriptEvent"),
    parameters: [idempotencyKey],
  },
  "/v1/rerank": {
    method: "post",
    summary: "Order documents by their relevance",
    body: named("RerankRequest"),
    answer: named("OperationsRanking"),
    parameters: [idempotencyKey],
  },
  "/v1/moderations": {
    method: "post",
    summary: "Classify texts and images",
    body: named("ModerationRequest"),
    answer: named("OperationsModeration"),
    parameters: [idempotencyKey],
  },
};
