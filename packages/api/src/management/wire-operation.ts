// What is said of an endpoint in `/openapi.json` beside its path, in words that several endpoints share.
import type { Schema } from "./describe-route.ts";

export const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const text = { type: "string" } as const;

/** An endpoint that calls models, or says something of them, or of files. */
export type WireOperation = {
  readonly method: "get" | "post" | "delete";
  /** Default: models. */
  readonly tag?: "Files" | "Batches" | "Stored responses" | "Stored interactions" | "Conversations";
  readonly summary: string;
  readonly description?: string;
  /** Absent for a call without a body. */
  readonly body?: Schema;
  /** The same as a form with files; instead of it, if there is no other. */
  readonly form?: Schema;
  readonly answer: Schema;
  /** Default: JSON. */
  readonly answerType?: string;
  /** What an event of a streamed answer is. */
  readonly event?: Schema;
  readonly parameters?: readonly Schema[];
  /** Whose format refusals have; ours if it is absent. */
  readonly errors?: "anthropic" | "google";
  /** For everyone. */
  readonly isPublic?: boolean;
};

export const idempotencyKey = { $ref: "#/components/parameters/IdempotencyKey" } as const;
export const inPath = (name: string, description: string) => {
  return { name, in: "path", description, required: true, schema: text } as const;
};
export const inQuery = (name: string, description: string, schema: Schema = text) => {
  return { name, in: "query", description, schema } as const;
};
