// Changes a JSON Schema at every depth, from the innermost schema to the root. Values in it (`enum`, `default`) are not
// schemas and stay as they are.
import { isObject, type JsonObject } from "@turnpike/base";

const single = ["items", "additionalProperties", "not", "if", "then", "else", "contains"];
const lists = ["anyOf", "oneOf", "allOf", "prefixItems"];
const named = ["properties", "patternProperties", "$defs", "definitions"];

/** No tool is described by more; what is deeper stays as it is. */
const maxDepth = 100;

/** `schema` itself where `fit` returns what it is given. */
export function mapSchemas(
  schema: JsonObject,
  fit: (schema: JsonObject) => JsonObject,
  depth = 0,
): JsonObject {
  if (depth > maxDepth) return schema;
  const inner = (value: unknown) => (isObject(value) ? mapSchemas(value, fit, depth + 1) : value);
  const changed: JsonObject = {};
  const set = (name: string, value: unknown) => {
    if (value !== schema[name]) changed[name] = value;
  };
  for (const name of single) set(name, inner(schema[name]));
  for (const name of lists) {
    const list = schema[name];
    if (!Array.isArray(list)) continue;
    const mapped = list.map(inner);
    if (mapped.some((one, at) => one !== list[at])) set(name, mapped);
  }
  for (const name of named) {
    const members = schema[name];
    if (!isObject(members)) continue;
    const mapped = Object.entries(members).map(([key, value]) => [key, inner(value)] as const);
    if (mapped.some(([key, value]) => value !== members[key])) {
      set(name, Object.fromEntries(mapped));
    }
  }
  return fit(Object.keys(changed).length === 0 ? schema : { ...schema, ...changed });
}
