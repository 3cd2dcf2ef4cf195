// The JSON Schema a person types: whether it can be sent, and what a request has of it.
import { asList, asRecord } from "../../../product/completions/parse-chunk.ts";

const types = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** Why the text is not a schema; undefined if it is one. */
export function schemaProblem(text: string): string | undefined {
  try {
    const schema: unknown = JSON.parse(text);
    return problemOf(schema, "");
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : ""}`;
  }
}

function problemOf(schema: unknown, at: string): string | undefined {
  const where = at === "" ? "The schema" : at;
  if (typeof schema === "boolean" && at !== "") return undefined;
  if (typeof schema !== "object" || schema === null || Array.isArray(schema))
    return `${where} must be an object.`;
  const { type, required, properties, items, $defs, anyOf } = asRecord(schema);
  const named: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const unknown = named.find((one) => !types.includes(String(one)));
  if (unknown !== undefined) return `${where} has an unknown type, ${JSON.stringify(unknown)}.`;
  if (required !== undefined && !Array.isArray(required))
    return `${where}: “required” must be a list.`;
  const parts = [
    ...Object.entries(asRecord(properties)).map(([name, part]) => [`${at}/${name}`, part] as const),
    ...Object.entries(asRecord($defs)).map(([name, part]) => [`$defs/${name}`, part] as const),
    ...(items === undefined ? [] : [[`${at}/items`, items] as const]),
    ...asList(anyOf).map((part) => [`${at}/anyOf`, part] as const),
  ];
  for (const [place, part] of parts) {
    const problem = problemOf(part, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** `strict` is only accepted for a schema that forbids other fields. */
export function responseFormatOf(text: string) {
  if (text.trim() === "" || schemaProblem(text) !== undefined)
    return { type: "json_object" } as const;
  const schema: unknown = JSON.parse(text);
  const { title, additionalProperties } = asRecord(schema);
  const name =
    String(title ?? "")
      .replaceAll(/[^\w-]/g, "_")
      .slice(0, 64) || "answer";
  const strict = additionalProperties === false;
  return { type: "json_schema", json_schema: { name, strict, schema } } as const;
}
