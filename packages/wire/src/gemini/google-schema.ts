// Google's reduced schema (`parameters`, `responseSchema`) as JSON Schema, which every other API takes. Names of properties
// are the caller's own, and stay.
import { isObject, type JsonObject } from "@turnpike/base";

/** Google's JSON allows integers of 64 bits to be texts. */
const counts: ReadonlySet<string> = new Set([
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "minProperties",
  "maxProperties",
]);

const snakeNames: ReadonlyMap<string, string> = new Map([
  ["any_of", "anyOf"],
  ["min_items", "minItems"],
  ["max_items", "maxItems"],
  ["min_length", "minLength"],
  ["max_length", "maxLength"],
  ["min_properties", "minProperties"],
  ["max_properties", "maxProperties"],
  ["property_ordering", "propertyOrdering"],
  ["prefix_items", "prefixItems"],
  ["additional_properties", "additionalProperties"],
]);

/** What has a schema for each name, and what has a list of them. */
const maps = ["properties", "patternProperties", "$defs", "defs", "definitions"];
const lists = ["anyOf", "oneOf", "allOf", "prefixItems"];

/** A schema that is JSON Schema already stays what it is. */
export function jsonSchemaOf(schema: JsonObject): JsonObject {
  const written: JsonObject = {};
  let isNullable = false;
  for (const [key, value] of Object.entries(schema)) {
    const name = snakeNames.get(key) ?? key;
    if (name === "nullable") isNullable = value === true;
    else if (name === "type") written.type = typeOf(value);
    else if (name === "example") written.examples = [value];
    // The order in which Gemini writes properties.
    else if (name !== "propertyOrdering" && name !== "__proto__") {
      written[name] = memberOf(name, value);
    }
  }
  if (written.type === undefined) delete written.type;
  return isNullable ? nullable(written) : written;
}

function memberOf(name: string, value: unknown): unknown {
  if (counts.has(name) && typeof value === "string") return Number(value);
  if (maps.includes(name) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inside(inner)]));
  }
  if (lists.includes(name) && Array.isArray(value)) return value.map(inside);
  return name === "items" || name === "additionalProperties" ? inside(value) : value;
}

function inside(value: unknown): unknown {
  return isObject(value) ? jsonSchemaOf(value) : value;
}

function typeOf(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(typeOf);
  if (typeof type !== "string") return type;
  return type === "TYPE_UNSPECIFIED" ? undefined : type.toLowerCase();
}

function nullable(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  const allowed = Array.isArray(values) ? { enum: [...values, null] } : {};
  return { ...schema, type: [type, "null"], ...allowed };
}
