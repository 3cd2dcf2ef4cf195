// Gemini's API for clients as operations of OpenAPI. The same methods are served under `/v1/models/{model}`.
import { idempotencyKey, inPath, inQuery, named, type WireOperation } from "./wire-operation.ts";

const model = inPath("model", "Id of the model, with or without `models/` before it.");

const method = { method: "post", errors: "google", parameters: [model, idempotencyKey] } as const;

export const geminiOperations: Readonly<Record<string, WireOperation>> = {
  "/v1beta/models/{model}:generateContent": {
    ...method,
    summary: "Generate content, as Gemini's API does",
    body: named("GeminiRequest"),
    answer: named("GeminiResponse"),
  },
  "/v1beta/models/{model}:streamGenerateContent": {
    ...method,
    summary: "Stream generated content, as Gemini's API does",
    description: "Without `alt=sse` the answer is one JSON list of the same responses.",
    body: named("GeminiRequest"),
    answer: { type: "array", items: named("GeminiResponse") },
    event: named("GeminiResponse"),
    parameters: [...method.parameters, inQuery("alt", "`sse` streams events.")],
  },
  "/v1beta/models/{model}:countTokens": {
    ...method,
    summary: "Count the tokens of contents, free",
    body: named("GeminiCountRequest"),
    answer: named("GeminiCount"),
    parameters: [model],
  },
  "/v1beta/models/{model}:embedContent": {
    ...method,
    summary: "Embed one text, as Gemini's API does",
    body: named("GeminiEmbedRequest"),
    answer: named("GeminiEmbedding"),
  },
  "/v1beta/models/{model}:batchEmbedContents": {
    ...method,
    summary: "Embed several texts, as Gemini's API does",
    body: named("GeminiBatchRequest"),
    answer: named("GeminiBatch"),
  },
  "/v1beta/interactions": {
    method: "post",
    errors: "google",
    summary: "Create an interaction, as Google's Interactions API does",
    description: "Also under `/v1/interactions`. It is stored only if it asks for that.",
    body: named("InteractionsRequest"),
    answer: named("InteractionsInteraction"),
    event: named("InteractionsEvent"),
    parameters: [idempotencyKey],
  },
  "/v1beta/models": {
    method: "get",
    errors: "google",
    summary: "List models, as Gemini's API does",
    answer: named("GeminiModelList"),
    parameters: [
      inQuery("pageSize", "Models of a page: at most 1,000. Default: 50.", { type: "integer" }),
      inQuery("pageToken", "`nextPageToken` of the page before."),
    ],
  },
  "/v1beta/models/{model}": {
    method: "get",
    errors: "google",
    summary: "Read a model, as Gemini's API does",
    answer: named("GeminiModel"),
    parameters: [model],
  },
};
