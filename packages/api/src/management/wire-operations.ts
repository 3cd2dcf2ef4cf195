// The endpoints that call models, as operations of OpenAPI, with the schemas of the wire package.
import { wireSchemas } from "@turnpike/wire";
import { errorResponses, type Schema, type Schemas } from "./describe-route.ts";

/** OpenAI's own schemas, those of `/v1/responses` under names of their own, and ours. */
export function addWireSchemas(schemas: Schemas): void {
  for (const [name, schema] of Object.entries<Schema>(wireSchemas.openai.components.schemas)) {
    // Ours says more, see `Fault`.
    if (name !== "ErrorResponse" && name !== "Error") addSchema(schemas, name, schema);
  }
  for (const [name, schema] of Object.entries<Schema>(wireSchemas.responses.$defs)) {
    const text = JSON.stringify(schema).replaceAll("#/$defs/", "#/components/schemas/Responses");
    addSchema(schemas, `Responses${name}`, JSON.parse(text));
  }
  const { credits, key, generation } = wireSchemas;
  const own = { Credits: credits, CurrentKey: key, Generation: generation };
  for (const [name, { $schema: _, title: __, ...schema }] of Object.entries(own)) {
    addSchema(schemas, name, schema);
  }
}

function addSchema(schemas: Schemas, name: string, schema: Schema): void {
  if (name in schemas) throw new Error(`two schemas are named ${name}`);
  schemas[name] = schema;
}

const anyObject = { type: "object", additionalProperties: true } as const;
const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });

type Operation = {
  readonly path: string;
  readonly method: "get" | "post";
  readonly summary: string;
  /** Absent for a call without a body. */
  readonly body?: Schema;
  readonly answer: Schema;
  /** What an event of a streamed answer is. */
  readonly event?: Schema;
  readonly parameters?: readonly Schema[];
};

const operations: readonly Operation[] = [
  {
    path: "/v1/chat/completions",
    method: "post",
    summary: "Create a chat completion",
    body: named("CreateChatCompletionRequest"),
    answer: named("CreateChatCompletionResponse"),
    event: named("CreateChatCompletionStreamResponse"),
  },
  {
    path: "/v1/responses",
    method: "post",
    summary: "Create a response",
    body: anyObject,
    answer: named("ResponsesResponse"),
    event: named("ResponsesResponseStreamEvent"),
  },
  {
    path: "/v1/messages",
    method: "post",
    summary: "Create a message, as Anthropic's API does",
    body: anyObject,
    answer: anyObject,
    event: anyObject,
  },
  {
    path: "/v1/completions",
    method: "post",
    summary: "Create a completion",
    body: anyObject,
    answer: anyObject,
    event: anyObject,
  },
  {
    path: "/v1/embeddings",
    method: "post",
    summary: "Create embeddings",
    body: named("CreateEmbeddingRequest"),
    answer: named("CreateEmbeddingResponse"),
  },
  {
    path: "/v1/estimate",
    method: "post",
    summary: "Estimate the price of a request without running it",
    body: anyObject,
    answer: anyObject,
  },
  {
    path: "/v1/models",
    method: "get",
    summary: "List models",
    answer: named("ListModelsResponse"),
  },
  { path: "/v1/key", method: "get", summary: "Read the calling key", answer: named("CurrentKey") },
  {
    path: "/v1/credits",
    method: "get",
    summary: "Read the credits of the account",
    answer: named("Credits"),
  },
  {
    path: "/v1/generation",
    method: "get",
    summary: "Read a request by its id",
    answer: named("Generation"),
    parameters: [{ name: "id", in: "query", required: true, schema: { type: "string" } }],
  },
];

/** By path. */
export function describeWireOperations(): Record<string, Schema> {
  return Object.fromEntries(
    operations.map((operation) => [operation.path, { [operation.method]: describe(operation) }]),
  );
}

function describe({ path, method, summary, body, answer, event, parameters }: Operation): Schema {
  const content = {
    "application/json": { schema: answer },
    ...(event !== undefined && { "text/event-stream": { schema: event } }),
  };
  return {
    operationId: [method, ...(path.slice("/v1/".length).match(/\w+/g) ?? [])].join("-"),
    summary,
    tags: ["Models"],
    security: [{ apiKey: [] }],
    ...(parameters !== undefined && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: true, content: { "application/json": { schema: body } } },
    }),
    responses: { 200: { description: "Done.", content }, ...errorResponses },
  };
}
