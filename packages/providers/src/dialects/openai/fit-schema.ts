// The schema of a tool as a service with these quirks accepts it, at its root and below. What it describes stays the same,
// but for unions at a root that must be an object.
import { isObject, type JsonObject } from "@turnpike/base";
import { mapSchemas } from "../map-schemas.ts";
import { objectSchemaOf } from "../object-schema.ts";
import type { OpenaiQuirks } from "./quirks.ts";

export type SchemaQuirks = Pick<OpenaiQuirks, "rootSchemas" | "innerSchemas">;

const fits: Readonly<Record<SchemaQuirks["innerSchemas"], (schema: JsonObject) => JsonObject>> = {
  any: (schema) => schema,
  stated_items: stateItems,
  typed_variants: typeVariants,
};

/** `schema` itself if nothing has to change. */
export function fitSchema(
  schema: JsonObject,
  { rootSchemas, innerSchemas }: SchemaQuirks,
): JsonObject {
  const flat = rootSchemas === "objects" ? withProperties(objectSchemaOf(schema)) : schema;
  if (innerSchemas === "any") return flat;
  const fitted = mapSchemas(flat, fits[innerSchemas]);
  return innerSchemas === "typed_variants" ? renameDefinitions(fitted) : fitted;
}

function withProperties(schema: JsonObject): JsonObject {
  return isObject(schema.properties) ? schema : { ...schema, properties: {} };
}

/** Items of any kind, which a list has that says nothing of them. */
function stateItems(schema: JsonObject): JsonObject {
  const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.includes("array") && schema.items === undefined ? { ...schema, items: {} } : schema;
}

/** The type of a union is that of each variant. */
function typeVariants(schema: JsonObject): JsonObject {
  const referring = referToDefs(schema);
  const { type, anyOf, ...rest } = referring;
  if (type === undefined || !Array.isArray(anyOf)) return referring;
  const typed = anyOf.map((variant: unknown) =>
    isObject(variant) && variant.$ref === undefined ? typeVariants({ type, ...variant }) : variant,
  );
  return { ...rest, anyOf: typed };
}

const oldReference = "#/definitions/";

function referToDefs(schema: JsonObject): JsonObject {
  const { $ref } = schema;
  if (typeof $ref !== "string" || !$ref.startsWith(oldReference)) return schema;
  return { ...schema, $ref: `#/$defs/${$ref.slice(oldReference.length)}` };
}

/** The older name of the definitions at the root. */
function renameDefinitions(schema: JsonObject): JsonObject {
  if (schema.definitions === undefined) return schema;
  const { definitions, $defs, ...rest } = schema;
  const older = isObject(definitions) ? definitions : {};
  return { ...rest, $defs: { ...older, ...(isObject($defs) && $defs) } };
}
