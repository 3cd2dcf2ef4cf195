// Schemas that OpenAI can bind an answer or the input of a tool to. Anthropic's API takes more of JSON Schema as strict:
// what OpenAI would refuse is sent without strictness, so that the model still reads all of the schema.
// https://platform.openai.com/docs/guides/structured-outputs (Supported schemas)
import { isObject, type JsonObject } from "@turnpike/base";
import { type ChatRequest, messagesLanguage } from "@turnpike/wire";

const keywords: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "enum",
  "const",
  "$ref",
  "$defs",
  "definitions",
  "$schema",
  "title",
  "description",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
]);

const formats: ReadonlySet<unknown> = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
]);

/** Of an answer, or of the input of a tool. */
export function isStrictSchema(schema: unknown): boolean {
  return isObject(schema) && schema.type === "object" && isStrict(schema);
}

function isStrict(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (Object.keys(schema).some((name) => !keywords.has(name))) return false;
  if (schema.format !== undefined && !formats.has(schema.format)) return false;
  if (isObjectType(schema) && !isClosed(schema)) return false;
  return innerSchemas(schema).every(isStrict);
}

function isObjectType({ type, properties }: JsonObject): boolean {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return properties !== undefined || types.includes("object");
}

/** It has no other members than those it names, and always all of these. */
function isClosed({ additionalProperties, properties, required }: JsonObject): boolean {
  if (additionalProperties !== false) return false;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const names = new Set(needed);
  return Object.keys(isObject(properties) ? properties : {}).every((name) => names.has(name));
}

function innerSchemas({ properties, items, anyOf, $defs, definitions }: JsonObject): unknown[] {
  const named = [properties, $defs, definitions].filter(isObject).flatMap(Object.values);
  const variants = Array.isArray(anyOf) ? anyOf : [];
  return [...named, ...variants, ...(items === undefined ? [] : [items])];
}

/**
 * `pivot`, the translation of `request`, without strictness where OpenAI would refuse it. Callers of OpenAI's own APIs
 * know its rules, and get its refusals.
 */
export function fitStrictness({ language }: ChatRequest, pivot: JsonObject): JsonObject {
  if (language !== messagesLanguage) return pivot;
  const { response_format: format, tools } = pivot;
  const fitted = { ...pivot };
  if (isObject(format) && isObject(format.json_schema)) {
    fitted.response_format = { ...format, json_schema: relax(format.json_schema, "schema") };
  }
  if (Array.isArray(tools)) fitted.tools = tools.map(relaxTool);
  return fitted;
}

function relaxTool(tool: unknown): unknown {
  if (!isObject(tool) || !isObject(tool.function)) return tool;
  return { ...tool, function: relax(tool.function, "parameters") };
}

/** `name` is that of the member with its schema. */
function relax(definition: JsonObject, name: string): JsonObject {
  const isRefused = definition.strict === true && !isStrictSchema(definition[name]);
  return isRefused ? { ...definition, strict: false } : definition;
}
