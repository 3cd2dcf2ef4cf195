// What a chat completion's `response_format` asks for.
import { isObject, type JsonObject } from "@turnpike/base";

/** `json_object` is any JSON object, `json_schema` one of a schema; everything else is text. */
export function kindOfFormat(format: unknown): "text" | "json_object" | "json_schema" {
  const type = isObject(format) ? format.type : undefined;
  return type === "json_object" || type === "json_schema" ? type : "text";
}

/** The schema, with the description of the format where it has none; undefined without a schema. */
export function schemaOfFormat(format: unknown): JsonObject | undefined {
  if (!isObject(format) || !isObject(format.json_schema)) return undefined;
  const { schema, description } = format.json_schema;
  if (!isObject(schema)) return undefined;
  return typeof description === "string" ? { description, ...schema } : schema;
}
