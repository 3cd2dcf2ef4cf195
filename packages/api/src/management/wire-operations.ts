// The endpoints that call models, as operations of OpenAPI, with the schemas of the wire package.
import { batchOperations } from "./batch-operations.ts";
import { errorResponses, type Schema } from "./describe-route.ts";
import { fileOperations } from "./file-operations.ts";
import { geminiOperations } from "./gemini-operations.ts";
import { operationCalls } from "./operation-calls.ts";
import { storedOperations } from "./stored-operations.ts";
import {
  idempotencyKey,
  inPath,
  inQuery,
  named,
  text,
  type WireOperation,
} from "./wire-operation.ts";

const modelInPath = [
  inPath("author", "The vendor: the part of the model's id before the slash."),
  inPath("slug", "The part of the model's id after the slash."),
];
const generationId =
  "Id of the request, `gen-…`, or of its answer: `chatcmpl-…`, `resp_…`, `msg_…`.";

const modelFilters = [
  inQuery("q", "Text that the id or the name contains, in any case."),
  inQuery("supported_parameters", "Names with commas: models that take all of these parameters."),
  inQuery("input_modalities", "Names with commas: models that read all of these, e.g. `image`."),
  inQuery("output_modalities", "Names with commas: models that write any of these."),
  inQuery("context", "Models with at least this many tokens of context. Default: 0.", {
    type: "integer",
    minimum: 0,
  }),
  inQuery(
    "sort",
    "`newest`, `pricing-low-to-high`, `pricing-high-to-low` or `context-high-to-low`. OpenRouter's orders by popularity or speed change nothing; others are refused with 400.",
  ),
];

/** What the gateway reads of every request for text besides the fields of its API. */
const withRouting = (name: string, ...others: readonly Schema[]): Schema => {
  return { allOf: [named(name), named("GatewayRouting"), ...others] };
};
const modelOrModels: Schema = {
  anyOf: [
    { required: ["model"] },
    {
      properties: {
        models: { type: "array", minItems: 1, description: "Models to ask, in this order." },
      },
      required: ["models"],
    },
  ],
};
const chatBody = withRouting(
  "CreateChatCompletionRequest",
  named("GatewayPreferences"),
  modelOrModels,
);
const responsesBody = withRouting("ResponsesRequest");
const messagesBody = withRouting("MessagesRequest");
const completionsBody = withRouting("CompletionsRequest", modelOrModels);

/** Of Gemini's API, where the path says it otherwise. */
const namesItsModel: Schema = {
  type: "object",
  properties: { model: { ...text, description: "Id of the model." } },
  required: ["model"],
};

const calls: Readonly<Record<string, WireOperation>> = {
  "/v1/chat/completions": {
    method: "post",
    summary: "Create a chat completion",
    body: chatBody,
    answer: named("CreateChatCompletionResponse"),
    event: named("CreateChatCompletionStreamResponse"),
    parameters: [idempotencyKey],
  },
  "/v1/responses": {
    method: "post",
    summary: "Create a response",
    body: responsesBody,
    answer: named("ResponsesResponse"),
    event: named("ResponsesResponseStreamEvent"),
    parameters: [idempotencyKey],
  },
  "/v1/responses/input_tokens": {
    method: "post",
    summary: "Count the tokens of a request for a response, free",
    body: named("ResponsesRequest"),
    answer: named("ResponsesInputTokens"),
  },
  "/v1/responses/compact": {
    method: "post",
    summary: "Compact a conversation",
    description: "One call to the model, billed like any other.",
    body: responsesBody,
    answer: named("ResponsesCompaction"),
    parameters: [idempotencyKey],
  },
  "/v1/messages": {
    method: "post",
    summary: "Create a message, as Anthropic's API does",
    body: messagesBody,
    answer: named("MessagesMessage"),
    event: named("MessagesStreamEvent"),
    parameters: [idempotencyKey],
    errors: "anthropic",
  },
  "/v1/messages/count_tokens": {
    method: "post",
    summary: "Count the tokens of a request for a message, free",
    body: named("MessagesCountRequest"),
    answer: named("MessagesCount"),
    errors: "anthropic",
  },
  "/v1/completions": {
    method: "post",
    summary: "Create a completion",
    body: completionsBody,
    answer: named("CompletionsCompletion"),
    event: named("CompletionsCompletion"),
    parameters: [idempotencyKey],
  },
  "/v1/embeddings": {
    method: "post",
    summary: "Create embeddings",
    body: named("CreateEmbeddingRequest"),
    answer: named("CreateEmbeddingResponse"),
    parameters: [idempotencyKey],
  },
  ...operationCalls,
  "/v1/estimate": {
    method: "post",
    summary: "Estimate the price of a request without running it",
    description:
      "Takes the body of any endpoint that calls a model. A transcription is estimated by how long its audio lasts, without the audio.",
    body: {
      anyOf: [
        chatBody,
        responsesBody,
        messagesBody,
        completionsBody,
        named("CreateEmbeddingRequest"),
        named("ImagesRequest"),
        named("SpeechRequest"),
        named("TranscriptionEstimate"),
        named("RerankRequest"),
        named("ModerationRequest"),
        { allOf: [named("GeminiRequest"), namesItsModel] },
      ],
    },
    answer: named("EstimatesEstimate"),
  },
};

