// A route of the management API as an operation of OpenAPI: what it takes and answers, from the same schemas that
// check the call.
import { z } from "zod";
import type { ProcedureMeta } from "../procedure.ts";
import type { ManagementRoute } from "./define-route.ts";
import { snakeName } from "./spelling.ts";

export type Schema = { readonly [keyword: string]: unknown };
export type Schemas = Record<string, Schema>;

/** `metaOf` says what a procedure demands; named schemas are added to `schemas`. */
export function describeRoute(
  route: ManagementRoute,
  metaOf: (procedure: string) => ProcedureMeta,
  schemas: Schemas,
): Schema {
  const { permission } = metaOf(route.procedure);
  const input = asJsonSchema(route, "input", schemas);
  const needs = permission && `Needs the permission \`${permission}\`.`;
  const description = [route.description, needs].filter(Boolean).join(" ");
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    ...(description !== "" && { description }),
    tags: [route.tag],
    ...describeInput(route, input),
    responses: {
      [route.status]: {
        description: "Done.",
        content: { "application/json": { schema: asJsonSchema(route, "output", schemas) } },
      },
      ...errorResponses,
    },
  };
}

export const errorResponses = {
  "4XX": { $ref: "#/components/responses/Error" },
  "5XX": { $ref: "#/components/responses/Error" },
} as const;

/** `get-management-keys-id`. */
function operationIdOf({ method, path }: ManagementRoute): string {
  const words = path.slice("/v1/".length).match(/\w+/g) ?? [];
  return [method.toLowerCase(), ...words].join("-");
}

const idempotencyKey = { $ref: "#/components/parameters/IdempotencyKey" } as const;

function describeInput(route: ManagementRoute, input: Schema): Schema {
  const properties = schemasIn(input.properties);
  const required = new Set(Array.isArray(input.required) ? input.required : []);
  const inPath = new Set([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name));
  const parameter = (where: "path" | "query", name: string) => {
    const { description, ...schema } = properties[name] ?? {};
    return {
      name,
      in: where,
      ...(description !== undefined && { description }),
      ...(required.has(name) && { required: true }),
      schema,
    };
  };
  const pathParameters = [...inPath].map((name) => parameter("path", name));
  const others = Object.keys(properties).filter((name) => !inPath.has(name));
  if (route.method === "GET" || route.method === "DELETE") {
    return { parameters: [...pathParameters, ...others.map((name) => parameter("query", name))] };
  }
  const parameters = route.method === "POST" ? [...pathParameters, idempotencyKey] : pathParameters;
  if (others.length === 0) return { parameters };
  const body = {
    type: "object",
    properties: Object.fromEntries(others.map((name) => [name, properties[name]])),
    required: others.filter((name) => required.has(name)),
    additionalProperties: false,
  };
  return {
    parameters,
    requestBody: {
      required: body.required.length > 0,
      content: { "application/json": { schema: body } },
    },
  };
}

/** Named schemas inside become components; everything is spelled as the call spells it. */
function asJsonSchema(route: ManagementRoute, io: "input" | "output", schemas: Schemas): Schema {
  // Inside an object, because a named schema at the top is not made a reference.
  const inside = z.object({ schema: route[io] });
  const { properties, $defs } = z.toJSONSchema(inside, { io, unrepresentable: "any" });
  const spell = (schema: unknown) => respell(schema, route.isVerbatim === true);
  for (const [name, schema] of Object.entries($defs ?? {})) {
    const { id: _, ...named } = spell(schema);
    const known = schemas[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(named)) {
      throw new Error(`two different schemas are named ${name}`);
    }
    schemas[name] = named;
  }
  return spell(properties?.schema);
}

/** With names in snake_case, and references to components. */
function respell(schema: unknown, isVerbatim: boolean): Schema {
  const nameOf = isVerbatim ? (name: string) => name : snakeName;
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== "object" || node === null) return node;
    // A pattern beside a format says the same once more, in a dialect that not every client reads.
    const { pattern, ...others }: Readonly<Record<string, unknown>> = { ...node };
    const kept = "format" in node || pattern === undefined ? others : { ...others, pattern };
    return Object.fromEntries(
      Object.entries(kept).map(([keyword, value]) => rewrite(keyword, value)),
    );
  };
  const rewrite = (keyword: string, value: unknown): readonly [string, unknown] => {
    if (keyword === "$ref") {
      return [keyword, String(value).replace("#/$defs/", "#/components/schemas/")];
    }
    if (keyword === "properties") {
      const named = Object.entries(schemasIn(value));
      return [
        keyword,
        Object.fromEntries(named.map(([name, inner]) => [nameOf(name), walk(inner)])),
      ];
    }
    if (keyword === "required" && Array.isArray(value)) {
      return [keyword, value.map((name) => nameOf(String(name)))];
    }
    return [keyword, walk(value)];
  };
  return schemasIn(walk(schema));
}

function schemasIn(value: unknown): Record<string, Schema> {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}
