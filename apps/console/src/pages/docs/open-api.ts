// What the API reference reads of `/openapi.json`: operations with their parameters, and a body to begin with.
import type { DocModels } from "./doc-facts.ts";
import type { Section } from "./write-index.ts";

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
};

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
};

type RawOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema?: Schema }>>;
  };
};

type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
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
  /** Fields of the body, with references resolved one level deep. */
  readonly fields: readonly Parameter[];
  readonly hasBody: boolean;
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
      return {
        id: raw.operationId,
        method: method.toUpperCase(),
        path,
        summary: raw.summary,
        description: raw.description,
        tag: raw.tags?.[0] ?? "",
        key: keyOf(raw.security),
        parameters: (raw.parameters ?? []).flatMap((one) =>
          "$ref" in one ? (components.parameters[lastPart(one.$ref)] ?? []) : one,
        ),
        fields: fieldsOf(schemaOf(body), schemaOf),
        hasBody: body !== undefined,
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

/** Of all parts of a schema that is put together from several; of alternatives, the fields of each. */
function fieldsOf(schema: Schema, resolve: (schema: Schema) => Schema): readonly Parameter[] {
  const always = partsOf(schema, resolve, ["allOf"]);
  const required = new Set(always.flatMap((part) => part.required ?? []));
  const parts = partsOf(schema, resolve, ["allOf", "anyOf", "oneOf"]);
  const fields = new Map(parts.flatMap((part) => Object.entries(part.properties ?? {})));
  return [...fields]
    .map(([name, field]) => {
      const { description } = field;
      const described = description === undefined ? {} : { description };
      const isRequired = required.has(name);
      return { name, in: "body", required: isRequired, ...described, schema: resolve(field) };
    })
    .sort((one, other) => Number(other.required) - Number(one.required));
}

const deepest = 5;

function partsOf(
  schema: Schema,
  resolve: (schema: Schema) => Schema,
  ways: readonly ("allOf" | "anyOf" | "oneOf")[],
  depth = 0,
): readonly Schema[] {
  if (depth > deepest) return [];
  const inside = ways.flatMap((way) => schema[way] ?? []);
  return [schema, ...inside.flatMap((part) => partsOf(resolve(part), resolve, ways, depth + 1))];
}

export function describeType(schema: Schema | undefined): string {
  if (schema === undefined) return "";
  if (schema.$ref !== undefined) return lastPart(schema.$ref);
  if (schema.enum) return listValues(schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) {
    // Where any string will do, the listed ones are examples of another installation.
    const isOpen = options.some((one) => one.type === "string" && one.enum === undefined);
    const told = options.filter((one) => !(isOpen && one.enum));
    return [...new Set(told.map(describeType).filter(Boolean))].join(" or ");
  }
  const type = [schema.type ?? (schema.properties ? "object" : "")].flat().join(" or ");
  return schema.format ? `${type} (${schema.format})` : type;
}

const valuesMax = 8;

/** Of many, such as models, examples. */
function listValues(values: readonly unknown[]): string {
  const shown = values.slice(0, valuesMax).map((one) => JSON.stringify(one));
  return [...shown, ...(values.length > valuesMax ? ["…"] : [])].join(", ");
}

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
  };
  const required = fields.filter((field) => field.required);
  const body = known[path] ?? Object.fromEntries(required.map((one) => [one.name, emptyOf(one)]));
  return JSON.stringify(body, null, 2);
}

function emptyOf({ schema }: Parameter): unknown {
  if (schema?.enum) return schema.enum[0];
  const type = [schema?.type].flat()[0];
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
