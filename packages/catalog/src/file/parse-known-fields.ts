// Reads an entry of the catalog without the fields that this version does not know: a later version may have
// added them, and a file must still be readable after a rollback.
import type { core, z } from "zod";
import { describeIssues } from "./catalog-mistake.ts";

/** Adds the paths of unknown fields to `unknownFields`; all other mistakes are in the result. */
export function parseKnownFields<Schema extends z.ZodType>(
  schema: Schema,
  entry: unknown,
  path: readonly PropertyKey[],
  unknownFields: string[],
): z.ZodSafeParseResult<z.output<Schema>> {
  const parsed = schema.safeParse(entry);
  const issues = parsed.error?.issues ?? [];
  const unknown = issues.filter((issue) => issue.code === "unrecognized_keys");
  if (unknown.length === 0) return parsed;
  unknownFields.push(...describeIssues(unknown, path).map((mistake) => mistake.path));
  return schema.safeParse(withoutFields(entry, unknown));
}

function withoutFields(entry: unknown, issues: readonly core.$ZodIssueUnrecognizedKeys[]): unknown {
  const known: unknown = structuredClone(entry);
  for (const { path, keys } of issues) {
    const owner = path.reduce<unknown>((value, part) => read(value, part), known);
    if (typeof owner !== "object" || owner === null) continue;
    for (const key of keys) Reflect.deleteProperty(owner, key);
  }
  return known;
}

function read(value: unknown, part: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, part) : undefined;
}