const reads: Readonly<Record<string, WireOperation>> = {
  "/v1/models": {
    method: "get",
    summary: "List models",
    answer: named("ModelsList"),
    parameters: modelFilters,
  },
  "/v1/models/user": {
    method: "get",
    summary: "List the models that the calling key may use",
    answer: named("ModelsList"),
  },
  "/v1/models/count": { method: "get", summary: "Count models", answer: named("ModelsCount") },
  "/v1/embeddings/models": {
    method: "get",
    summary: "List the models for embeddings",
    answer: named("ModelsList"),
  },
  "/v1/images/models": {
    method: "get",
    summary: "List the models for images",
    answer: named("ModelsList"),
  },
  "/v1/images/models/{author}/{slug}/endpoints": {
    method: "get",
    summary: "Read the routes and prices of a model for images",
    answer: named("ModelsImageEndpoints"),
    parameters: modelInPath,
  },
  "/v1/model/{author}/{slug}": {
    method: "get",
    summary: "Read a model in the shape of OpenRouter",
    answer: {
      type: "object",
      properties: { data: { description: "The model.", allOf: [named("ModelsModel")] } },
      required: ["data"],
    },
    parameters: modelInPath,
  },
  "/v1/models/{author}/{slug}": {
    method: "get",
    summary: "Read a model",
    answer: named("ModelsModel"),
    parameters: modelInPath,
  },
  "/v1/models/{author}/{slug}/endpoints": {
    method: "get",
    summary: "Read the routes of a model",
    answer: named("ModelsEndpoints"),
    parameters: modelInPath,
  },
  "/v1/providers": { method: "get", summary: "List providers", answer: named("ModelsProviders") },
  "/v1/key": { method: "get", summary: "Read the calling key", answer: named("CurrentKey") },
  "/v1/credits": {
    method: "get",
    summary: "Read the credits of the account",
    answer: named("Credits"),
  },
  "/v1/generation": {
    method: "get",
    summary: "Read a request by its id",
    answer: named("Generation"),
    parameters: [{ ...inQuery("id", generationId), required: true }],
  },
  "/v1/generation/{id}/receipt": {
    method: "get",
    summary: "Read the signed receipt of a request",
    description: "A compact JWS, which verifies offline with `/.well-known/jwks.json`.",
    answer: { ...text, pattern: "^[\\w-]+\\.[\\w-]+\\.[\\w-]+$" },
    answerType: "application/jwt",
    parameters: [inPath("id", generationId)],
  },
  "/.well-known/jwks.json": {
    method: "get",
    summary: "Read the public keys of receipts",
    answer: {
      type: "object",
      properties: {
        keys: {
          type: "array",
          items: { type: "object" },
          description: "Each key as a JWK; `kid` of a receipt names the one that signed it.",
        },
      },
      required: ["keys"],
    },
    answerType: "application/jwk-set+json",
    isPublic: true,
  },
};

/** By path. */
export function describeWireOperations(): Record<string, Schema> {
  const operations = Object.entries({ ...calls, ...geminiOperations, ...reads });
  const paths: Record<string, Schema> = {};
  const kept = [...fileOperations, ...batchOperations, ...storedOperations];
  for (const [path, operation] of [...operations, ...kept]) {
    paths[path] = { ...paths[path], [operation.method]: describe(path, operation) };
  }
  return paths;
}

function describe(path: string, operation: WireOperation): Schema {
  const { method, summary, description, body, form, answer, event, parameters } = operation;
  const { answerType = "application/json", errors, isPublic = false, tag = "Models" } = operation;
  const content = {
    [answerType]: { schema: answer },
    ...(event !== undefined && { "text/event-stream": { schema: event } }),
  };
  return {
    operationId: [method, ...(path.replace("/v1/", "").match(/\w+/g) ?? [])].join("-"),
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    security: isPublic ? [] : [{ apiKey: [] }],
    ...(parameters !== undefined && { parameters }),
    ...((body ?? form) !== undefined && { requestBody: bodyOf(body, form) }),
    responses: {
      200: { description: "Done.", content },
      ...(errors === undefined ? errorResponses : foreignErrors(errors)),
    },
  };
}

function bodyOf(body: Schema | undefined, form: Schema | undefined): Schema {
  const content = {
    ...(body !== undefined && { "application/json": { schema: body } }),
    ...(form !== undefined && { "multipart/form-data": { schema: form } }),
  };
  return { required: true, content };
}

function foreignErrors(format: NonNullable<WireOperation["errors"]>): Schema {
  const name = format === "google" ? "GoogleError" : "AnthropicError";
  const refusal = { $ref: `#/components/responses/${name}` };
  return { "4XX": refusal, "5XX": refusal };
}
