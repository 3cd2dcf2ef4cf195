// What each endpoint that calls models enforces of the fields of its request, from the rules that check them.

import { fieldBoundsOf, refusalsOf } from "../fields/check-fields.ts";
import type { RequestField } from "../fields/request-field.ts";
import type { FieldBounds } from "./bounds.ts";

const isOurs = ({ rule, schema }: RequestField) => rule === "ours" && schema === undefined;
const hasSchema = ({ schema }: RequestField) => schema !== undefined;
const isApis = (field: RequestField) => !isOurs(field) && !hasSchema(field);

/** Of one prompt: what a chat has besides is refused there. */
const refused = refusalsOf("completions");
const promptBounds = fieldBoundsOf("chat", (field, name) => isApis(field) && !refused.has(name));

/** By the name of the schema in `/openapi.json`. */
export const requestBounds: Readonly<Record<string, FieldBounds>> = {
  CreateChatCompletionRequest: fieldBoundsOf("chat", isApis),
  CompletionsRequest: { ...promptBounds, ...fieldBoundsOf("completions", () => true) },
  CreateEmbeddingRequest: fieldBoundsOf("embeddings", () => true),
  ResponsesRequest: fieldBoundsOf("responses", () => true),
  MessagesRequestFields: fieldBoundsOf("messages", () => true),
  // Each is described by its own name, and not by that of protocol buffers.
  GeminiRequest: fieldBoundsOf("gemini", (_, name) => !name.includes("_")),
  InteractionsRequest: fieldBoundsOf("interactions", () => true),
  GatewayRouting: fieldBoundsOf("chat", isOurs),
  GatewayPreferences: fieldBoundsOf("chat", hasSchema),
};
