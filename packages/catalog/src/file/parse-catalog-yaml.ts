// The two lists of a catalog file as plain data, and every mistake in YAML itself with its line.

import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { type CatalogMistake, describeIssues } from "./catalog-mistake.ts";
import { parseKnownFields } from "./parse-known-fields.ts";

const whatItHas = "the file must have a list of providers and a list of models";
const rootSchema = z.strictObject(
  {
    providers: z.array(z.unknown(), "must be a list").default([]),
    models: z.array(z.unknown(), "must be a list").default([]),
  },
  whatItHas,
);

/** What is wrong, and what this version ignores. */
export type Findings = {
  readonly mistakes: CatalogMistake[];
  readonly unknownFields: string[];
};

export type CatalogLists = z.infer<typeof rootSchema>;

/** Adds what is wrong to `mistakes`; lists that could not be read are empty. */
export function parseCatalogYaml(
  yamlText: string,
  { mistakes, unknownFields }: Findings,
): CatalogLists {
  const empty: CatalogLists = { providers: [], models: [] };
  const lineCounter = new LineCounter();
  const document = parseDocument(yamlText, { lineCounter, prettyErrors: false });
  for (const error of document.errors) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    mistakes.push({ path: `line ${line}, column ${col}`, message: error.message });
  }
  if (document.errors.length > 0) return empty;

  const root = toPlain(document, mistakes);
  const parsed = parseKnownFields(rootSchema, root, [], unknownFields);
  if (parsed.success) {
    // A file of another kind is not a catalog whose fields are unknown.
    if (!hasList(root)) mistakes.push({ path: "", message: whatItHas });
    return parsed.data;
  }
  mistakes.push(...describeIssues(parsed.error.issues, []));
  return { providers: listIn(root, "providers"), models: listIn(root, "models") };
}

function hasList(root: unknown): boolean {
  return typeof root === "object" && root !== null && ("providers" in root || "models" in root);
}

/** A list is read even if something else in the file is wrong. */
function listIn(root: unknown, field: keyof CatalogLists): unknown[] {
  const list = typeof root === "object" && root !== null ? Reflect.get(root, field) : undefined;
  return Array.isArray(list) ? list : [];
}

/** Only aliases that expand without end fail here. */
function toPlain(document: ReturnType<typeof parseDocument>, mistakes: CatalogMistake[]): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    mistakes.push({ path: "", message: error instanceof Error ? error.message : String(error) });
    return {};
  }
}
