// What the API reference reads of `/openapi.json`: operations with what they take and answer, and a body to begin with.
import type { DocModels } from "./doc-facts.ts";
import { type Field, fieldOf, fieldsOf, type Resolve, type Schema } from "./schema-fields.ts";
import type { Section } from "./write-index.ts";

/** Of the path, the query or the headers. */
export type Parameter = Field & { readonly in: string };

type RawParameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
};

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

type RawOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly (RawParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
};

type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, RawParameter>>;
  };
};

export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly tag: string;
  readonly key: "API key" | "management key" | undefined;
  readonly parameters: readonly Parameter[];
  /** Of the body. */
  readonly fields: readonly Field[];
  readonly hasBody: boolean;
  /** Of the response. */
  readonly answer: readonly Field[];
  /** Of an event of a streamed response. */
  readonly event: readonly Field[];
};

export async function fetchOpenApi(signal?: AbortSignal): Promise<readonly Operation[]> {
  const response = await fetch("/openapi.json", signal ? { signal } : {});
  if (!response.ok) throw new Error(`/openapi.json: ${response.status}`);
  return readOperations(asOpenApi(await response.json()));
}

/** Our own server wrote it; a test of the server checks it against the specification. */
function asOpenApi(json: unknown): OpenApi {
  return json as OpenApi;
}

export function readOperations({ paths, components }: OpenApi): readonly Operation[] {
  const schemaOf = (schema: Schema | undefined): Schema =>
    schema?.$ref === undefined ? (schema ?? {}) : (components.schemas[lastPart(schema.$ref)] ?? {});
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => {
      const body = raw.requestBody?.content["application/json"]?.schema;
      const done = Object.entries(raw.responses ?? {}).find(([status]) => status.startsWith("2"));
      const answer = done?.[1].content ?? {};
      return {
        id: raw.operationId,
        method: method.toUpperCase(),
        path,
        summary: raw.summary,
        description: raw.description,
        tag: raw.tags?.[0] ?? "",
        key: keyOf(raw.security),
        parameters: (raw.parameters ?? []).flatMap((one) => {
          const known = "$ref" in one ? components.parameters[lastPart(one.$ref)] : one;
          return known === undefined ? [] : [parameterOf(known, schemaOf)];
        }),
        fields: fieldsOf(schemaOf(body), schemaOf),
        hasBody: body !== undefined,
        answer: fieldsOf(schemaOf(answer["application/json"]?.schema), schemaOf),
        event: fieldsOf(schemaOf(answer["text/event-stream"]?.schema), schemaOf),
      };
    }),
  );
}

function lastPart(ref: string): string {
  return ref.split("/").at(-1) ?? "";
}

function keyOf(security: RawOperation["security"]): Operation["key"] {
  if (security === undefined) return "management key";
  return security.some((one) => "apiKey" in one) ? "API key" : undefined;
}

function parameterOf({ name, in: where, ...raw }: RawParameter, resolve: Resolve): Parameter {
  const { schema = {}, required = false, description } = raw;
  const field = fieldOf(name, schema, required, resolve);
  return { ...field, in: where, description: description ?? field.description };
}

const hello = { parts: [{ text: "Hello!" }] };
const method = (name: string) => `/v1beta/models/{model}:${name}`;

/** The model is in the path. */
const geminiBodies: Readonly<Record<string, unknown>> = {
  [method("generateContent")]: { contents: [hello] },
  [method("streamGenerateContent")]: { contents: [hello] },
  [method("countTokens")]: { contents: [hello] },
  [method("embedContent")]: { content: hello },
  [method("batchEmbedContents")]: { requests: [{ content: hello }] },
};

/** What runs as it is, for the endpoints that call models; else the required fields. */
export function sampleBody({ path, fields }: Operation, models: DocModels): string {
  const { model } = models;
  const messages = [{ role: "user", content: "Hello!" }];
  const known: Readonly<Record<string, unknown>> = {
    "/v1/chat/completions": { model, messages, max_tokens: 100 },
    "/v1/estimate": { model, messages, max_tokens: 100 },
    "/v1/responses": { model, input: "Hello!", max_output_tokens: 100 },
    "/v1/responses/input_tokens": { model, input: "Hello!" },
    "/v1/messages": { model, messages, max_tokens: 100 },
    "/v1/messages/count_tokens": { model, messages },
    "/v1/completions": { model, prompt: "Hello!", max_tokens: 100 },
    "/v1/embeddings": { model: models.embeddingsModel, input: "Hello!" },
    ...geminiBodies,
    "/v1/images/generations": { model: models.imageModel, prompt: "A lighthouse at dawn" },
    "/v1/images": { model: models.imageModel, prompt: "A lighthouse at dawn" },
    "/v1/rerank": {
      model: models.rerankModel,
      query: "What keeps ships off the rocks?",
      documents: ["A lighthouse", "A library"],
    },
    "/v1/moderations": { model: models.moderationModel, input: "Hello!" },
  };
  const required = fields.filter((field) => field.required);
  const body = known[path] ?? Object.fromEntries(required.map((one) => [one.name, emptyOf(one)]));
  return JSON.stringify(body, null, 2);
}

function emptyOf({ schema }: Field): unknown {
  if (schema.enum) return schema.enum[0];
  const type = [schema.type].flat()[0];
  if (type === "array") return [];
  if (type === "object") return {};
  if (type === "boolean") return false;
  return type === "integer" || type === "number" ? 1 : "";
}

/** For the search. */
export function sectionsOfApi(operations: readonly Operation[]): readonly Section[] {
  return operations.map(({ id, method, path, summary, description, fields }) => ({
    title: `${method} ${path}`,
    page: "API reference",
    href: `/docs/reference#${id}`,
    text: `${summary}. ${description ?? ""} ${fields.map(({ name }) => name).join(" ")}`,
  }));
}
