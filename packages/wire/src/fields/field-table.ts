// The table of request fields: what is known of each top-level field of a request, in every API. Checks, preferences,
// refusals, translations, `supported_parameters`, `require_parameters`, `docs/request-fields.md` and `/openapi.json` are
// read from it, so a new field is a row in a file beside this one, and a function where a dialect has to write it.
import { answerFields } from "./answer-fields.ts";
import { conversationFields } from "./conversation-fields.ts";
import { embeddingsFields } from "./embeddings-fields.ts";
import { gatewayFields } from "./gateway-fields.ts";
import { pricedFields } from "./priced-fields.ts";
import { reasoningFields } from "./reasoning-fields.ts";
import { recordFields } from "./record-fields.ts";
import type { FieldTable, RequestField } from "./request-field.ts";
import { samplingFields } from "./sampling-fields.ts";
import { serviceFields } from "./service-fields.ts";

/** By what they are about. Each field is in one of them. */
export const fieldTables = {
  conversation: conversationFields,
  answer: answerFields,
  sampling: samplingFields,
  reasoning: reasoningFields,
  records: recordFields,
  gateway: gatewayFields,
  prices: pricedFields,
  services: serviceFields,
  embeddings: embeddingsFields,
} as const satisfies Readonly<Record<string, FieldTable>>;

export const requestFields: ReadonlyMap<string, RequestField> = new Map(
  Object.values(fieldTables).flatMap((table: FieldTable) => Object.entries(table)),
);

/** The names of the fields whose row passes. */
export function namesWhere(
  passes: (field: RequestField, name: string) => boolean,
): readonly string[] {
  return [...requestFields].flatMap(([name, field]) => (passes(field, name) ? [name] : []));
}

/** What the rows have under a key, for those that have it. */
export function columnOf<Value>(
  read: (field: RequestField, name: string) => Value | undefined,
): ReadonlyMap<string, Value> {
  const column = new Map<string, Value>();
  for (const [name, field] of requestFields) {
    const value = read(field, name);
    if (value !== undefined) column.set(name, value);
  }
  return column;
}
