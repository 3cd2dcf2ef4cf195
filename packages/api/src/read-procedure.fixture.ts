// What a procedure of the router declares about itself, for the tests that walk all of them.

import { z } from "zod";
import { appRouter } from "./app-router.ts";
import type { ProcedureMeta } from "./procedure.ts";

/** The top-level fields of a procedure's input, as its schema declares them. */
export function fieldsOf(name: string): readonly string[] {
  const schemas = readInputs(name);
  return schemas.flatMap((schema) =>
    schema instanceof z.ZodObject ? Object.keys(schema.shape) : [],
  );
}

export function isMutation(name: string): boolean {
  return definitionOf(name).get("type") === "mutation";
}

/** How the procedure is marked. */
export function metaOf(name: string): ProcedureMeta {
  const meta = definitionOf(name).get("meta");
  return typeof meta === "object" && meta !== null ? meta : {};
}

function readInputs(name: string): readonly unknown[] {
  const inputs = definitionOf(name).get("inputs");
  return Array.isArray(inputs) ? inputs : [];
}

/** tRPC keeps the schemas and the marks of a procedure in `_def`. */
function definitionOf(name: string): ReadonlyMap<string, unknown> {
  const procedures: Readonly<Record<string, unknown>> = appRouter._def.procedures;
  const procedure = procedures[name];
  if (typeof procedure !== "function" || !("_def" in procedure)) return new Map();
  return new Map(Object.entries(Object(procedure._def)));
}
